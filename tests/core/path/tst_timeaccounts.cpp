// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/path/framecover.h"
#include "core/path/gpuidle.h"
#include "core/path/pathtimes.h"
#include "core/path/threadtimes.h"
#include "core/path/tracepaths.h"
#include "tests/core/pathtraces.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <random>
#include <string>

using namespace jetscope;
using namespace jetscope::test;

namespace {

NoProgress s_progress;

Trace accountTrace(std::vector<Span> spans)
{
    return pathTrace(std::move(spans), {});
}

/// What the only GPU did.
std::optional<GpuTimes> onlyGpuTimes(const Trace &trace, Interval time)
{
    const auto gpus = gpuTimes(trace, time, s_progress);
    return gpus && gpus->size() == 1 ? std::optional(gpus->front()) : std::nullopt;
}

std::int64_t idleOf(const GpuTimes &times)
{
    std::int64_t ns = 0;
    for (const GpuIdleCause &cause : times.idle)
        ns += cause.ns;
    return ns;
}

} // namespace

/// Where the time of an interval goes: each account adds up to it.
class TestTimeAccounts : public QObject {
    Q_OBJECT
private slots:
    void theGpuEqualsANaiveCount();
    void aGapIsWhatTheCpuDid();
    void aGapIsOfTheThreadThatLaunched();
    void withoutAGpuNothingIsKnownOfIt();
    void eachGpuIsAccountedForItself();
    void gapsAreThoseOfTheAccount();
    void lanesWithoutANumberAreOfTheOnlyGpu();
    void threadsAddUp();
    void theThreadOfTheFramesIsTheFirst();
    void pathsAddUpToTheTime();
    void aFrameOfManySpansHasAPath();
    void theRangeOfAFrameExplainsNothing();
    void longTracesAreFollowedAtTheirEnd();
    void whatIsOfNoFrame_data();
    void whatIsOfNoFrame();
};

void TestTimeAccounts::theGpuEqualsANaiveCount()
{
    for (unsigned seed = 1; seed <= 8; ++seed) {
        std::mt19937 random(seed);
        const std::vector<Span> spans = randomTrace(random);
        const Trace trace = accountTrace(spans);
        const Interval time{101, kTicks - 333};
        const auto times = onlyGpuTimes(trace, time);
        QVERIFY(times && !times->gpu);
        std::int64_t kernelNs = 0;
        std::int64_t copyNs = 0;
        for (std::int64_t t = time.startNs; t < time.endNs; ++t) {
            bool kernel = false;
            bool any = false;
            for (const Span &span : spans) {
                const Category category = spanCategory(span.name);
                if (!isGpuLane(kRoles[span.lane]) || span.startNs > t || span.endNs() <= t || isWait(category)
                    || category == Category::Tool)
                    continue;
                any = true;
                kernel = kernel || workKindOf(category) == WorkKind::Kernel;
            }
            kernelNs += kernel ? 1 : 0;
            copyNs += any && !kernel ? 1 : 0;
        }
        QCOMPARE(times->kernelNs, kernelNs);
        QCOMPARE(times->copyNs, copyNs);
        QCOMPARE(idleOf(*times), times->idleNs());
    }
}

void TestTimeAccounts::aGapIsWhatTheCpuDid()
{
    constexpr std::int64_t kMs = 1'000'000;
    const Trace trace = accountTrace({
        namedSpan(kPipeline, "step", Category::Tool, 0, 100 * kMs, 0),
        namedSpan(kPipeline, "load", Category::CpuStage, 11 * kMs, 39 * kMs, 0, 1),
        namedSpan(kPipeline, "parse", Category::CpuStage, 12 * kMs, 20 * kMs, 0, 2),
        namedSpan(kStream0, "k", Category::Kernel, 0, 10 * kMs, 0),
        namedSpan(kStream0, "k", Category::Kernel, 40 * kMs, 50 * kMs, 0),
        namedSpan(kStream0, "k", Category::Kernel, 50 * kMs + 10'000, 60 * kMs, 0),
    });
    const auto times = onlyGpuTimes(trace, {0, 100 * kMs});
    QVERIFY(times);
    QCOMPARE(times->idle.size(), std::size_t(3));
    QCOMPARE(times->idle[0].kind, GpuIdleCause::Kind::Nothing); // Behind the last kernel only the frame's range.
    QCOMPARE(times->idle[0].ns, 40 * kMs);
    QCOMPARE(times->idle[1].kind, GpuIdleCause::Kind::During);
    QCOMPARE(times->idle[1].ns, 30 * kMs);
    QCOMPARE(trace.names().text(times->idle[1].name), std::string("load"));
    QCOMPARE(times->idle[1].longest, (Interval{10 * kMs, 40 * kMs}));
    QCOMPARE(times->idle[2].kind, GpuIdleCause::Kind::Short);
    QCOMPARE(times->idle[2].ns, std::int64_t(10'000));
}

void TestTimeAccounts::aGapIsOfTheThreadThatLaunched()
{
    constexpr std::int64_t kMs = 1'000'000;
    Trace trace = accountTrace({
        namedSpan(kPipeline, "other thread", Category::CpuStage, 10 * kMs, 40 * kMs, 0),
        namedSpan(kCpuStage, "launcher", Category::CpuStage, 15 * kMs, 38 * kMs, 0),
        namedSpan(kStream0, "k", Category::Kernel, 0, 10 * kMs, 0),
        namedSpan(kStream0, "k", Category::Kernel, 40 * kMs, 50 * kMs, 0),
    });
    const Interval time{0, 50 * kMs};
    QCOMPARE(trace.names().text(onlyGpuTimes(trace, time)->idle.front().name), std::string("other thread"));
    SpanEdge edge;
    edge.fromLane = kCpuStage;
    edge.fromNs = 37 * kMs;
    edge.toLane = kStream0;
    edge.toNs = 40 * kMs;
    trace.add(std::span<const SpanEdge>(&edge, 1));
    const auto times = onlyGpuTimes(*trace.snapshot(time), time);
    QCOMPARE(times->idle.front().lane, kCpuStage);
    QCOMPARE(trace.names().text(times->idle.front().name), std::string("launcher"));
}

void TestTimeAccounts::withoutAGpuNothingIsKnownOfIt()
{
    const Trace trace = accountTrace({namedSpan(kPipeline, "work", Category::CpuStage, 0, 100, 0)});
    QVERIFY(gpuTimes(trace, {0, 100}, s_progress)->empty());
    const Trace ranges = accountTrace({namedSpan(kStream0, "annotation", Category::Tool, 0, 100, 0)});
    QVERIFY(gpuTimes(ranges, {0, 100}, s_progress)->empty());
    const Trace before = accountTrace({namedSpan(kStream0, "k", Category::Kernel, 0, 10, 0)});
    const auto later = onlyGpuTimes(before, {50, 100});
    QVERIFY(later);
    QCOMPARE(later->idleNs(), std::int64_t(50));
}

namespace {

/// Lanes of two GPUs, the second one with two streams.
Trace twoGpus(const std::vector<Span> &spans, std::optional<std::uint32_t> ofGlQueue = 1)
{
    std::vector<LaneInfo> lanes = pathLanes();
    lanes[kStream0].gpu = 0;
    lanes[kStream1].gpu = 1;
    lanes[kGlQueue].gpu = ofGlQueue;
    Trace trace;
    trace.setLanes(std::move(lanes));
    trace.add(spans);
    return trace;
}

} // namespace

void TestTimeAccounts::eachGpuIsAccountedForItself()
{
    const std::vector<Span> spans = {namedSpan(kPipeline, "load", Category::CpuStage, 0, 100'000, 0),
                                     namedSpan(kStream0, "a", Category::Kernel, 0, 100'000, 0),
                                     namedSpan(kStream1, "b", Category::Kernel, 0, 20'000, 0),
                                     namedSpan(kGlQueue, "c", Category::Kernel, 10'000, 30'000, 0)};
    const auto times = gpuTimes(twoGpus(spans), {0, 100'000}, s_progress);
    QVERIFY(times);
    QCOMPARE(times->size(), std::size_t(2));
    QCOMPARE(times->at(0).gpu, std::optional<std::uint32_t>(0));
    QCOMPARE(times->at(0).idleNs(), std::int64_t(0));
    QCOMPARE(times->at(1).gpu, std::optional<std::uint32_t>(1));
    QCOMPARE(times->at(1).kernelNs, std::int64_t(30'000));
    QCOMPARE(idleOf(times->at(1)), std::int64_t(70'000));
    // What has no number is of neither.
    const auto three = gpuTimes(twoGpus(spans, std::nullopt), {0, 100'000}, s_progress);
    QCOMPARE(three->size(), std::size_t(3));
    QCOMPARE(three->at(1).kernelNs, std::int64_t(20'000));
    QVERIFY(!three->at(2).gpu);
    QCOMPARE(three->at(2).kernelNs, std::int64_t(20'000));
}

/// One by one they add up to what the account of the whole trace says of each cause.
void TestTimeAccounts::gapsAreThoseOfTheAccount()
{
    std::mt19937 random(11);
    std::vector<Span> spans;
    const char *const names[] = {"load", "decode", "wait"};
    for (std::int64_t at = 0, gpuAt = 0; at < 40'000'000;) {
        const auto ns = static_cast<std::int64_t>(random() % 400'000) + 1000;
        spans.push_back(namedSpan(kPipeline, names[random() % 3], Category::CpuStage, at, at + ns, 0));
        at += ns + static_cast<std::int64_t>(random() % 50'000);
        gpuAt += static_cast<std::int64_t>(random() % 300'000);
        const auto work = static_cast<std::int64_t>(random() % 100'000) + 1;
        spans.push_back(
            namedSpan(random() % 2 == 0 ? kStream0 : kStream1, "k", Category::Kernel, gpuAt, gpuAt + work, 0));
        gpuAt += work;
    }
    const Trace trace = accountTrace(spans);
    const auto account = onlyGpuTimes(trace, {trace.oldestNs(), trace.newestNs()});
    const auto gaps = gpuIdleGaps(trace, s_progress);
    QVERIFY(account && gaps);
    QCOMPARE(gaps->size(), std::size_t(1));
    std::map<std::string, std::int64_t> one;
    for (const GpuIdleGap &gap : gaps->front().gaps) {
        QVERIFY(gap.time.endNs - gap.time.startNs >= GpuTimes::kShortGapNs);
        const std::string name =
            gap.hasCause() ? trace.names().text(trace.tracks()[gap.track].at(gap.index).name) : std::string();
        one[name] += gap.time.endNs - gap.time.startNs;
    }
    std::map<std::string, std::int64_t> all;
    for (const GpuIdleCause &cause : account->idle)
        if (cause.kind != GpuIdleCause::Kind::Short)
            all[cause.kind == GpuIdleCause::Kind::During ? trace.names().text(cause.name) : std::string()] += cause.ns;
    QCOMPARE(one, all);
    QVERIFY(one.size() == 4);
}

/// As the queue of GL beside the streams of CUDA.
void TestTimeAccounts::lanesWithoutANumberAreOfTheOnlyGpu()
{
    const auto times = onlyGpuTimes(twoGpus({namedSpan(kStream0, "a", Category::Kernel, 0, 40, 0),
                                             namedSpan(kStream1, "annotation", Category::Tool, 0, 100, 0),
                                             namedSpan(kGlQueue, "c", Category::Kernel, 30, 60, 0)},
                                            std::nullopt),
                                    {0, 100});
    QVERIFY(times && !times->gpu);
    QCOMPARE(times->kernelNs, std::int64_t(60));
}

void TestTimeAccounts::threadsAddUp()
{
    for (unsigned seed = 1; seed <= 4; ++seed) {
        std::mt19937 random(seed);
        const Trace trace = accountTrace(randomTrace(random));
        const Interval time{55, kTicks - 77};
        const auto threads = threadTimes(trace, time, 8, s_progress);
        QVERIFY(threads && threads->size() >= 2);
        for (const ThreadTimes &thread : *threads)
            QCOMPARE(thread.recordedNs() + thread.unrecordedNs, time.endNs - time.startNs);
        QVERIFY(threads->front().recordedNs() + threads->front().framesNs
                >= threads->back().recordedNs() + threads->back().framesNs);
    }
    const Trace trace = accountTrace({namedSpan(kPipeline, "step", Category::Tool, 0, 100, 0),
                                      namedSpan(kPipeline, "wait", Category::WaitSync, 10, 70, 0, 1),
                                      namedSpan(kPipeline, "work", Category::CpuStage, 70, 90, 0, 1)});
    const auto threads = threadTimes(trace, {0, 100}, 8, s_progress);
    QCOMPARE(threads->size(), std::size_t(1));
    QCOMPARE(threads->front().states[0].what, std::string("waits for the device"));
    QCOMPARE(threads->front().states[0].ns, std::int64_t(60));
    QCOMPARE(threads->front().states[1].ns, std::int64_t(20));
    QCOMPARE(threads->front().unrecordedNs, std::int64_t(20)); // The frame's range says nothing.
    QCOMPARE(threads->front().framesNs, std::int64_t(20));
}

/// Its frames tell which thread is the first, also where another has more spans.
void TestTimeAccounts::theThreadOfTheFramesIsTheFirst()
{
    const Trace trace = accountTrace({namedSpan(kPipeline, "frame", Category::Tool, 0, 100, 0),
                                      namedSpan(kPipeline, "work", Category::CpuStage, 10, 30, 0, 1),
                                      namedSpan(kCpuStage, "analyse", Category::CpuStage, 0, 50, 0)});
    const auto threads = threadTimes(trace, {0, 100}, 8, s_progress);
    QCOMPARE(threads->size(), std::size_t(2));
    QCOMPARE(threads->front().lane, kPipeline);
    QCOMPARE(threads->front().recordedNs(), std::int64_t(20));
}

namespace {

/// Frames of 100 µs: a call, its kernel, a wait for it; `pieces` short spans of the CPU before the call.
Trace framesWith(int frames, int pieces)
{
    std::vector<Span> spans;
    std::vector<FrameFigures> figures;
    for (int i = 0; i < frames; ++i) {
        const std::int64_t at = std::int64_t{i} * 100'000;
        const auto frame = static_cast<std::uint32_t>(i);
        const std::int64_t stepNs = 30'000 / pieces;
        for (int piece = 0; piece < pieces; ++piece)
            spans.push_back(
                namedSpan(kPipeline, "op", Category::CpuStage, at + piece * stepNs, at + (piece + 1) * stepNs, frame));
        spans.push_back(namedSpan(kPipeline, "launch", Category::Submit, at + 30'000, at + 35'000, frame));
        spans.push_back(namedSpan(kStream0, "blur", Category::Kernel, at + 35'000, at + 95'000, frame));
        spans.push_back(namedSpan(kPipeline, "finish", Category::WaitSync, at + 36'000, at + 97'000, frame));
        figures.push_back(frameOf(frame, at, 100'000, 97'000));
    }
    return pathTrace(std::move(spans), figures);
}

} // namespace

void TestTimeAccounts::pathsAddUpToTheTime()
{
    const Trace trace = framesWith(20, 3);
    for (const Interval time : {Interval{500'000, 600'000}, Interval{512'345, 877'777}, Interval{-5000, 5'000'000}}) {
        const auto times = pathTimes(trace, time, s_progress);
        QVERIFY(times);
        std::int64_t ns = times->unknownNs;
        std::map<std::string, std::int64_t> byName;
        for (const PathTime &part : times->parts) {
            ns += part.ns;
            byName[part.like.name == kNoPathName ? "" : trace.names().text(part.like.name)] += part.ns;
        }
        QCOMPARE(ns, time.endNs - time.startNs);
        QVERIFY(times->unknownNs >= 0);
        // By other means: the pieces themselves.
        TracePaths paths(trace);
        std::vector<PathPiece> pieces;
        paths.follow(0, 20, pieces);
        std::int64_t blur = 0;
        for (const PathPiece &piece : pieces)
            if (piece.cause == PathCause::Kernel)
                blur += std::max<std::int64_t>(
                    0, std::min(piece.endNs, time.endNs) - std::max(piece.startNs, time.startNs));
        QVERIFY(blur > 0);
        QCOMPARE(byName["blur"], blur);
    }
    QCOMPARE(pathTimes(trace, {500'000, 600'000}, s_progress)->parts.front().like.cause, PathCause::Kernel);
}

void TestTimeAccounts::aFrameOfManySpansHasAPath()
{
    const Trace trace = framesWith(3, 15'000);
    const auto times = pathTimes(trace, {100'000, 200'000}, s_progress);
    QVERIFY(times);
    QCOMPARE(times->parts.front().like.cause, PathCause::Kernel);
    QVERIFY(times->unknownNs < 10'000);
    QCOMPARE(times->tooLarge, std::uint64_t(0));
}

/// As PyTorch's steps around work in Python that its profiler does not record.
void TestTimeAccounts::theRangeOfAFrameExplainsNothing()
{
    std::vector<Span> spans;
    std::vector<FrameFigures> figures;
    for (std::uint32_t frame = 0; frame < 3; ++frame) {
        const std::int64_t at = std::int64_t{frame} * 100'000;
        spans.push_back(namedSpan(kPipeline, "step", Category::Tool, at, at + 100'000, frame));
        spans.push_back(namedSpan(kPipeline, "op", Category::CpuStage, at + 70'000, at + 100'000, frame, 1));
        figures.push_back(frameOf(frame, at, 100'000, 100'000));
    }
    const auto times = pathTimes(pathTrace(std::move(spans), figures), {100'000, 200'000}, s_progress);
    QCOMPARE(times->parts.size(), std::size_t(1));
    QCOMPARE(times->parts[0].ns, std::int64_t(30'000));
    QCOMPARE(times->unknownNs, std::int64_t(70'000));
}

void TestTimeAccounts::longTracesAreFollowedAtTheirEnd()
{
    const Trace trace = framesWith(50, 1);
    const Interval whole{0, 5'000'000};
    QCOMPARE(followedPart(trace, whole, 100, 1000), whole);
    QCOMPARE(followedPart(trace, whole, 10, 1000), (Interval{4'000'000, 5'000'000}));
}

void TestTimeAccounts::whatIsOfNoFrame_data()
{
    QTest::addColumn<qint64>("from");
    QTest::addColumn<qint64>("to");
    QTest::newRow("all") << qint64(0) << qint64(1000);
    QTest::newRow("start-up") << qint64(0) << qint64(200);
    QTest::newRow("shut-down") << qint64(700) << qint64(900);
    QTest::newRow("within a frame") << qint64(320) << qint64(380);
    QTest::newRow("cuts two frames") << qint64(310) << qint64(470);
    QTest::newRow("between") << qint64(401) << qint64(449);
    QTest::newRow("empty") << qint64(300) << qint64(300);
}

void TestTimeAccounts::whatIsOfNoFrame()
{
    QFETCH(qint64, from);
    QFETCH(qint64, to);
    constexpr Interval kFrames[] = {{300, 400}, {450, 500}, {500, 650}};
    Trace trace;
    std::vector<FrameFigures> all;
    for (const Interval &each : kFrames) {
        FrameFigures figures;
        figures.frame = static_cast<std::uint32_t>(all.size());
        figures.startNs = each.startNs;
        figures.overlap.periodNs = each.endNs - each.startNs;
        all.push_back(figures);
    }
    trace.add(all);
    const FrameCover cover = frameCover(trace, {from, to});
    std::int64_t before = 0;
    std::int64_t within = 0;
    std::int64_t behind = 0;
    for (std::int64_t t = from; t < to; ++t) {
        before += t < kFrames[0].startNs ? 1 : 0;
        behind += t >= kFrames[2].endNs ? 1 : 0;
        for (const Interval &each : kFrames)
            within += t >= each.startNs && t < each.endNs ? 1 : 0;
    }
    QCOMPARE(cover.before.endNs - cover.before.startNs, before);
    QCOMPARE(cover.behind.endNs - cover.behind.startNs, behind);
    QCOMPARE(cover.framesNs, within);
    QCOMPARE(cover.betweenNs, to - from - before - within - behind);
}

JETSCOPE_TEST(TestTimeAccounts)
#include "tst_timeaccounts.moc"
