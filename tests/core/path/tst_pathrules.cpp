// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/path/pathfollower.h"
#include "tests/core/pathtraces.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace jetscope;
using namespace jetscope::test;

namespace {

constexpr std::int64_t kUs = 1000;

Span us(LaneId lane, const char *name, Category category, std::int64_t start, std::int64_t end, std::uint32_t frame,
        std::uint8_t depth = 0)
{
    return namedSpan(lane, name, category, start * kUs, end * kUs, frame, depth);
}

/// Times of `text` in microseconds, for readability.
QString inUs(std::string text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool digits = text.compare(i, 3, "000") == 0 && i > 0 && std::isdigit(text[i - 1])
            && (i + 3 == text.size() || !std::isdigit(text[i + 3]));
        if (digits)
            i += 2;
        else
            out += text[i];
    }
    return QString::fromStdString(out);
}

FrameFigures usFrame(std::uint32_t frame, std::int64_t start, std::int64_t end, std::int64_t complete)
{
    return frameOf(frame, start * kUs, (end - start) * kUs, (complete - start) * kUs);
}

/// A pipeline that synchronizes by waiting on the CPU, one frame in flight.
std::vector<Span> serialFrames(std::uint32_t count, std::int64_t periodUs)
{
    std::vector<Span> spans;
    for (std::uint32_t f = 0; f < count; ++f) {
        const std::int64_t at = f * periodUs;
        spans.push_back(us(kPipeline, "submit", Category::Submit, at, at + 100, f));
        spans.push_back(us(kStream0, "copy to device", Category::Copy, at + 40, at + 200, f));
        spans.push_back(us(kStream0, "gaussian15", Category::Kernel, at + 200, at + 900, f));
        spans.push_back(us(kPipeline, "cudaStreamSynchronize", Category::WaitSync, at + 100, at + 910, f));
        spans.push_back(us(kGlQueue, "draw", Category::Draw, at + 940, at + 990, f));
    }
    return spans;
}

std::vector<FrameFigures> serialFigures(std::uint32_t count, std::int64_t periodUs)
{
    std::vector<FrameFigures> figures;
    for (std::uint32_t f = 0; f < count; ++f)
        figures.push_back(usFrame(f, f * periodUs, (f + 1) * periodUs, f * periodUs + 990));
    return figures;
}

PathSummary summaryOf(const Trace &trace)
{
    TracePaths paths(trace);
    std::vector<PathPiece> pieces;
    std::vector<PathGain> gains;
    paths.follow(trace.frames().firstIndex(), trace.frames().endIndex(), pieces, &gains);
    PathSums sums;
    sums.add(pieces);
    for (const PathGain &gain : gains)
        sums.add(gain);
    return paths.summary(sums);
}

} // namespace

class TestPathRules : public QObject {
    Q_OBJECT
private slots:
    void segmentsAreTheInnermostSpans();
    void aSerialFrameIsFollowedThroughEveryLane();
    void aLaunchIntoABusyStreamCostsNothing();
    void aLaunchIntoAnIdleStreamCostsItsDelay();
    void theOtherContextHasTheGpu();
    void anEmulatedGpuIsNotShared();
    void aSlotWaitBelongsToWhoeverGaveItBackLast();
    void aCameraIsWaitedFor();
    void theCpuStageComesBehindItsResult();
    void theViewsFenceHoldsTheTexture();
    void aCallThatWaitsForNothingIsItsOwnCost();
    void aLongWaitForWhatWasOverLostItsProcessor();
    void aWaitWithoutACauseIsUnknown();
    void whatIsOnlyBoundedSaysSo();
    void whoLooksLateIsNotTheDraw();
    void recordedEdgesCountForMoreThanRules();
    void aPauseBelongsToNoFrame();
    void anUnknownCompletionIsReachedOver();
    void randomTracesAreDivided();
    void hostileTracesAreDivided();
    void aFrameOfManySpansIsFollowed();
    void theFollowerFindsWhatTheTraceHolds();
    void theFollowerGoesToTheThreadThatLaunched();
    void sumsAreExactAndLargestFirst();
    void boundsHideNothing();
    void removingBringsWhatIsNotHidden();
};

void TestPathRules::segmentsAreTheInnermostSpans()
{
    std::mt19937 random(5);
    for (int round = 0; round < 200; ++round) {
        std::vector<PathSpan> spans(random() % 40);
        for (PathSpan &span : spans) {
            span.startNs = static_cast<std::int64_t>(random() % 100);
            span.endNs = span.startNs + static_cast<std::int64_t>(random() % 30) - 3;
            span.depth = static_cast<std::uint8_t>(random() % 3);
        }
        std::array<int, 200> inside{};
        inside.fill(-1);
        for (std::size_t ns = 0; ns < inside.size(); ++ns)
            for (std::size_t i = 0; i < spans.size(); ++i) {
                const auto t = static_cast<std::int64_t>(ns);
                if (spans[i].startNs > t || spans[i].endNs <= t)
                    continue;
                const auto best = static_cast<std::size_t>(std::max(inside[ns], 0));
                if (inside[ns] < 0
                    || std::tuple(spans[i].depth, spans[i].startNs, i)
                        > std::tuple(spans[best].depth, spans[best].startNs, best))
                    inside[ns] = static_cast<int>(i);
            }
        std::int64_t last = -1;
        std::array<int, 200> found{};
        found.fill(-1);
        for (const LaneSegment &segment : laneSegments(spans)) {
            QVERIFY(segment.startNs >= last && segment.endNs > segment.startNs);
            last = segment.endNs;
            for (std::int64_t ns = segment.startNs; ns < segment.endNs; ++ns)
                found[static_cast<std::size_t>(ns)] = static_cast<int>(segment.span);
        }
        QVERIFY(found == inside);
    }
}

void TestPathRules::aSerialFrameIsFollowedThroughEveryLane()
{
    const Trace trace = pathTrace(serialFrames(3, 1000), serialFigures(3, 1000));
    QCOMPARE(
        inUs(pathOf(trace, 1)),
        QString(
            "unknown 990..1000, CPU call submit 1000..1040, copy to device 1040..1200, kernel gaussian15 1200..1900, "
            "thread not scheduled 1900..1910, launch delay 1910..1940, GL draw 1940..1990"));
}

void TestPathRules::aLaunchIntoABusyStreamCostsNothing()
{
    // Two frames in flight: the call for frame 1 lasts until its kernel begins, but the previous kernel delayed it.
    const Trace trace = pathTrace(
        {us(kPipeline, "submit", Category::Submit, 0, 100, 0), us(kStream0, "a", Category::Kernel, 50, 600, 0),
         us(kPipeline, "submit", Category::Submit, 500, 700, 1), us(kStream0, "b", Category::Kernel, 602, 1200, 1)},
        {usFrame(0, 0, 500, 600), usFrame(1, 500, 1200, 1200)});
    QCOMPARE(inUs(pathOf(trace, 1)), QString("launch delay 600..602, kernel b 602..1200"));
    QCOMPARE(inUs(pathOf(trace, 0)), QString("CPU call submit 0..50, kernel a 50..600"));
}

void TestPathRules::aLaunchIntoAnIdleStreamCostsItsDelay()
{
    const Trace trace = pathTrace({us(kStream0, "a", Category::Kernel, 0, 90, 0),
                                   us(kPipeline, "submit", Category::Submit, 200, 300, 1),
                                   us(kStream0, "b", Category::Kernel, 450, 900, 1)},
                                  {usFrame(0, 0, 200, 90), usFrame(1, 200, 900, 900)});
    QCOMPARE(inUs(pathOf(trace, 1)),
             QString("unknown 90..200, CPU call submit 200..300, launch delay 300..450, kernel b 450..900"));
}

void TestPathRules::theOtherContextHasTheGpu()
{
    const Trace trace = pathTrace(
        {us(kStream0, "a", Category::Kernel, 0, 90, 0), us(kPipeline, "submit", Category::Submit, 90, 300, 1),
         us(kGlQueue, "draw", Category::Draw, 290, 1440, kNoFrame), us(kStream0, "b", Category::Kernel, 1450, 1900, 1)},
        {usFrame(0, 0, 90, 90), usFrame(1, 90, 1900, 1900)});
    // The kernel did not depend on the draw, but the draw used the GPU.
    const QString path = inUs(pathOf(trace, 1));
    QVERIFY2(path.contains("another context has the GPU") || path.contains("GL draw"), qPrintable(path));
    Trace apart = pathTrace({us(kPipeline, "submit", Category::Submit, 90, 300, 1),
                             us(kGlQueue, "draw", Category::Draw, 290, 1200, kNoFrame),
                             us(kStream0, "b", Category::Kernel, 1450, 1900, 1)},
                            {usFrame(1, 90, 1900, 1900)});
    QCOMPARE(inUs(pathOf(apart, 0)),
             QString("CPU call submit 90..300, another context has the GPU 300..1450, kernel b 1450..1900"));
}

void TestPathRules::anEmulatedGpuIsNotShared()
{
    Trace trace;
    std::vector<LaneInfo> lanes = pathLanes();
    lanes[kStream0].emulated = lanes[kGlQueue].emulated = true;
    trace.setLanes(lanes);
    trace.add(std::vector<Span>{us(kPipeline, "submit", Category::Submit, 90, 300, 1),
                                us(kGlQueue, "draw", Category::Draw, 290, 1200, kNoFrame),
                                us(kStream0, "b", Category::Kernel, 1450, 1900, 1)});
    trace.add(std::vector<FrameFigures>{usFrame(1, 90, 1900, 1900)});
    QCOMPARE(inUs(pathOf(trace, 0)), QString("CPU call submit 90..300, launch delay 300..1450, kernel b 1450..1900"));
}

void TestPathRules::aSlotWaitBelongsToWhoeverGaveItBackLast()
{
    const Trace trace = pathTrace(
        {us(kStream0, "a", Category::Kernel, 0, 500, 0), us(kCpuStage, "Canny", Category::CpuStage, 500, 900, 0),
         us(kPipeline, "wait for slot", Category::WaitSlot, 100, 905, 1),
         us(kPipeline, "submit", Category::Submit, 905, 950, 1), us(kStream0, "b", Category::Kernel, 950, 1200, 1)},
        {usFrame(0, 0, 100, 500), usFrame(1, 100, 1200, 1200)});
    QCOMPARE(
        inUs(pathOf(trace, 1)),
        QString(
            "CPU stage Canny 500..900, thread not scheduled 900..905, CPU call submit 905..950, kernel b 950..1200"));
}

void TestPathRules::aCameraIsWaitedFor()
{
    const Trace trace = pathTrace({us(kCapture, "draw test card", Category::Capture, 0, 100, kNoFrame),
                                   us(kCapture, "wait for the next frame", Category::WaitInput, 100, 5000, kNoFrame),
                                   us(kPipeline, "wait for frame", Category::WaitInput, 50, 5030, kNoFrame),
                                   us(kPipeline, "submit", Category::Submit, 5030, 5100, 1),
                                   us(kStream0, "b", Category::Kernel, 5100, 5400, 1)},
                                  {usFrame(0, 0, 50, 20), usFrame(1, 50, 5400, 5400)});
    QCOMPARE(
        inUs(pathOf(trace, 1)),
        QString("capture: draw test card 20..100, waits for the source 100..5000, thread not scheduled 5000..5030, "
                "CPU call submit 5030..5100, kernel b 5100..5400"));
}

void TestPathRules::theCpuStageComesBehindItsResult()
{
    const Trace trace = pathTrace(
        {us(kPipeline, "submit", Category::Submit, 0, 20, 1), us(kStream0, "a", Category::Kernel, 20, 300, 1),
         us(kPipeline, "cudaEventSynchronize", Category::WaitSync, 20, 310, 1),
         us(kCpuStage, "Canny", Category::CpuStage, 350, 900, 1),
         us(kPipeline, "wait for CPU stage", Category::WaitSlot, 320, 920, 1),
         us(kPipeline, "submit", Category::Submit, 920, 940, 2), us(kStream0, "a", Category::Kernel, 940, 1000, 2)},
        {usFrame(1, 0, 920, 300), usFrame(2, 920, 1000, 1000)});
    QCOMPARE(inUs(pathOf(trace, 1)),
             QString("thread not scheduled 300..310, thread not scheduled 310..350, CPU stage Canny 350..900, thread "
                     "not scheduled 900..920, CPU call submit 920..940, "
                     "kernel a 940..1000"));
}

void TestPathRules::theViewsFenceHoldsTheTexture()
{
    const Trace trace = pathTrace({us(kView, "read back", Category::Present, 100, 4000, 0),
                                   us(kPipeline, "wait for slot", Category::WaitSlot, 200, 4100, 1),
                                   us(kPipeline, "submit", Category::Submit, 4100, 4150, 1),
                                   us(kStream0, "a", Category::Kernel, 4150, 4300, 1)},
                                  {usFrame(0, 0, 200, 150), usFrame(1, 200, 4300, 4300)});
    QCOMPARE(inUs(pathOf(trace, 1)),
             QString("view: read back 150..4000, thread not scheduled 4000..4100, CPU call submit 4100..4150, kernel a "
                     "4150..4300"));
}

void TestPathRules::aCallThatWaitsForNothingIsItsOwnCost()
{
    const Trace trace =
        pathTrace({us(kPipeline, "submit", Category::Submit, 0, 20, 1), us(kStream0, "a", Category::Kernel, 20, 100, 1),
                   us(kPipeline, "cudaEventSynchronize", Category::WaitSync, 200, 230, 1),
                   us(kPipeline, "submit draw", Category::Submit, 230, 260, 1),
                   us(kGlQueue, "draw", Category::Draw, 260, 300, 1)},
                  {usFrame(1, 0, 300, 300)});
    const QString path = inUs(pathOf(trace, 0));
    QVERIFY2(path.contains("time inside cudaEventSynchronize, no work seen that it waits for 200..230"),
             qPrintable(path));
}

void TestPathRules::aLongWaitForWhatWasOverLostItsProcessor()
{
    const Trace trace =
        pathTrace({us(kPipeline, "submit", Category::Submit, 0, 20, 1), us(kStream0, "a", Category::Kernel, 20, 100, 1),
                   us(kPipeline, "cudaStreamSynchronize", Category::WaitSync, 200, 1230, 1),
                   us(kPipeline, "submit draw", Category::Submit, 1230, 1260, 1),
                   us(kGlQueue, "draw", Category::Draw, 1260, 1300, 1)},
                  {usFrame(1, 0, 1300, 1300)});
    const QString path = inUs(pathOf(trace, 0));
    QVERIFY2(path.contains("thread not scheduled 200..1230"), qPrintable(path));
}

void TestPathRules::aWaitWithoutACauseIsUnknown()
{
    const Trace trace = pathTrace({us(kPipeline, "submit", Category::Submit, 0, 20, 1),
                                   us(kPipeline, "cudaEventSynchronize", Category::WaitSync, 20, 900, 1),
                                   us(kPipeline, "submit draw", Category::Submit, 900, 1000, 1)},
                                  {usFrame(1, 0, 1000, 1000)});
    QCOMPARE(inUs(pathOf(trace, 0)), QString("CPU call submit 0..20, unknown 20..900, CPU call submit draw 900..1000"));
    std::vector<PathPiece> pieces;
    TracePaths(trace).follow(0, 1, pieces);
    QCOMPARE(trace.names().text(pieces[1].name),
             std::string("cudaEventSynchronize")); // An unexplained wait.
}

void TestPathRules::whatIsOnlyBoundedSaysSo()
{
    Span copy = us(kStream0, "", Category::Copy, 20, 500, 1);
    copy.name = internName("copy to device", Category::Copy, Certainty::Bounded);
    const Trace trace =
        pathTrace({us(kPipeline, "submit", Category::Submit, 0, 20, 1), copy}, {usFrame(1, 0, 500, 500)});
    QCOMPARE(inUs(pathOf(trace, 0)), QString("CPU call submit 0..20, copy to device (within) 20..500"));
}

/// The draw has no end timestamp and had ended long before the thread, which waited for the CPU stage, polled for it.
void TestPathRules::whoLooksLateIsNotTheDraw()
{
    Span draw = us(kGlQueue, "", Category::Draw, 30, 30'100, 1);
    draw.name = internName("draw", Category::Draw, Certainty::Bounded);
    const Trace trace = pathTrace({us(kPipeline, "submit", Category::Submit, 0, 40, 1), draw,
                                   us(kCpuStage, "slow", Category::CpuStage, 45, 30'050, 1),
                                   us(kPipeline, "wait for CPU stage", Category::WaitSlot, 40, 30'060, 1)},
                                  {usFrame(1, 0, 30'100, 30'100)});
    const QString path = inUs(pathOf(trace, 0));
    QVERIFY2(path.contains(QStringLiteral("CPU stage slow 45..30050")), qPrintable(path));
    QVERIFY2(!path.contains(QStringLiteral("draw")), qPrintable(path));
}

void TestPathRules::recordedEdgesCountForMoreThanRules()
{
    Trace trace = pathTrace({us(kPipeline, "cudaLaunchKernel", Category::Submit, 0, 20, kNoFrame),
                             us(kPipeline, "something else", Category::CpuStage, 30, 400, kNoFrame),
                             us(kStream0, "k", Category::Kernel, 450, 900, kNoFrame),
                             us(kPipeline, "cudaStreamSynchronize", Category::WaitSync, 400, 910, kNoFrame),
                             us(kPipeline, "after", Category::CpuStage, 910, 1000, 1)},
                            {usFrame(1, 0, 1000, 1000)});
    const std::vector<SpanEdge> edges = {{0, 450 * kUs, kPipeline, kStream0},
                                         {450 * kUs, 400 * kUs, kStream0, kPipeline},
                                         {450 * kUs, 450 * kUs, kStream0, kStream0}, // A cycle of one span.
                                         {777, 450 * kUs, kCapture, kStream0}};      // The source does not exist.
    trace.add(edges);
    QCOMPARE(
        inUs(pathOf(trace, 0)),
        QString(
            "CPU call cudaLaunchKernel 0..20, launch delay 20..450, kernel k 450..900, thread not scheduled 900..910, "
            "CPU stage after 910..1000"));
}

void TestPathRules::aPauseBelongsToNoFrame()
{
    const Trace trace = pathTrace({us(kStream0, "a", Category::Kernel, 0, 100, 0),
                                   us(kPipeline, "submit", Category::Submit, 5000, 5050, 1),
                                   us(kStream0, "a", Category::Kernel, 5050, 5100, 1)},
                                  {usFrame(0, 0, 100, 100), usFrame(1, 5000, 5100, 5100)});
    QCOMPARE(inUs(pathOf(trace, 1)), QString("CPU call submit 5000..5050, kernel a 5050..5100"));
}

void TestPathRules::anUnknownCompletionIsReachedOver()
{
    FrameFigures lost = usFrame(1, 100, 200, 100);
    QCOMPARE(lost.frameNs, std::int64_t(0));
    const Trace trace =
        pathTrace({us(kStream0, "a", Category::Kernel, 0, 100, 0), us(kStream0, "b", Category::Kernel, 100, 300, 2)},
                  {usFrame(0, 0, 100, 100), lost, usFrame(2, 200, 300, 300)});
    QCOMPARE(pathOf(trace, 1), std::string());
    QCOMPARE(inUs(pathOf(trace, 2)), QString("kernel b 100..300"));
}

void TestPathRules::randomTracesAreDivided()
{
    std::mt19937 random(3);
    for (int round = 0; round < 60; ++round) {
        std::vector<Span> spans = randomTrace(random);
        for (Span &span : spans)
            span.frame = random() % 8 == 0
                ? kNoFrame
                : static_cast<std::uint32_t>(span.startNs / 150 + static_cast<std::int64_t>(random() % 3));
        std::vector<FrameFigures> figures;
        for (std::uint32_t f = 0; f < 20; ++f)
            figures.push_back(frameOf(f, f * 150, 150, 1 + static_cast<std::int64_t>(random() % 400)));
        const Trace trace = pathTrace(std::move(spans), figures);
        TracePaths paths(trace);
        for (std::uint64_t i = 0; i < 20; ++i) {
            std::vector<PathPiece> pieces;
            paths.follow(i, i + 1, pieces);
            QVERIFY(divides(pieces, paths.frameAt(i)));
        }
        std::vector<PathPiece> all;
        paths.follow(0, 20, all);
        for (std::uint64_t i = 0; i < 20; ++i)
            QVERIFY(divides(all, paths.frameAt(i)));
    }
}

void TestPathRules::hostileTracesAreDivided()
{
    std::mt19937 random(13);
    for (int round = 0; round < 100; ++round) {
        PathRules rules;
        for (const LaneInfo &lane : pathLanes())
            rules.setLane(lane.id, pathLaneOf(lane));
        const auto any = [&](std::int64_t most) {
            return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most));
        };
        std::vector<SpanEdge> ends;
        for (int i = 0; i < 300; ++i) {
            PathSpan span;
            span.startNs = any(1000);
            span.endNs = span.startNs + any(200) - 100; // Some end before they begin.
            span.frame = random() % 5 == 0 ? kNoFrame : static_cast<std::uint32_t>(any(6));
            span.lane = static_cast<LaneId>(any(9)); // Two lanes have no description.
            span.depth = static_cast<std::uint8_t>(any(4));
            span.category = static_cast<Category>(any(kCategoryCount));
            span.scope = static_cast<WaitScope>(any(10));
            for (std::int64_t times = any(3); times >= 0; --times) // Some are added several times.
                rules.add(span);
            ends.push_back({span.startNs, span.startNs, span.lane, span.lane});
        }
        for (int i = 0; i < 300; ++i) {
            const SpanEdge &from = ends[random() % ends.size()];
            const SpanEdge &to = ends[random() % ends.size()];
            rules.add(SpanEdge{from.fromNs, to.fromNs, from.fromLane, to.fromLane}); // Forwards, backwards and cyclic.
        }
        for (std::uint32_t f = 0; f < 6; ++f)
            rules.add(PathFrame{f, {any(500), 500 + any(600)}});
        rules.build();
        for (std::size_t i = 0; i < rules.frames().size(); ++i) {
            std::vector<PathPiece> pieces;
            rules.walk(i, pieces);
            QVERIFY(divides(pieces, rules.frames()[i]));
            QVERIFY(rules.mostItCanBring({PathCause::Kernel}) >= 0);
        }
    }
}

void TestPathRules::aFrameOfManySpansIsFollowed()
{
    std::vector<Span> spans;
    for (std::int64_t i = 0; i < 100'000; ++i) {
        spans.push_back(us(kStream0, "k", Category::Kernel, 10 * i, 10 * i + 8, 1));
        if (i % 10 == 0)
            spans.push_back(us(kPipeline, "cudaStreamSynchronize", Category::WaitSync, 10 * i, 10 * i + 95, 1));
    }
    const Trace trace = pathTrace(std::move(spans), {usFrame(1, 0, 1'000'000, 1'000'000)});
    TracePaths paths(trace);
    std::vector<PathPiece> pieces;
    paths.follow(0, 1, pieces);
    QVERIFY(divides(pieces, paths.frameAt(0)));
    QVERIFY(pieces.size() > 100'000);
    // Threads that must not block set a limit, and the result is unknown beyond it.
    std::vector<PathPiece> few;
    TracePaths(trace, 1000).follow(0, 1, few);
    QCOMPARE(few.size(), std::size_t(1));
    QVERIFY(few[0].cause == PathCause::Unknown);
    QCOMPARE(few[0].lengthNs(), 1'000'000 * kUs);
}

void TestPathRules::theFollowerFindsWhatTheTraceHolds()
{
    const std::vector<Span> spans = serialFrames(100, 1000);
    const std::vector<FrameFigures> figures = serialFigures(100, 1000);
    const Trace trace = pathTrace(spans, figures);
    PathFollower follower;
    follower.setLanes(pathLanes());
    std::vector<PathPiece> pieces;
    std::vector<PathGain> gains;
    std::size_t at = 0;
    for (std::size_t f = 0; f < figures.size(); ++f) {
        const std::size_t end = std::min(spans.size(), (f + 1) * 5);
        follower.add({spans.data() + at, end - at});
        follower.add({figures.data() + f, 1});
        at = end;
        follower.take(pieces, gains);
    }
    follower.take(pieces, gains, true);
    QCOMPARE(follower.skipped(), std::uint64_t(0));
    std::vector<PathPiece> expected;
    TracePaths(trace).follow(0, 100, expected);
    for (PathPiece &piece : expected) // The names of the trace have other numbers.
        if (piece.name != kNoPathName)
            piece.name = internName(trace.names().text(piece.name), trace.names().category(piece.name),
                                    trace.names().at(piece.name).purpose);
    QCOMPARE(pieces.size(), expected.size());
    for (std::size_t i = 0; i < pieces.size(); ++i)
        QVERIFY2(pieces[i] == expected[i], qPrintable(QString::number(i)));
    QVERIFY(!gains.empty());
}

/// Another thread launches what the pipeline thread waits for: only a recorded edge says so.
void TestPathRules::theFollowerGoesToTheThreadThatLaunched()
{
    for (const bool isRecorded : {false, true}) {
        PathFollower follower;
        follower.setLanes(pathLanes());
        for (std::uint32_t f = 0; f < 20; ++f) {
            const std::int64_t at = f * 1000;
            const Span spans[] = {us(kPipeline, "cuEventSynchronize", Category::WaitSync, at, at + 1000, f),
                                  us(kCpuStage, "cuLaunchKernel", Category::Submit, at + 400, at + 600, f),
                                  us(kStream0, "a kernel", Category::Kernel, at + 600, at + 990, f)};
            const SpanEdge edge{(at + 400) * kUs, (at + 600) * kUs, kCpuStage, kStream0};
            follower.add(spans);
            if (isRecorded)
                follower.add({&edge, 1});
            const FrameFigures figures = usFrame(f, at, at + 1000, at + 1000);
            follower.add({&figures, 1});
        }
        std::vector<PathPiece> pieces;
        std::vector<PathGain> gains;
        follower.take(pieces, gains, true);
        std::int64_t launchNs = 0;
        for (const PathPiece &piece : pieces)
            launchNs += piece.lane == kCpuStage ? piece.lengthNs() : 0;
        QVERIFY2(isRecorded ? launchNs >= 19 * 200 * kUs : launchNs == 0, qPrintable(QString::number(launchNs)));
    }
}

void TestPathRules::sumsAreExactAndLargestFirst()
{
    const PathSummary summary = summaryOf(pathTrace(serialFrames(50, 1000), serialFigures(50, 1000)));
    QCOMPARE(summary.frames, std::size_t(50));
    double ms = 0;
    double share = 0;
    for (std::size_t i = 0; i < summary.shares.size(); ++i) {
        QVERIFY(i == 0 || summary.shares[i].ms <= summary.shares[i - 1].ms);
        ms += summary.shares[i].ms;
        share += summary.shares[i].share;
    }
    QVERIFY(qAbs(ms - summary.periodMs) < 1e-9);
    QVERIFY(qAbs(share - 1) < 1e-9);
    QCOMPARE(summary.shares[0].what, std::string("kernel gaussian15"));
    QCOMPARE(summary.shares[0].lane, std::string("CUDA stream 0"));
    QVERIFY(qAbs(summary.shares[0].ms - 0.7) < 1e-9);
    QVERIFY(summary.deviceShare() > 0.9);
    QVERIFY(summary.unexplained() > 0 && summary.unexplained() < 0.02); // The time between the frames.
}

/// Bounded work may have ended at once, so nothing was hidden behind it.
void TestPathRules::boundsHideNothing()
{
    std::vector<Span> spans;
    std::vector<FrameFigures> figures;
    constexpr std::uint32_t kFrames = 40;
    for (std::uint32_t f = 0; f < kFrames; ++f) {
        const std::int64_t at = f * std::int64_t{31'000};
        spans.push_back(us(kPipeline, "submit", Category::Submit, at, at + 300, f));
        Span draw = us(kGlQueue, "", Category::Draw, at + 200, at + 30'900, f);
        draw.name = internName("draw", Category::Draw, Certainty::Bounded);
        spans.push_back(draw);
        spans.push_back(us(kCpuStage, "slow", Category::CpuStage, at + 310, at + 30'700, f));
        spans.push_back(us(kPipeline, "wait for CPU stage", Category::WaitSlot, at + 300, at + 30'720, f));
        figures.push_back(usFrame(f, at, at + 31'000, at + 30'900));
    }
    const PathSummary summary = summaryOf(pathTrace(spans, figures));
    QCOMPARE(int(summary.shares.front().cause), int(PathCause::CpuStage));
    QVERIFY(summary.shares.front().mostShare.has_value());
    QVERIFY2(*summary.shares.front().mostShare > 0.9, qPrintable(QString::number(*summary.shares.front().mostShare)));
}

void TestPathRules::removingBringsWhatIsNotHidden()
{
    const PathSummary summary = summaryOf(pathTrace(serialFrames(50, 1000), serialFigures(50, 1000)));
    for (const PathShare &share : summary.shares) {
        if (share.cause != PathCause::Kernel)
            continue;
        QVERIFY(share.mostShare.has_value());
        // All of it, because nothing runs in parallel.
        QVERIFY2(qAbs(*share.mostShare - share.share) < 0.03, qPrintable(QString::number(*share.mostShare)));
        return;
    }
    QFAIL("no kernel on the path");
}

JETSCOPE_TEST(TestPathRules)
#include "tst_pathrules.moc"
