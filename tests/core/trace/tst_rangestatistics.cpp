// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/figures/framemetricsbuilder.h"
#include "core/trace/gradualsort.h"
#include "core/trace/rangestatistics.h"
#include "core/trace/tracefigures.h"
#include "tests/core/pipelinetrace.h"
#include "tests/core/randomtraces.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

using namespace jetscope;
using namespace jetscope::test;

namespace {

Trace traceOf(std::vector<Span> spans)
{
    Trace trace;
    std::vector<LaneInfo> infos;
    for (LaneId lane = 0; lane < kRoles.size(); ++lane)
        infos.push_back({lane, kRoles[lane], {}, {}});
    trace.setLanes(infos);
    std::stable_sort(spans.begin(), spans.end(), [](const Span &a, const Span &b) { return a.startNs < b.startNs; });
    trace.add(spans);
    return trace;
}

void finish(RangeStatistics &statistics, std::uint64_t mostSpans)
{
    double progress = 0;
    for (int step = 0; !statistics.advance(mostSpans); ++step) {
        QVERIFY(!statistics.done());
        QVERIFY(statistics.progress() >= progress);
        progress = statistics.progress();
        QVERIFY(progress <= 1 && step < 1'000'000);
    }
    QVERIFY(statistics.done());
    QCOMPARE(statistics.progress(), 1.0);
}

void compareTimes(const RangeFigures &range, const FrameFigures &frame)
{
    QCOMPARE(range.overlap.periodNs, frame.overlap.periodNs);
    QCOMPARE(range.overlap.cpuNs, frame.overlap.cpuNs);
    QCOMPARE(range.overlap.gpuNs, frame.overlap.gpuNs);
    QCOMPARE(range.overlap.bothNs, frame.overlap.bothNs);
    QCOMPARE(range.overlap.idleNs, frame.overlap.idleNs);
    QCOMPARE(range.overlap.gpuAtLeastNs(), frame.overlap.gpuAtLeastNs());
    QCOMPARE(range.overlap.bothAtLeastNs(), frame.overlap.bothAtLeastNs());
    QCOMPARE(range.waitSyncNs, frame.waitSyncNs);
    QCOMPARE(range.waitMemoryNs, frame.waitMemoryNs);
    QCOMPARE(range.waitSlotNs, frame.waitSlotNs);
    QCOMPARE(range.waitInputNs, frame.waitInputNs);
}

/// Reference implementation: interpolation between closest ranks.
double percentile(const std::vector<std::int64_t> &sorted, double fraction)
{
    const double rank = fraction * static_cast<double>(sorted.size() - 1);
    const double below = static_cast<double>(sorted[static_cast<std::size_t>(std::floor(rank))]);
    const double above = static_cast<double>(sorted[static_cast<std::size_t>(std::ceil(rank))]);
    return below + (above - below) * (rank - std::floor(rank));
}

void compareNames(const RangeStatistics &statistics, const Trace &trace, const std::vector<Span> &spans, Interval range)
{
    std::map<std::tuple<std::string, Category, Certainty>, std::vector<std::int64_t>> expected;
    for (const Span &span : spans)
        if (span.startNs >= range.startNs && span.startNs < range.endNs)
            expected[{spanName(span.name), spanCategory(span.name), spanCertainty(span.name)}].push_back(
                span.durationNs);
    QCOMPARE(statistics.names().size(), expected.size());
    std::int64_t before = std::numeric_limits<std::int64_t>::max();
    for (const NameFigures &figures : statistics.names()) {
        auto &durations = expected[{trace.names().text(figures.name), trace.names().category(figures.name),
                                    trace.names().certainty(figures.name)}];
        std::sort(durations.begin(), durations.end());
        QCOMPARE(figures.count, static_cast<std::uint64_t>(durations.size()));
        QCOMPARE(figures.totalNs, std::accumulate(durations.begin(), durations.end(), std::int64_t{0}));
        QCOMPARE(figures.minNs, durations.front());
        QCOMPARE(figures.maxNs, durations.back());
        QVERIFY(std::abs(static_cast<double>(figures.medianNs) - percentile(durations, 0.5)) <= 0.5);
        QVERIFY(std::abs(static_cast<double>(figures.p95Ns) - percentile(durations, 0.95)) <= 0.5);
        QVERIFY(std::abs(static_cast<double>(figures.p99Ns) - percentile(durations, 0.99)) <= 0.5);
        QVERIFY(figures.totalNs <= before);
        before = figures.totalNs;
    }
}

} // namespace

class TestRangeStatistics : public QObject {
    Q_OBJECT
private slots:
    void aFramesPeriodGivesTheFramesFigures();
    void anyRangeEqualsBruteForce();
    void headroomTakesEveryLaneAndTheSource();
    void aWholeTraceIsPooledAfterWarmUp();
    void withoutGpuSpansItsTimesAreUnknown();
    void stepsEqualOneStep();
    void histogramCountsEveryDuration();
    void spansDroppedMeanwhileAreLeftOut();
    void emptyAndEndlessRanges();
    void gradualSortSorts();
};

void TestRangeStatistics::aFramesPeriodGivesTheFramesFigures()
{
    std::mt19937 random(21);
    for (int round = 0; round < 40; ++round) {
        const std::vector<Span> spans = randomTrace(random);
        const std::vector<std::int64_t> starts = randomStarts(random);
        FrameMetricsBuilder accounts = metrics();
        for (const Span &span : spans)
            accounts.add(span);
        for (std::size_t i = 0; i < starts.size(); ++i) {
            accounts.frameStarted(static_cast<std::uint32_t>(i), starts[i]);
            accounts.addBytesCopied(static_cast<std::uint32_t>(i), 100 + i);
        }
        accounts.finish(kTicks);
        accounts.resolved(kTicks);
        const std::vector<FrameFigures> frames = accounts.take();
        QCOMPARE(frames.size(), starts.size());
        Trace trace = traceOf(spans);
        trace.add(frames);
        for (const FrameFigures &frame : frames) {
            if (frame.periodNs() == 0)
                continue;
            RangeStatistics statistics(trace, {frame.startNs, frame.startNs + frame.periodNs()});
            finish(statistics, round % 2 == 0 ? 1 : 1000);
            compareTimes(statistics.figures(), frame);
            if (QTest::currentTestFailed())
                return;
            // Frames without a period may begin at the same time.
            QVERIFY(statistics.figures().frames >= 1);
            QVERIFY(statistics.figures().bytesCopied >= frame.bytesCopied);
            QVERIFY(statistics.figures().frames > 1 || statistics.figures().bytesCopied == frame.bytesCopied);
        }
    }
}

void TestRangeStatistics::anyRangeEqualsBruteForce()
{
    std::mt19937 random(22);
    for (int round = 0; round < 40; ++round) {
        const std::vector<Span> spans = randomTrace(random);
        const Trace trace = traceOf(spans);
        const Interval range{static_cast<std::int64_t>(random() % 2500) - 100,
                             static_cast<std::int64_t>(random() % 1500) + 2400};
        // One frame with exactly the range's time.
        FrameMetricsBuilder accounts = metrics();
        for (const Span &span : spans)
            accounts.add(span);
        accounts.frameStarted(0, range.startNs);
        accounts.finish(range.endNs);
        accounts.outputComplete(0, range.endNs, 0);
        accounts.resolved(range.endNs);
        const std::vector<FrameFigures> frames = accounts.take();
        QCOMPARE(frames.size(), std::size_t{1});

        RangeStatistics statistics(trace, range);
        finish(statistics, 1 + random() % 300);
        compareTimes(statistics.figures(), frames[0]);
        compareNames(statistics, trace, spans, range);
        QCOMPARE(statistics.figures().spans,
                 static_cast<std::uint64_t>(std::count_if(spans.begin(), spans.end(), [&](const Span &span) {
                     return touches(span.startNs, span.endNs(), range);
                 })));
        if (QTest::currentTestFailed())
            return;
    }
}

void TestRangeStatistics::headroomTakesEveryLaneAndTheSource()
{
    // Two frames of 1000 ns, each with 200 of CPU and 300 of GPU; the capture thread works for 600, including a wait of
    // 100.
    std::vector<Span> spans;
    for (const std::int64_t at : {0, 1000}) {
        spans.push_back(spanOf(kPipeline, Category::Submit, at, at + 200));
        spans.push_back(spanOf(kStream0, Category::Kernel, at + 200, at + 500));
        spans.push_back(spanOf(kCapture, Category::Capture, at, at + 600));
        spans.push_back(spanOf(kCapture, Category::WaitInput, at + 100, at + 200, 1));
    }
    Trace trace = traceOf(spans);
    const auto headroomIn = [&trace](Interval range) {
        RangeStatistics statistics(trace, range);
        finish(statistics, 1);
        return statistics.figures().headroom;
    };
    std::vector<FrameFigures> frames(2);
    for (std::uint32_t i = 0; i < 2; ++i) {
        frames[i].frame = i;
        frames[i].startNs = 1000 * i;
        frames[i].overlap.periodNs = 1000;
    }
    trace.add(frames);
    // The trace has no source period.
    QVERIFY(!headroomIn({0, 2000}).ratio());
    QCOMPARE(headroomIn({0, 2000}).reason(), std::string("the source's own period is not known"));

    trace.setCounters({{0, std::string(kSourcePeriodCounter), "ns", std::nullopt}});
    const auto source = [&trace](std::int64_t atNs, double periodNs) {
        const CounterSample sample{atNs, periodNs, 0};
        trace.add(std::span(&sample, 1));
    };
    source(0, 0); // No period: the source is read as fast as frames are taken.
    QCOMPARE(*headroomIn({0, 2000}).ratio(), 0.5);
    QCOMPARE(headroomIn({0, 2000}).laneNs, 1000);
    source(2000, 800e-6);
    QCOMPARE(*headroomIn({0, 2000}).ratio(), 0.2);
    QCOMPARE(headroomIn({0, 2000}).limit(), std::string("the source"));
    // Half of a frame counts with half of the source's period.
    QCOMPARE(headroomIn({1500, 2500}).sourceNs, 400);
}

/// Enough frames for several steps, a pause between two of them, and a warm-up with different values.
void TestRangeStatistics::aWholeTraceIsPooledAfterWarmUp()
{
    constexpr std::uint32_t kFrames = 2000;
    std::vector<Span> spans;
    std::vector<FrameFigures> frames;
    for (std::uint32_t i = 0; i < kFrames; ++i) {
        const std::int64_t at = 1000 * std::int64_t{i} + (i >= 700 ? 50'000 : 0);
        FrameFigures figures;
        figures.frame = i;
        figures.startNs = at;
        figures.overlap = i < 10 ? Overlap{1000, 900, 900, 900, 100} : Overlap{1000, 400, 500, 100, 200, 50, 20};
        frames.push_back(figures);
        spans.push_back(spanOf(kCapture, Category::Capture, at, at + 600));
        if (i == 700)
            spans.push_back(spanOf(kCapture, Category::Capture, at - 40'000, at - 10'000)); // Belongs to no frame.
    }
    Trace trace = traceOf(spans);
    trace.add(frames);
    trace.setCounters({{0, std::string(kSourcePeriodCounter), "ms", std::nullopt}});
    const CounterSample sample{0, 300e-6, 0};
    trace.add(std::span(&sample, 1));
    QCOMPARE(summariseTrace(trace).pooled.gpuNs, std::int64_t{kFrames - 10} * 500 + 10 * 900); // Of another tool.
    trace.setFact({kAttachedFact, "yes"});
    const RunFigures run = summariseTrace(trace);
    QCOMPARE(run.frames, std::size_t{kFrames});
    QCOMPARE(run.pooled.gpuNs, std::int64_t{kFrames - 10} * 500);
    QCOMPARE(run.pooled.overlapBounds()->atMost, 0.25);
    QCOMPARE(run.pooled.overlapBounds()->atLeast, 80.0 / 400);
    QCOMPARE(run.headroom.laneNs, std::int64_t{kFrames - 10} * 600);
    QCOMPARE(run.headroom.sourceNs, std::int64_t{kFrames - 10} * 300);
    QCOMPARE(*run.headroom.ratio(), 0.4);
    QCOMPARE(summariseTrace(Trace()).frames, std::size_t{0});
    QVERIFY(!summariseTrace(Trace()).headroom.ratio());
}

/// A program whose GPU times were not recorded, for example.
void TestRangeStatistics::withoutGpuSpansItsTimesAreUnknown()
{
    const auto linesOf = [](LaneId gpuLane) {
        std::vector<Span> spans;
        std::vector<FrameFigures> frames;
        for (std::uint32_t i = 0; i < 30; ++i) {
            spans.push_back(spanOf(kPipeline, Category::Submit, 1000 * i, 1000 * i + 600));
            spans.push_back(spanOf(gpuLane, Category::Kernel, 1000 * i + 600, 1000 * i + 900));
            FrameFigures figures;
            figures.frame = i;
            figures.startNs = 1000 * i;
            figures.frameNs = 1000;
            figures.overlap = {1000, 600, gpuLane == kPipeline ? 0 : 300, 0, 100};
            frames.push_back(figures);
        }
        Trace trace = traceOf(spans);
        trace.add(frames);
        const RunFigures figures = summariseTrace(trace);
        std::string text;
        for (const auto &[label, value] : figureLines(figures))
            text += label + " " + value + "\n";
        for (const PercentilesLine &line : percentilesLines(figures))
            text += line.label + "\n";
        return QString::fromStdString(text);
    };
    const QString with = linesOf(kStream0);
    QVERIFY2(with.contains("GPU busy 0.000 ms") && with.contains("Parallelism 1.00"), qPrintable(with));
    const QString without = linesOf(kPipeline);
    QVERIFY2(without.contains("Overlap not known: nothing of the GPU was recorded"), qPrintable(without));
    QVERIFY2(without.contains("Could be saved not known: nothing of the GPU was recorded"), qPrintable(without));
    QVERIFY2(!without.contains("GPU busy") && !without.contains("Parallelism"), qPrintable(without));
    QVERIFY2(without.contains("Frame time") && !without.contains("Latency"), qPrintable(without));
}

void TestRangeStatistics::stepsEqualOneStep()
{
    std::mt19937 random(23);
    const std::vector<Span> spans = randomTrace(random);
    const Trace trace = traceOf(spans);
    RangeStatistics whole(trace, {100, 2900});
    finish(whole, 1'000'000'000);
    for (const std::uint64_t step : {1, 2, 7, 100}) {
        RangeStatistics steps(trace, {100, 2900});
        finish(steps, step);
        QCOMPARE(steps.figures().spans, whole.figures().spans);
        QCOMPARE(steps.figures().overlap.cpuNs, whole.figures().overlap.cpuNs);
        QCOMPARE(steps.figures().overlap.idleNs, whole.figures().overlap.idleNs);
        QCOMPARE(steps.figures().waitSyncNs, whole.figures().waitSyncNs);
        QCOMPARE(steps.names().size(), whole.names().size());
        for (std::size_t i = 0; i < steps.names().size(); ++i) {
            QCOMPARE(steps.names()[i].name, whole.names()[i].name);
            QCOMPARE(steps.names()[i].medianNs, whole.names()[i].medianNs);
        }
    }
}

void TestRangeStatistics::histogramCountsEveryDuration()
{
    Trace trace;
    const TraceName name = trace.names().intern("work", Category::Kernel);
    const TraceName other = trace.names().intern("other", Category::Kernel);
    std::int64_t at = 0;
    for (const std::int64_t duration : {0, 1, 10, 10, 99, 100, 1000, 9999}) {
        QVERIFY(trace.add(0, 0, {at, duration, 0, 0, name}));
        at += duration;
    }
    QVERIFY(trace.add(0, 0, {at, 77, 0, 0, other}));
    RangeStatistics statistics(trace, {0, at + 100});
    finish(statistics, 2);
    const DurationHistogram histogram = statistics.histogram(name, 4);
    QCOMPARE(histogram.fromNs, 1);
    QCOMPARE(histogram.ratio, 10.0); // 1 to 10,000 in four steps
    QCOMPARE(histogram.bins, (std::vector<std::uint64_t>{2, 3, 1, 2}));
    const DurationHistogram single = statistics.histogram(other, 10);
    QCOMPARE(single.fromNs, 77);
    QVERIFY(single.ratio > 1);
    QCOMPARE(std::accumulate(single.bins.begin(), single.bins.end(), std::uint64_t{0}), std::uint64_t{1});
    QVERIFY(statistics.histogram(name, 0).bins.empty());
    QCOMPARE(statistics.histogram(99, 3).bins, (std::vector<std::uint64_t>{0, 0, 0}));
}

void TestRangeStatistics::spansDroppedMeanwhileAreLeftOut()
{
    Trace trace(1);
    const TraceName name = trace.names().intern("work", Category::Kernel);
    const auto full = static_cast<std::int64_t>(2 * Trace::kSegmentSpans);
    for (std::int64_t i = 0; i < full; ++i)
        QVERIFY(trace.add(0, 0, {i * 10, 5, 0, 0, name}));
    RangeStatistics statistics(trace, {0, full * 10});
    QVERIFY(!statistics.advance(1000));
    QVERIFY(trace.add(0, 0, {full * 10, 5, 0, 0, name}));
    QCOMPARE(trace.droppedSpans(), Trace::kSegmentSpans);
    finish(statistics, 500'000);
    QCOMPARE(statistics.figures().spans, Trace::kSegmentSpans + 1000);
    QCOMPARE(statistics.names()[0].count, Trace::kSegmentSpans + 1000);
}

void TestRangeStatistics::emptyAndEndlessRanges()
{
    constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
    const Trace nothing;
    for (const Interval range : {Interval{0, 0}, Interval{0, 100}, Interval{100, -100}, Interval{-kMax - 1, kMax},
                                 Interval{kMax, -kMax - 1}}) {
        RangeStatistics statistics(nothing, range);
        finish(statistics, 10);
        QVERIFY(statistics.names().empty());
        QCOMPARE(statistics.figures().overlap.cpuNs, 0);
    }
    std::mt19937 random(24);
    const std::vector<Span> spans = randomTrace(random);
    const Trace trace = traceOf(spans);
    RangeStatistics statistics(trace, {-kMax - 1, kMax});
    finish(statistics, 0);
    QCOMPARE(statistics.figures().spans, static_cast<std::uint64_t>(spans.size()));
}

void TestRangeStatistics::gradualSortSorts()
{
    QRandomGenerator random(25);
    for (const quint32 count : {0U, 1U, 4095U, 4096U, 4097U, 8192U, 20'000U, 70'001U}) {
        std::vector<std::int64_t> values;
        for (quint32 i = 0; i < count; ++i)
            values.push_back(static_cast<std::int64_t>(random.bounded(count)) - 1000);
        GradualSort sort(values);
        std::size_t steps = 0;
        for (std::size_t budget = 777; !sort.advance(budget); budget = 777) {
            QCOMPARE(budget, std::size_t{0});
            QVERIFY(++steps < 10'000);
        }
        QVERIFY(count < 20'000 || steps > 20);
        std::sort(values.begin(), values.end());
        QCOMPARE(sort.values(), values);
    }
}

JETSCOPE_TEST(TestRangeStatistics)
#include "tst_rangestatistics.moc"
