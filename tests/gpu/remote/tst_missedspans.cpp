// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/time/clock.h"
#include "gpu/remote/follower.h"
#include "gpu/remote/remotepipeline.h"
#include "tests/support/socketends.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <atomic>
#include <cmath>
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
        if (message.kind == MessageKind::LateCoarse) {
            coarseBytes += message.content.size();
            return pipeline.take(contentOf<LateCoarse>(message).value());
        }
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
    std::atomic<std::size_t> coarseBytes = 0;

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
        QVERIFY(laptop.pipeline.wantMissing({0, times.front().startNs - 1}, 0, 1).spans.empty());
        QVERIFY(laptop.pipeline.wantMissing(kAll, 0, 0).spans.empty());
        std::uint64_t lastAsked = std::numeric_limits<std::uint64_t>::max();
        std::uint64_t before = laptop.pipeline.updatesWithoutSpans();
        const auto isFilled = [&] {
            for (const AskSpans &ask : laptop.pipeline.wantMissing(kAll, 0, 1).spans) {
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
        QCOMPARE(pipeline.wantMissing(kAll, 0, 1).spans.size(), std::size_t{1});
        QVERIFY(pipeline.wantMissing(kAll, 0, 1).spans.empty());
        QCOMPARE(pipeline.wantMissing(kAll, 0, 2).spans.size(), std::size_t{1});
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
        QCOMPARE(laptop.pipeline.wantMissing(kAll, 0, 1).spans.size(), std::size_t{1});
        QVERIFY(laptop.follower.answer(laptop.log, {kPipeline, 700, 702}));
        QTRY_VERIFY(laptop.pipeline.wantMissing(kAll, 0, 2).spans.empty());
        QCOMPARE(laptop.pipeline.updatesWithoutSpans(), std::uint64_t{3});
        QCOMPARE(laptop.pipeline.missingTimes().size(), std::size_t{1});
        QVERIFY(laptop.isGood());
    }

    /// Where many spans share a pixel their columns come, and when one zooms in the spans.
    void whatIsDenseComesAsColumns()
    {
        StarvedLaptop laptop;
        laptop.sendUpdates(100);
        laptop.open();
        Trace trace;
        const auto isSaid = [&] {
            laptop.follower.sendUnsent();
            laptop.takeInto(trace);
            return trace.spanCount() + laptop.pipeline.updatesWithoutSpans() * kSpansOfUpdate == laptop.told();
        };
        QTRY_VERIFY(isSaid());
        const std::uint64_t missing = laptop.pipeline.updatesWithoutSpans();
        QVERIFY(missing > 60);
        constexpr double kWide = 50'000; // 50 spans a pixel.
        std::vector<CoarseSpans> came;
        const auto fetch = [&](double nsPerPixel) {
            const WantedSpans wanted = laptop.pipeline.wantMissing(kAll, nsPerPixel, 1);
            if (!wanted.spans.empty())
                return false;
            if (wanted.coarse && !laptop.follower.answer(laptop.log, *wanted.coarse))
                return false;
            for (CoarseSpans &coarse : laptop.pipeline.takeCoarse())
                came.push_back(std::move(coarse));
            double ns = 0;
            for (const CoarseSpans &coarse : came)
                ns += coarse.window.nsPerColumn * coarse.window.count;
            return ns >= static_cast<double>(missing) * kSpansOfUpdate * 1000;
        };
        QTRY_VERIFY(fetch(kWide));
        QVERIFY(laptop.isGood());
        double busy = 0;
        for (const CoarseSpans &coarse : came) {
            QCOMPARE(coarse.window.nsPerColumn, 32768.0); // The next power of two below.
            for (const TraceColumn &column : coarse.tracks.at({0, 0}).columns) {
                QVERIFY(column.longest == 1 || column.busyNs == 0);
                busy += static_cast<double>(column.busyNs);
            }
        }
        const double expected = static_cast<double>(missing) * kSpansOfUpdate * 500;
        QVERIFY2(std::abs(busy - expected) < expected * 0.05, qPrintable(QString::number(busy / expected)));
        const std::size_t asSpans = missing * kSpansOfUpdate * sizeof(Span);
        qInfo("%zu bytes of columns in place of about %zu of spans", laptop.coarseBytes.load(), asSpans);
        QVERIFY(laptop.coarseBytes * 10 < asSpans);
        // Nothing more is asked for at that scale, or a little closer, and all is still missing.
        QVERIFY(!laptop.pipeline.wantMissing(kAll, kWide, 1).coarse);
        QVERIFY(!laptop.pipeline.wantMissing(kAll, 40'000, 1).coarse);
        QCOMPARE(laptop.pipeline.updatesWithoutSpans(), missing);
        // Unless they were dropped here, or one looks much closer.
        QVERIFY(laptop.pipeline.wantMissing(kAll, 32'000, 1).coarse.has_value());
        laptop.pipeline.forgetCoarse();
        QVERIFY(laptop.pipeline.wantMissing(kAll, kWide, 2).coarse.has_value()); // Over another connection at once.
        QCOMPARE(laptop.pipeline.wantMissing(kAll, 500, 1).spans.size(), std::size_t{2});
    }

    void columnsThatABoardMayNotSayAreRefused()
    {
        RemotePipeline pipeline(kPipeline);
        UpdatePart head{kPipeline, 0, {}};
        head.update.names = {{"work"}};
        head.update.lanes = {{0, LaneRole::Pipeline, "Pipeline", ""}};
        QVERIFY(pipeline.take(MessageKind::Head, head));
        const auto pieceOf = [](std::uint64_t first, std::uint32_t name, LaneId lane) {
            const Span span{1000, 100, 0, 0, static_cast<NameId>(name), lane, 0};
            return LateCoarse::Piece::of(first, coarseSpans({span}, {1000, 524288, 2}));
        };
        QVERIFY(!pipeline.take(LateCoarse{kPipeline, {pieceOf(3, 0, 0)}})); // Nobody asked.
        QVERIFY(pipeline.take(UnsentSpans{kPipeline, 3, 5, 1000, 1'000'000, 10'000}));
        QVERIFY(pipeline.take(UnsentSpans{kPipeline, 6, 7, 1'000'000, 2'000'000, 10'000}));
        const std::optional<AskCoarse> ask = pipeline.wantMissing(kAll, 600'000, 1).coarse;
        QVERIFY(ask && ask->isPossible());
        QCOMPARE(ask->pieces.size(), std::size_t{2});
        QCOMPARE(ask->pieces.front().first, std::uint64_t{6}); // The newest first.
        QVERIFY(!pipeline.take(LateCoarse{kPipeline, {}}));
        QVERIFY(!pipeline.take(LateCoarse{kPipeline, {pieceOf(3, 0, 0)}}));
        QVERIFY(!pipeline.take(LateCoarse{kPipeline, {pieceOf(6, 0, 0), pieceOf(3, 0, 0), pieceOf(8, 0, 0)}}));
        LateCoarse cut{kPipeline, {pieceOf(6, 0, 0)}};
        cut.pieces.front().columns.pop_back();
        QVERIFY(!pipeline.take(cut));
        // Some of the pieces may be answered, and some be forgotten; the others are asked for again.
        LateCoarse some{kPipeline, {pieceOf(6, 0, 0)}};
        QVERIFY(pipeline.take(some));
        QCOMPARE(pipeline.takeCoarse().size(), std::size_t{1});
        const std::optional<AskCoarse> rest = pipeline.wantMissing(kAll, 600'000, 1).coarse;
        QVERIFY(rest && rest->pieces.size() == 1 && rest->pieces.front().first == 3);
        QVERIFY(pipeline.take(LateCoarse{kPipeline, {{3, true, {}, {}}}}));
        QVERIFY(!pipeline.wantMissing(kAll, 600'000, 1).coarse);
        QCOMPARE(pipeline.missingTimes().size(), std::size_t{1}); // It stays missing.
        // Names and lanes that nobody said.
        for (const auto &[name, lane] : {std::pair<std::uint32_t, LaneId>{1, 0}, {0, 1}}) {
            pipeline.forgetCoarse();
            QVERIFY(pipeline.wantMissing(kAll, 600'000, 1).coarse);
            QVERIFY(!pipeline.take(LateCoarse{kPipeline, {pieceOf(6, name, lane)}}));
        }
    }

    void whatALaptopMayNotAskIsRefused()
    {
        StarvedLaptop laptop;
        laptop.sendUpdates(1);
        laptop.open();
        const UnsentSpans good{kPipeline, 1, 1, 0, 1000, 10};
        const double nan = std::numeric_limits<double>::quiet_NaN();
        for (const double ns : {0.0, -1.0, nan, 1e300})
            QVERIFY(!laptop.follower.answer(laptop.log, AskCoarse{kPipeline, ns, {good}}));
        QVERIFY(!laptop.follower.answer(laptop.log, AskCoarse{kPipeline, 100, {}}));
        QVERIFY(!laptop.follower.answer(laptop.log, AskCoarse{kPipeline, 100, std::vector<UnsentSpans>(65, good)}));
        QVERIFY(!laptop.follower.answer(laptop.log, AskCoarse{kPipeline, 1, {{kPipeline, 1, 1, 0, 1 << 30, 10}}}));
        QVERIFY(!laptop.follower.answer(laptop.log, AskCoarse{kPipeline, 100, {{kPipeline, 1, 50, 0, 1000, 10}}}));
        QVERIFY(!laptop.follower.answer(laptop.log, AskCoarse{kPipeline, 100, {{kPipeline, 1, 1, 1000, 0, 10}}}));
        QVERIFY(laptop.follower.answer(laptop.log, AskCoarse{kPipeline, 100, {good}}));
        QVERIFY(laptop.follower.answer(laptop.log, AskCoarse{kPipeline, 100, {{kPipeline, 900, 901, 0, 1000, 10}}}));
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
