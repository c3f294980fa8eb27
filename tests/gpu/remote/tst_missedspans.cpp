// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/time/clock.h"
#include "gpu/remote/follower.h"
#include "gpu/remote/remotepipeline.h"
#include "tests/support/socketends.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <limits>
#include <mutex>

using namespace jetscope;

namespace {

constexpr std::uint32_t kPipeline = 1;
constexpr std::uint32_t kSpansOfUpdate = 1000;
constexpr Interval kAll{0, std::numeric_limits<std::int64_t>::max() / 2};

/// A board that sends more than the link takes, because the laptop takes nothing until `open`.
class StarvedLaptop {
public:
    StarvedLaptop()
        : m_ends(testing::socketEnds().value()), m_board(std::move(m_ends.first)), m_laptop(std::move(m_ends.second))
    {
        m_gate.lock();
        m_board.start([](const Message &) {}, [](const std::optional<Error> &) {});
        m_laptop.start(
            [this](const Message &message) {
                const std::lock_guard wait(m_gate);
                m_isGood = m_isGood && take(message);
            },
            [](const std::optional<Error> &) {});
    }
    ~StarvedLaptop()
    {
        open();
        m_laptop.close({});
    }
    void open()
    {
        if (std::exchange(m_isShut, false))
            m_gate.unlock();
    }
    /// Of a thousand spans each.
    void sendUpdates(int count)
    {
        for (int i = 0; i < count; ++i) {
            PipelineUpdate update;
            if (m_told == 0) {
                update.names = {{"work"}, {"wait"}};
                update.lanes = {{0, LaneRole::Pipeline, "Pipeline", ""}};
            }
            for (std::uint32_t each = 0; each < kSpansOfUpdate; ++each, ++m_told)
                update.spans.push_back({m_told * 1000, 500, m_told, 0, 1, 0, 0});
            sendUpdate(std::move(update));
        }
    }
    void sendUpdate(PipelineUpdate update)
    {
        const std::uint64_t position = log.add(update);
        follower.send(kPipeline, position, partsOf(kPipeline, position, update), update.spans);
    }
    std::int64_t endNs() const { return m_told * std::int64_t{1000}; }
    bool isGood() const { return m_isGood; }
    /// All that has come, where it belongs.
    void takeInto(Trace &trace)
    {
        addValues(trace, pipeline.drain());
        trace.insert(pipeline.takeLate());
    }
    std::uint32_t told() const { return m_told; }
    std::uint64_t notSent(MessageClass messageClass) const
    {
        return m_board.notSent().messages[static_cast<std::size_t>(messageClass)];
    }

private:
    bool take(const Message &message)
    {
        if (message.kind == MessageKind::UnsentSpans)
            return pipeline.take(contentOf<UnsentSpans>(message).value());
        if (message.kind == MessageKind::LateSpans)
            return pipeline.take(contentOf<LateSpans>(message).value());
        return pipeline.take(message.kind, contentOf<UpdatePart>(message).value());
    }

    std::pair<LinkEnds, LinkEnds> m_ends;
    Link m_board;
    std::mutex m_gate;
    bool m_isShut = true;
    std::atomic<bool> m_isGood{true};
    std::uint32_t m_told = 0;

public:
    UpdateLog log{kPipeline};
    Follower follower{m_board};
    RemotePipeline pipeline{kPipeline};

private:
    Link m_laptop; ///< Ends first.
};

} // namespace

class TestMissedSpans : public QObject {
    Q_OBJECT
private slots:
    void whatWasNotSentComesWhenItIsSeenTheNewestFirst()
    {
        StarvedLaptop laptop;
        laptop.sendUpdates(40);
        laptop.open();
        Trace trace;
        const auto isSaid = [&] {
            laptop.follower.sendUnsent();
            laptop.takeInto(trace);
            const std::uint64_t missing = laptop.pipeline.updatesWithoutSpans();
            return missing > 20 && trace.spanCount() + missing * kSpansOfUpdate == laptop.told();
        };
        QTRY_VERIFY(isSaid());
        const Intervals times = laptop.pipeline.missingTimes();
        QVERIFY(!times.empty() && times.back().endNs <= laptop.endNs());
        // Nothing is asked for that is not in view, or while nothing is connected.
        QVERIFY(laptop.pipeline.wantMissing({0, times.front().startNs - 1}, 1).empty());
        QVERIFY(laptop.pipeline.wantMissing(kAll, 0).empty());
        std::uint64_t lastAsked = std::numeric_limits<std::uint64_t>::max();
        std::uint64_t before = laptop.pipeline.updatesWithoutSpans();
        const auto isFilled = [&] {
            for (const AskSpans &ask : laptop.pipeline.wantMissing(kAll, 1)) {
                if (ask.first > lastAsked || !laptop.follower.answer(laptop.log, ask))
                    return false;
                lastAsked = ask.first;
            }
            laptop.takeInto(trace);
            const bool hasFallen =
                laptop.pipeline.updatesWithoutSpans() <= std::exchange(before, laptop.pipeline.updatesWithoutSpans());
            return hasFallen && before == 0 && trace.spanCount() == laptop.told();
        };
        QTRY_VERIFY(isFilled());
        QVERIFY(laptop.isGood());
        QVERIFY(laptop.pipeline.missingTimes().empty());
        QCOMPARE(trace.lateSpans(), std::uint64_t{0}); // Each once.
        const SpanTrack &track = trace.tracks().front();
        for (std::uint64_t i = 0; i < track.endIndex(); ++i)
            QCOMPARE(track.at(i).frame, static_cast<std::uint32_t>(i));
    }

    /// Who has newer spans has been told before of those that were not sent: a cut may come at any time.
    void aHoleIsToldBeforeWhatFollowsIt()
    {
        StarvedLaptop laptop;
        laptop.sendUpdates(40);
        laptop.open();
        Trace trace;
        const auto hasNewest = [&] {
            laptop.sendUpdates(1);
            return QTest::qWaitFor(
                [&] {
                    laptop.takeInto(trace);
                    return trace.newestNs() + 1000 > laptop.endNs();
                },
                20);
        };
        QVERIFY(QTest::qWaitFor(hasNewest, 20'000)); // Once: it sends.
        const std::uint64_t missing = laptop.pipeline.updatesWithoutSpans();
        QVERIFY(missing > 20);
        QCOMPARE(trace.spanCount() + missing * kSpansOfUpdate, std::uint64_t{laptop.told()});
    }

    /// Figures and counters are not left out: they follow in order.
    void figuresComeLater()
    {
        constexpr std::uint32_t kFrames = 4000;
        StarvedLaptop laptop;
        std::uint32_t frame = 0;
        for (int i = 0; i < 200; ++i) {
            PipelineUpdate update;
            if (i == 0)
                update.counters = {{3, "load", "%", std::nullopt}};
            for (std::uint32_t each = 0; each < kFrames / 200; ++each, ++frame) {
                update.figures.emplace_back().frame = frame;
                update.samples.push_back({frame * std::int64_t{10}, 0.5, 3});
            }
            laptop.sendUpdate(std::move(update));
        }
        QVERIFY(!laptop.follower.isCaughtUp()); // Not all had credit.
        laptop.open();
        std::vector<std::uint32_t> frames;
        std::vector<std::int64_t> times;
        const auto isWhole = [&] {
            laptop.follower.sendFigures(laptop.log);
            const PipelineUpdate update = laptop.pipeline.drain();
            for (const FrameFigures &figures : update.figures)
                frames.push_back(figures.frame);
            for (const CounterSample &sample : update.samples)
                times.push_back(sample.timeNs);
            return frames.size() == kFrames && times.size() == kFrames;
        };
        QTRY_VERIFY(isWhole());
        QVERIFY(laptop.isGood() && laptop.follower.isCaughtUp());
        for (std::uint32_t i = 0; i < kFrames; ++i)
            QVERIFY(frames[i] == i && times[i] == i * std::int64_t{10});
        laptop.sendUpdates(1); // What comes now comes at once again.
        QVERIFY(laptop.follower.isCaughtUp());
        QCOMPARE(laptop.notSent(MessageClass::Figures), std::uint64_t{0}); // None was left out.
    }

    /// A link that carries none is told the newest, and that others were left out.
    void figuresOfMoreThanAMinuteAreLeftOut()
    {
        constexpr std::uint32_t kUpdates = 4000;
        StarvedLaptop laptop;
        for (std::uint32_t frame = 0; frame < kUpdates; ++frame) {
            PipelineUpdate update;
            update.figures.resize(20);
            for (FrameFigures &figures : update.figures)
                figures.frame = frame;
            laptop.sendUpdate(std::move(update));
            laptop.follower.sendFigures(laptop.log);
        }
        const std::uint64_t leftOut = laptop.notSent(MessageClass::Figures);
        QVERIFY(leftOut > 0);
        laptop.open();
        std::uint64_t came = 0;
        std::uint32_t newest = 0;
        const auto hasRest = [&] {
            laptop.follower.sendFigures(laptop.log);
            const PipelineUpdate update = laptop.pipeline.drain();
            came += update.figures.size() / 20;
            newest = update.figures.empty() ? newest : update.figures.back().frame;
            return newest + 1 == kUpdates;
        };
        QTRY_VERIFY_WITH_TIMEOUT(hasRest(), 60'000); // A window of credit each time.
        QVERIFY(laptop.isGood());
        QCOMPARE(came + leftOut, std::uint64_t{kUpdates});
    }

    void anotherConnectionIsAskedAgain()
    {
        RemotePipeline pipeline(kPipeline);
        QVERIFY(pipeline.take(UnsentSpans{kPipeline, 3, 5, 100, 200}));
        QCOMPARE(pipeline.wantMissing(kAll, 1).size(), std::size_t{1});
        QVERIFY(pipeline.wantMissing(kAll, 1).empty());
        QCOMPARE(pipeline.wantMissing(kAll, 2).size(), std::size_t{1});
        // After a cut the updates may come whole.
        for (std::uint64_t position = 1; position <= 5; ++position) {
            UpdatePart part{kPipeline, position, {}};
            QVERIFY(pipeline.take(MessageKind::Past, part));
        }
        QVERIFY(pipeline.missingTimes().empty());
        QVERIFY(pipeline.take(LateSpans{kPipeline, 3, false, {}})); // It was on its way.
    }

    /// The board keeps the newest 32 MiB.
    void whatIsForgottenStaysMissing()
    {
        StarvedLaptop laptop;
        laptop.sendUpdates(1);
        laptop.open();
        QVERIFY(!laptop.follower.answer(laptop.log, {kPipeline, 0, 0}));
        QVERIFY(!laptop.follower.answer(laptop.log, {kPipeline, 5, 4}));
        QVERIFY(!laptop.follower.answer(laptop.log, {kPipeline, 1, 1 + UnsentSpans::kMostUpdates}));
        QVERIFY(laptop.pipeline.take(UnsentSpans{kPipeline, 700, 702, 100, 200})); // Of another log.
        QCOMPARE(laptop.pipeline.wantMissing(kAll, 1).size(), std::size_t{1});
        QVERIFY(laptop.follower.answer(laptop.log, {kPipeline, 700, 702}));
        QTRY_VERIFY(laptop.pipeline.wantMissing(kAll, 2).empty());
        QCOMPARE(laptop.pipeline.updatesWithoutSpans(), std::uint64_t{3});
        QCOMPARE(laptop.pipeline.missingTimes().size(), std::size_t{1});
        QVERIFY(laptop.isGood());
    }

    void whatABoardMayNotSayIsRefused()
    {
        constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
        RemotePipeline pipeline(kPipeline);
        for (const UnsentSpans &wrong : {UnsentSpans{kPipeline, 0, 0, 0, 1}, UnsentSpans{kPipeline, 2, 1, 0, 1},
                                         UnsentSpans{kPipeline, 1, 50, 0, 1}, UnsentSpans{kPipeline, 1, 1, 0, kMost},
                                         UnsentSpans{kPipeline, 1, 1, 2, 1}})
            QVERIFY(!pipeline.take(wrong));
        QVERIFY(
            !pipeline.take(LateSpans{kPipeline, 1, false, {{0, 500, 0, 0, 1, 0, 0}}})); // Of a name that nobody said.
        for (std::uint64_t i = 1; i < 100'000; ++i)
            QVERIFY(pipeline.take(UnsentSpans{kPipeline, i, i, static_cast<std::int64_t>(i) * 10,
                                              static_cast<std::int64_t>(i) * 10 + 1}));
        QVERIFY(pipeline.updatesWithoutSpans() < 20'000);
    }
};

JETSCOPE_TEST(TestMissedSpans)
#include "tst_missedspans.moc"
