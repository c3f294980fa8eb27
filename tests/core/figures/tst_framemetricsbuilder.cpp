// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/figures/framemetricsbuilder.h"
#include "tests/core/pipelinetrace.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <bitset>
#include <map>
#include <random>

using namespace jetscope;
using namespace jetscope::test;

namespace {

using Ticks = std::bitset<kTicks>;

void paint(Ticks &ticks, const Span &span, bool value)
{
    for (std::int64_t t = span.startNs; t < span.endNs(); ++t)
        ticks.set(static_cast<std::size_t>(t), value);
}

/// Reference implementation of the definitions, tick by tick.
struct BruteForce {
    Ticks cpu;
    Ticks gpu; ///< Upper bound.
    Ticks gpuAtLeast;
    std::map<Category, Ticks> waits;

    explicit BruteForce(const std::vector<Span> &spans)
    {
        for (LaneId lane = 0; lane < kRoles.size(); ++lane) {
            const bool onGpu = isGpuLane(kRoles[lane]);
            if (!onGpu && lane != kPipeline && lane != kCpuStage)
                continue;
            (onGpu ? gpu : cpu) |= busyOf(lane, spans, true);
            if (onGpu)
                gpuAtLeast |= busyOf(lane, spans, false);
        }
        // The outermost wait gets the time: assigned from the innermost to the outermost.
        for (int depth = 255; depth >= 0; --depth)
            for (const Span &span : spans)
                if (span.lane == kPipeline && span.depth == depth && isWait(spanCategory(span.name))) {
                    for (auto &wait : waits)
                        paint(wait.second, span, false);
                    paint(waits[spanCategory(span.name)], span, true);
                }
    }

    /// Upper bound: bounded work counts completely, bounded waits do not count. Lower bound: the opposite.
    static Ticks busyOf(LaneId lane, const std::vector<Span> &spans, bool atMost)
    {
        const auto counts = [&](const Span &span, bool bounded) {
            return span.lane == lane && (spanCertainty(span.name) == Certainty::Exact || bounded);
        };
        Ticks busy;
        for (const Span &span : spans)
            if (counts(span, atMost) && !isWait(spanCategory(span.name)) && spanCategory(span.name) != Category::Tool)
                paint(busy, span, true);
        for (const Span &span : spans)
            if (counts(span, !atMost) && isWait(spanCategory(span.name)))
                paint(busy, span, false);
        return busy;
    }

    std::int64_t waited(Category category, const Ticks &period) const
    {
        const auto found = waits.find(category);
        return found == waits.end() ? 0 : static_cast<std::int64_t>((found->second & period).count());
    }
};

/// Empty if the figures equal those of the reference, else the differences.
QString difference(const FrameFigures &figures, const BruteForce &truth, Interval window)
{
    Ticks period;
    for (std::int64_t t = window.startNs; t < window.endNs; ++t)
        period.set(static_cast<std::size_t>(t));
    const auto count = [&](const Ticks &ticks) { return static_cast<std::int64_t>((ticks & period).count()); };
    const std::array<std::pair<std::int64_t, std::int64_t>, 12> pairs = {
        {{figures.startNs, window.startNs},
         {figures.periodNs(), count(period)},
         {figures.overlap.cpuNs, count(truth.cpu)},
         {figures.overlap.gpuNs, count(truth.gpu)},
         {figures.overlap.bothNs, count(truth.cpu & truth.gpu)},
         {figures.overlap.idleNs, count(~(truth.cpu | truth.gpu))},
         {figures.overlap.gpuAtLeastNs(), count(truth.gpuAtLeast)},
         {figures.overlap.bothAtLeastNs(), count(truth.cpu & truth.gpuAtLeast)},
         {figures.waitSyncNs, truth.waited(Category::WaitSync, period)},
         {figures.waitMemoryNs, truth.waited(Category::WaitMemory, period)},
         {figures.waitSlotNs, truth.waited(Category::WaitSlot, period)},
         {figures.waitInputNs, truth.waited(Category::WaitInput, period)}}};
    for (std::size_t i = 0; i < pairs.size(); ++i)
        if (pairs[i].first != pairs[i].second)
            return QString("frame %1, figure %2: %3 instead of %4")
                .arg(figures.frame)
                .arg(i)
                .arg(pairs[i].first)
                .arg(pairs[i].second);
    return {};
}

QString difference(const std::vector<FrameFigures> &figures, const BruteForce &truth,
                   const std::vector<std::int64_t> &starts)
{
    if (figures.size() != starts.size())
        return QString("%1 frames instead of %2").arg(figures.size()).arg(starts.size());
    for (std::size_t i = 0; i < figures.size(); ++i) {
        if (figures[i].frame != i)
            return QString("frame %1 at %2").arg(figures[i].frame).arg(i);
        const Interval window{starts[i], i + 1 < starts.size() ? starts[i + 1] : kTicks};
        if (const QString found = difference(figures[i], truth, window); !found.isEmpty())
            return found;
    }
    return {};
}

} // namespace

class TestFrameMetricsBuilder : public QObject {
    Q_OBJECT

private slots:
    void spansInAnyOrderMatchBruteForce()
    {
        std::mt19937 random(11);
        for (int round = 0; round < 60; ++round) {
            std::vector<Span> spans = randomTrace(random);
            const BruteForce truth(spans);
            const std::vector<std::int64_t> starts = randomStarts(random);
            std::shuffle(spans.begin(), spans.end(), random);

            FrameMetricsBuilder accounts = metrics();
            std::uint32_t frame = 0;
            for (std::size_t i = 0; i < spans.size(); ++i) {
                accounts.add(spans[i]);
                while (frame < starts.size() && frame * spans.size() <= i * starts.size()) {
                    accounts.frameStarted(frame, starts[frame]);
                    ++frame;
                }
            }
            accounts.finish(kTicks);
            QVERIFY(accounts.take().empty()); // Nothing is resolved yet.
            accounts.resolved(kTicks);
            const QString found = difference(accounts.take(), truth, starts);
            QVERIFY2(found.isEmpty(), qPrintable(found));
            QCOMPARE(accounts.missedSpans(), std::uint64_t{0});
        }
    }

    /// Device spans arrive long after their end, as from event queries, while figures are taken.
    void lateSpansMatchBruteForce()
    {
        std::mt19937 random(12);
        for (int round = 0; round < 60; ++round) {
            std::vector<Span> spans = randomTrace(random);
            const BruteForce truth(spans);
            const std::vector<std::int64_t> starts = randomStarts(random);
            constexpr std::int64_t kDelay = 400;
            std::multimap<std::int64_t, Span> arrivals;
            for (const Span &span : spans)
                arrivals.emplace(span.endNs() + std::uniform_int_distribution<std::int64_t>(0, kDelay)(random), span);

            FrameMetricsBuilder accounts = metrics();
            std::vector<FrameFigures> figures;
            std::uint32_t frame = 0;
            for (std::int64_t now = 0; now <= kTicks + kDelay; now += 25) {
                for (; frame < starts.size() && starts[frame] <= now; ++frame) {
                    accounts.frameStarted(frame, starts[frame]);
                    accounts.outputComplete(frame, starts[frame] + 1, 0);
                }
                while (!arrivals.empty() && arrivals.begin()->first <= now) {
                    accounts.add(arrivals.begin()->second);
                    arrivals.erase(arrivals.begin());
                }
                if (now >= kTicks)
                    accounts.finish(kTicks);
                std::int64_t resolved = now;
                for (const auto &arrival : arrivals)
                    resolved = std::min(resolved, arrival.second.startNs);
                accounts.resolved(resolved);
                for (const FrameFigures &figure : accounts.take())
                    figures.push_back(figure);
                if (now == kTicks)
                    QVERIFY(!figures.empty()); // Not only at the end.
            }
            const QString found = difference(figures, truth, starts);
            QVERIFY2(found.isEmpty(), qPrintable(found));
            QCOMPARE(accounts.missedSpans(), std::uint64_t{0});
        }
    }

    void outputGivesFrameTimeAndLatency()
    {
        FrameMetricsBuilder accounts = metrics();
        accounts.frameStarted(7, 1000);
        accounts.addBytesCopied(7, 30);
        accounts.addBytesCopied(7, 12);
        accounts.addBytesCopied(99, 1); // An unknown frame.
        accounts.frameStarted(8, 2000);
        accounts.resolved(2000);
        QVERIFY(accounts.take().empty()); // Its output has not been reported yet.
        accounts.outputComplete(7, 2500, 400);
        const auto figures = accounts.take();
        QCOMPARE(figures.size(), std::size_t{1});
        QCOMPARE(figures[0].frameNs, std::int64_t{1500});
        QCOMPARE(figures[0].latencyNs, std::int64_t{2100});
        QCOMPARE(figures[0].bytesCopied, std::uint64_t{42});
    }

    void aLostOutputDelaysLaterFramesOnlyForAWhile()
    {
        FrameMetricsBuilder accounts = metrics();
        for (std::uint32_t frame = 0; frame < 40; ++frame) {
            accounts.frameStarted(frame, 100 * frame);
            if (frame > 0)
                accounts.outputComplete(frame, 100 * frame + 50, 0);
            accounts.resolved(100 * frame);
        }
        const auto figures = accounts.take();
        QVERIFY(figures.size() >= 20);
        QCOMPARE(figures[0].frameNs, std::int64_t{0}); // Unknown
        QCOMPARE(figures[1].frameNs, std::int64_t{50});
    }

    void aPauseBelongsToNoFrame()
    {
        FrameMetricsBuilder accounts = metrics();
        accounts.frameStarted(0, 0);
        accounts.finish(100);
        accounts.add(spanOf(kPipeline, Category::Submit, 90, 5010));
        accounts.frameStarted(1, 5000);
        accounts.finish(5100);
        accounts.resolved(6000);
        const auto figures = accounts.take();
        QCOMPARE(figures.size(), std::size_t{2});
        QCOMPARE(figures[0].periodNs(), std::int64_t{100});
        QCOMPARE(figures[0].overlap.cpuNs, std::int64_t{10});
        QCOMPARE(figures[1].periodNs(), std::int64_t{100});
        QCOMPARE(figures[1].overlap.cpuNs, std::int64_t{10});
    }

    void aNestedWaitIsChargedOnceToTheOutermost()
    {
        FrameMetricsBuilder accounts = metrics();
        accounts.frameStarted(0, 0);
        accounts.add(spanOf(kPipeline, Category::WaitSync, 10, 20, 2));
        accounts.add(spanOf(kPipeline, Category::WaitMemory, 10, 30, 1));
        accounts.add(spanOf(kPipeline, Category::Upload, 0, 50, 0));
        accounts.add(spanOf(kCpuStage, Category::WaitSync, 0, 100, 0)); // A wait on another thread than the pipeline's.
        accounts.finish(100);
        accounts.resolved(100);
        const FrameFigures figures = accounts.take().at(0);
        QCOMPARE(figures.waitMemoryNs, std::int64_t{20});
        QCOMPARE(figures.waitSyncNs, std::int64_t{0});
        QCOMPARE(figures.blockedNs(), std::int64_t{20});
        QCOMPARE(figures.overlap.cpuNs, std::int64_t{30});
    }

    void spansTooLateForTheirFrameAreCounted()
    {
        FrameMetricsBuilder accounts = metrics();
        accounts.frameStarted(0, 0);
        accounts.finish(100);
        accounts.resolved(100);
        accounts.add(spanOf(kStream0, Category::Kernel, 10, 20));
        accounts.add(spanOf(kView, Category::Present, 10, 20)); // Never counted, so it cannot be missing.
        QCOMPARE(accounts.missedSpans(), std::uint64_t{1});
    }

    /// Without calls of `resolved`, spans are dropped but memory is bounded; decreasing times cause no crash.
    void hostileInputIsBounded()
    {
        FrameMetricsBuilder accounts = metrics();
        constexpr std::uint32_t kSpans = 300'000;
        for (std::uint32_t i = 0; i < kSpans; ++i)
            accounts.add(spanOf(kStream1, Category::Kernel, i, i + 1));
        QVERIFY(accounts.missedSpans() > kSpans / 2);
        for (std::uint32_t frame = 0; frame < 10'000; ++frame)
            accounts.frameStarted(frame, 1'000'000 - frame);
        QVERIFY(accounts.take().size() > 1000);
        accounts.add(spanOf(kGlQueue, Category::Draw, 50, -50)); // Ends before it starts.
        accounts.add(spanOf(999, Category::Kernel, 0, 10));      // An unknown lane.
        accounts.outputComplete(9'999, -5, 900);
        accounts.finish(-1);
        accounts.resolved(2'000'000);
        for (const FrameFigures &figures : accounts.take())
            QVERIFY(figures.periodNs() >= 0 && figures.frameNs >= 0 && figures.latencyNs >= 0);
        QVERIFY(accounts.take().empty());
    }
};

JETSCOPE_TEST(TestFrameMetricsBuilder)
#include "tst_framemetricsbuilder.moc"
