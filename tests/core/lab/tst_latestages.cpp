// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Which work of the pipeline is named when frames are lost because of it.
#include "core/lab/latestages.h"
#include "tests/support/testprogram.h"

using namespace jetscope;

namespace {

constexpr std::int64_t kStageMs = 1'000'000;

PathPiece stagePiece(std::uint32_t frame, std::int64_t fromMs, std::int64_t untilMs, PathCause cause,
                     std::uint32_t name)
{
    PathPiece made;
    made.startNs = fromMs * kStageMs;
    made.endNs = untilMs * kStageMs;
    made.frame = made.workFrame = frame;
    made.cause = cause;
    made.name = name;
    return made;
}

SpanName stageName(std::uint32_t name)
{
    SpanName span;
    span.text = name == 1 ? "blur" : "draw";
    return span;
}

const LaneInfo *noLane(LaneId)
{
    return nullptr;
}

} // namespace

class TestLateStages : public QObject {
    Q_OBJECT

private slots:
    void theLongestPieceOfTheFrameIsNamed();
    void onlyLossesOfThePipelineAreExplained();
    void whatIsNotKnownIsNotSaid();
};

void TestLateStages::theLongestPieceOfTheFrameIsNamed()
{
    LateStages stages;
    const std::vector<PathPiece> path{
        stagePiece(7, 100, 110, PathCause::Draw, 2), stagePiece(8, 110, 145, PathCause::Kernel, 1),
        stagePiece(8, 145, 151, PathCause::Draw, 2), stagePiece(9, 151, 160, PathCause::Draw, 2)};
    stages.add(path);
    for (const std::int64_t ms : {110, 120, 150}) {
        const std::string words = stages.wordsFor(ms * kStageMs, stageName, noLane);
        QVERIFY2(words.find("frame 8 ") == 0 && words.find("41.0 ms") != std::string::npos, words.c_str());
        QVERIFY2(words.find("35.0 ms kernel blur") != std::string::npos, words.c_str());
    }
    QVERIFY(stages.wordsFor(155 * kStageMs, stageName, noLane).find("frame 9 ") == 0);
}

void TestLateStages::onlyLossesOfThePipelineAreExplained()
{
    LateStages stages;
    const std::vector<PathPiece> path{stagePiece(1, 0, 50, PathCause::Kernel, 1)};
    stages.add(path);
    std::vector<LostFrames> lost{{1, 1, LossCause::Overtaken, 20 * kStageMs, "a"},
                                 {2, 1, LossCause::Damaged, 20 * kStageMs, "b"},
                                 {3, 1, LossCause::NoBuffer, 20 * kStageMs, "c"}};
    stages.explain(lost, stageName, noLane);
    QVERIFY(lost[0].evidence.find("blur") != std::string::npos);
    QVERIFY(lost[1].evidence == "b");
    QVERIFY(lost[2].evidence.find("blur") != std::string::npos);
}

void TestLateStages::whatIsNotKnownIsNotSaid()
{
    LateStages stages;
    QVERIFY(!stages.knows(0));
    QVERIFY(stages.wordsFor(0, stageName, noLane).empty());
    const std::vector<PathPiece> path{stagePiece(1, 10, 20, PathCause::Kernel, 1)};
    stages.add(path);
    QVERIFY(stages.knows(19 * kStageMs) && !stages.knows(20 * kStageMs));
    QVERIFY(stages.wordsFor(5 * kStageMs, stageName, noLane).empty());
    QVERIFY(stages.wordsFor(25 * kStageMs, stageName, noLane).empty());
    // Only the newest are kept.
    for (std::uint32_t frame = 2; frame < 6000; ++frame)
        stages.add(std::vector{stagePiece(frame, 10 * frame, 10 * frame + 10, PathCause::Kernel, 1)});
    QVERIFY(stages.wordsFor(15 * kStageMs, stageName, noLane).empty());
    QVERIFY(!stages.wordsFor(59'985 * kStageMs, stageName, noLane).empty());
}

JETSCOPE_TEST(TestLateStages)
#include "tst_latestages.moc"
