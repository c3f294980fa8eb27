// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/remotepipeline.h"
#include "gpu/remote/updatelog.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <random>

using namespace jetscope;

namespace {

/// Update `position` of a pipeline: a span, a frame and a notice, each with its number. The first one has the head, and
/// the tenth another name and lane.
PipelineUpdate updateAt(std::uint32_t position)
{
    PipelineUpdate update;
    if (position == 1) {
        update.names = {{"a"}, {"b"}};
        update.lanes = {{0, LaneRole::Pipeline, "Pipeline", ""}};
        update.counters = {{3, "load", "%", std::nullopt}};
    }
    if (position == 10) {
        update.firstName = 2;
        update.names = {{"c"}};
        update.lanes = {{1, LaneRole::View, "View", ""}};
    }
    const bool isLater = position >= 10;
    update.spans = {{position, 1, position, 0, static_cast<NameId>(isLater ? 2 : 1), static_cast<LaneId>(isLater), 0}};
    update.figures.resize(1);
    update.figures[0].frame = position;
    update.notices.resize(1);
    update.notices[0].frame = position;
    return update;
}

/// Gives a message of a server to the pipeline of a laptop.
bool give(RemotePipeline &pipeline, const Message &message)
{
    auto part = contentOf<UpdatePart>(message);
    return part && pipeline.take(message.kind, std::move(*part));
}

struct Came {
    std::vector<std::uint32_t> spans;
    std::vector<std::uint32_t> figures;
    std::vector<std::uint32_t> notices;
    std::size_t names = 0;
    std::size_t lanes = 0;
    std::size_t counters = 0;

    void take(const PipelineUpdate &update)
    {
        for (const Span &span : update.spans)
            spans.push_back(span.frame);
        for (const FrameFigures &frame : update.figures)
            figures.push_back(frame.frame);
        for (const PipelineNotice &notice : update.notices)
            notices.push_back(notice.frame);
        names += update.names.size();
        lanes += update.lanes.size();
        counters += update.counters.size();
    }
};

} // namespace

/// What a laptop makes of what comes, and what a board keeps for it.
class TestRemotePipeline : public QObject {
    Q_OBJECT

private slots:
    /// The connection is cut after any message, and the next one begins where the laptop was.
    void eachValueComesOnceWhereverItIsCut()
    {
        constexpr std::uint32_t kUpdates = 60;
        std::vector<std::uint32_t> all;
        for (std::uint32_t i = 1; i <= kUpdates; ++i)
            all.push_back(i);
        for (unsigned seed = 0; seed < 200; ++seed) {
            std::mt19937 random(seed);
            UpdateLog log(1);
            RemotePipeline pipeline(1);
            Came came;
            std::uint64_t past = 0; // What is sent next of the past; 0: it follows.
            for (std::uint32_t position = 1; position <= kUpdates; ++position) {
                const PipelineUpdate update = updateAt(position);
                log.add(update);
                bool isCut = false;
                if (past == 0) {
                    for (const Message &part : partsOf(1, position, update)) {
                        isCut = isCut || random() % 10 == 0;
                        if (!isCut)
                            QVERIFY(give(pipeline, part));
                    }
                }
                for (; past > 0 && past <= log.newest() && !isCut; ++past) {
                    isCut = random() % 10 == 0;
                    if (!isCut)
                        QVERIFY(give(pipeline, {MessageKind::Past, log.at(past)}));
                }
                if (past > log.newest())
                    past = 0;
                if (random() % 3 == 0)
                    came.take(pipeline.drain());
                if (isCut || position == kUpdates) {
                    QVERIFY(give(pipeline, log.head()));
                    past = pipeline.positions().least() + 1;
                }
            }
            for (; past > 0 && past <= log.newest(); ++past)
                QVERIFY(give(pipeline, {MessageKind::Past, log.at(past)}));
            came.take(pipeline.drain());
            QCOMPARE(came.spans, all);
            QCOMPARE(came.figures, all);
            QCOMPARE(came.notices, all);
            QVERIFY(came.names == 3 && came.lanes == 2 && came.counters == 1);
            QCOMPARE(pipeline.missedUpdates(), std::uint64_t{0});
        }
    }

    void whatTheBoardHasForgottenIsCounted()
    {
        UpdateLog log(1);
        RemotePipeline pipeline(1);
        for (std::uint32_t i = 1; i <= 30; ++i)
            log.add(updateAt(i));
        for (const Message &part : partsOf(1, 1, updateAt(1)))
            QVERIFY(give(pipeline, part));
        QVERIFY(give(pipeline, log.head()));
        QVERIFY(give(pipeline, {MessageKind::Past, log.at(21)}));
        QCOMPARE(pipeline.missedUpdates(), std::uint64_t{19});
        Came came;
        came.take(pipeline.drain());
        QCOMPARE(came.spans, (std::vector<std::uint32_t>{1, 21}));
        QVERIFY(came.names == 3 && came.lanes == 2);
    }

    /// Spans without credit, and updates without figures: the next Past follows the newest head.
    void whatWasNotSentIsNotForgotten()
    {
        UpdateLog log(1);
        RemotePipeline pipeline(1);
        for (std::uint32_t i = 1; i <= 9; ++i) {
            PipelineUpdate update = updateAt(i);
            if (i == 5)
                update.figures.clear();
            log.add(update);
            for (const Message &part : partsOf(1, i, update))
                QVERIFY(i > 5 || (i > 2 && part.kind == MessageKind::SpanUpdate) || give(pipeline, part));
        }
        QVERIFY(pipeline.take(UnsentSpans{1, 3, 5, 3, 6}));
        QVERIFY(give(pipeline, {MessageKind::Past, log.at(6)}));
        QCOMPARE(pipeline.missedUpdates(), std::uint64_t{0});
        QCOMPARE(pipeline.updatesWithoutSpans(), std::uint64_t{3});
        QVERIFY(give(pipeline, {MessageKind::Past, log.at(9)}));
        QCOMPARE(pipeline.missedUpdates(), std::uint64_t{2});
    }

    void theBoardKeepsABoundedPast()
    {
        UpdateLog log(1);
        PipelineUpdate large = updateAt(1);
        large.spans.resize(100'000, large.spans[0]);
        log.add(large);
        const std::size_t bytes = log.at(1).size();
        for (int i = 0; i < 40; ++i)
            log.add(large);
        QCOMPARE(log.newest(), std::uint64_t{41});
        QVERIFY(log.oldest() > 1);
        QVERIFY((log.newest() - log.oldest() + 1) * bytes <= UpdateLog::kMostBytes);
        QVERIFY((log.newest() - log.oldest() + 2) * bytes > UpdateLog::kMostBytes);
    }

    void anOwnerThatTakesNothingIsBounded()
    {
        RemotePipeline pipeline(1);
        PipelineUpdate update = updateAt(1);
        update.spans.resize(100'000, update.spans[0]);
        std::uint64_t position = 0;
        for (int i = 0; i < 10; ++i) {
            for (const Message &part : partsOf(1, ++position, update))
                QVERIFY(give(pipeline, part));
            update.names.clear();
            update.lanes.clear();
            update.counters.clear();
        }
        const PipelineUpdate kept = pipeline.drain();
        QVERIFY(kept.spans.size() < 200'000);
        QCOMPARE(kept.spans.size() + kept.spansLost, std::size_t{1'000'000});
    }
};

JETSCOPE_TEST(TestRemotePipeline)
#include "tst_remotepipeline.moc"
