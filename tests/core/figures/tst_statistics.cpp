// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/figures/averages.h"
#include "core/figures/statistics.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

using namespace jetscope;

namespace {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<double> normalSamples(std::uint32_t seed, std::size_t size, double mean, double deviation)
{
    std::mt19937 random(seed);
    std::normal_distribution<double> normal(mean, deviation);
    std::vector<double> samples(size);
    for (double &sample : samples)
        sample = normal(random);
    return samples;
}

FrameFigures figuresOf(std::int64_t periodNs, std::int64_t cpuNs, std::int64_t gpuNs, std::int64_t bothNs)
{
    FrameFigures frame;
    frame.overlap = {periodNs, cpuNs, gpuNs, bothNs, periodNs - (cpuNs + gpuNs - bothNs)};
    return frame;
}

} // namespace

class TestStatistics : public QObject {
    Q_OBJECT

private slots:
    void percentilesInterpolateBetweenRanks()
    {
        const std::vector<double> sorted = {10, 20, 30, 40, 50};
        QCOMPARE(percentileOf(sorted, 0), 10.0);
        QCOMPARE(percentileOf(sorted, 0.5), 30.0);
        QCOMPARE(percentileOf(sorted, 0.95), 48.0);
        QCOMPARE(percentileOf(sorted, 1), 50.0);
        QCOMPARE(percentileOf(sorted, -1), 10.0);
        QCOMPARE(percentileOf(sorted, 7), 50.0);
        QCOMPARE(percentileOf(std::vector{4.0}, 0.95), 4.0);
    }

    void orderDoesNotMatter()
    {
        QCOMPARE(percentileOfUnsorted({}, 0.5), 0.0);
        QCOMPARE(medianOf({4, 1, 3, 2}), 2.5);
        for (std::size_t size = 1; size < 40; ++size) {
            const std::vector<double> samples = normalSamples(static_cast<std::uint32_t>(size), size, 5, 2);
            std::vector<double> sorted = samples;
            std::sort(sorted.begin(), sorted.end());
            for (const double fraction : {-1.0, 0.0, 0.01, 0.5, 0.95, 0.99, 1.0, 2.0})
                QCOMPARE(percentileOfUnsorted(samples, fraction), percentileOf(sorted, fraction));
        }
    }

    void noSampleHasNoSummary()
    {
        QVERIFY(!summarise({}));
        const std::vector<double> none = {kNoValue, kInfinity, -kInfinity};
        QVERIFY(!summarise(none));
    }

    void oneSampleIsItselfAndItsNoiseUnknown()
    {
        const auto summary = summarise(std::vector{3.0});
        QVERIFY(summary.has_value());
        QCOMPARE(summary->central, 3.0);
        QCOMPARE(summary->percentiles.p99, 3.0);
        QCOMPARE(summary->samples, std::size_t{1});
        QVERIFY(std::isinf(summary->noise));
    }

    void whatIsNotANumberIsLeftOut()
    {
        const auto summary = summarise(std::vector{2.0, kNoValue, 4.0, kInfinity});
        QCOMPARE(summary->samples, std::size_t{2});
        QCOMPARE(summary->central, 3.0);
        QVERIFY(std::isfinite(summary->noise));
    }

    void warmUpIsLeftOutUnlessItIsAllThereIs()
    {
        std::vector<double> samples(10, 100.0);
        QCOMPARE(summarise(samples)->samples, std::size_t{10});
        QCOMPARE(summarise(samples)->central, 100.0);
        samples.insert(samples.end(), 20, 1.0);
        QCOMPARE(summarise(samples)->samples, std::size_t{20});
        QCOMPARE(summarise(samples)->percentiles.p99, 1.0);
    }

    void centralIsTheMedianOfTrimmedBatchMeans()
    {
        // Batches of two with means 1..20 and an outlier at each end: 5 % of 20 drops one at each end.
        std::vector<double> samples;
        for (int mean = 1; mean <= 20; ++mean)
            samples.insert(samples.end(), {mean - 0.5, mean + 0.5});
        const StatisticsMethod method{.warmUp = 0, .batch = 2};
        QCOMPARE(summarise(samples, method)->central, 10.5);
        // Dropping half at each end leaves the middle, regardless of outliers.
        const StatisticsMethod narrow{.warmUp = 0, .batch = 1, .trim = 0.5};
        QCOMPARE(summarise(std::vector{-1e9, 5.0, 1e12}, narrow)->central, 5.0);
    }

    void aRestShorterThanABatchIsNotABatch()
    {
        std::vector<double> samples(20, 1.0);
        samples.insert(samples.end(), 9, 1000.0);
        const auto summary = summarise(samples, {.warmUp = 0, .batch = 10});
        QCOMPARE(summary->central, 1.0);
        QCOMPARE(summary->percentiles.p99, 1000.0); // Percentiles use every frame.
    }

    void zeroInTheMethodIsHarmless()
    {
        const auto summary =
            summarise(std::vector{1.0, 2.0, 3.0}, {.warmUp = 0, .batch = 0, .trim = -3, .bootstrapRounds = 0});
        QCOMPARE(summary->central, 2.0);
        QVERIFY(summary->noise >= 0);
    }

    void constantSamplesHaveNoNoise() { QCOMPARE(summarise(std::vector<double>(500, 7.0))->noise, 0.0); }

    void noiseSeesTheWholeRun()
    {
        std::vector<double> samples(210, 1.0);
        samples.insert(samples.end(), 200, 2.0);
        const auto summary = summarise(samples);
        QCOMPARE(summary->central, 1.5);
        QCOMPARE(summary->noise, 0.5); // Either half was equally likely.
    }

    void equalSamplesGiveEqualFigures()
    {
        const auto samples = normalSamples(3, 500, 10, 1);
        QCOMPARE(summarise(samples)->noise, summarise(samples)->noise);
    }

    void noiseCoversTheTruthAboutNineteenTimesInTwenty()
    {
        int covered = 0;
        constexpr int kTrials = 200;
        for (std::uint32_t trial = 0; trial < kTrials; ++trial) {
            const auto summary = summarise(normalSamples(trial, 410, 10, 1));
            covered += std::abs(summary->central - 10) <= summary->noise;
        }
        QVERIFY2(covered >= kTrials * 85 / 100 && covered < kTrials, qPrintable(QString::number(covered)));
    }

    void moreSamplesMeanLessNoise()
    {
        QVERIFY(summarise(normalSamples(5, 10010, 10, 1))->noise * 2 < summarise(normalSamples(5, 410, 10, 1))->noise);
    }

    void framesBecomeRunFigures()
    {
        std::vector<FrameFigures> frames(10, figuresOf(900'000'000, 0, 0, 0)); // Warm-up
        for (int i = 0; i < 100; ++i) {
            FrameFigures frame = figuresOf(10'000'000, 6'000'000, 8'000'000, 3'000'000);
            frame.waitSyncNs = 1'000'000;
            frame.waitMemoryNs = 500'000;
            frame.waitSlotNs = 250'000;
            frame.waitInputNs = 125'000;
            frame.frameNs = 12'000'000;
            frame.latencyNs = i % 2 ? 15'000'000 : 0; // Unknown for every other frame.
            frame.bytesCopied = 4096;
            frames.push_back(frame);
        }
        const RunFigures run = summariseFrames(frames);
        QCOMPARE(run.frames, std::size_t{110});
        QCOMPARE(run.fps, 100.0);
        QCOMPARE(run.periodMs.p99, 10.0);
        QCOMPARE(run.frameMs.p50, 12.0);
        QCOMPARE(run.latencyMs.p50, 15.0);
        QCOMPARE(*run.pooled.overlap(), 0.5);
        QCOMPARE(run[Figure::Parallelism], 14.0 / 11.0);
        QCOMPARE(run[Figure::Blocked], 1.5);
        QCOMPARE(run[Figure::WaitSync], 1.0);
        QCOMPARE(run[Figure::WaitMemory], 0.5);
        QCOMPARE(run[Figure::WaitSlot], 0.25);
        QCOMPARE(run[Figure::WaitInput], 0.125);
        QCOMPARE(run[Figure::CpuBusy], 6.0);
        QCOMPARE(run[Figure::GpuBusy], 8.0);
        QCOMPARE(run[Figure::BytesCopied], 4096.0);
    }

    /// A pipeline ends in the middle of its last period.
    void theLastPeriodOfAPipelineSaysNothing()
    {
        std::vector<FrameFigures> frames(12);
        for (std::size_t i = 0; i < frames.size(); ++i)
            frames[i].overlap.periodNs = i + 1 < frames.size() ? 10'000'000 : 1'000'000;
        StatisticsMethod method;
        method.lastIsCut = true;
        QCOMPARE(summariseFrames(frames, method).fps, 100.0);
        QCOMPARE(summariseFrames(frames, method).periodMs.p50, 10.0);
        const RunFigures one = summariseFrames(std::span(frames).first(1), method);
        QVERIFY(!readingOf(one, Figure::Rate).value && !readingOf(one, Figure::Period).value);
        method.lastIsCut = false;
        QVERIFY(summariseFrames(frames, method).fps > 150);
    }

    void overlapIsPooledOverAllFrames()
    {
        std::mt19937 random(5);
        std::vector<FrameFigures> frames;
        std::int64_t cpu = 0;
        std::int64_t gpu = 0;
        std::int64_t both = 0;
        for (int i = 0; i < 200; ++i) {
            const std::int64_t c = random() % 5'000'000;
            const std::int64_t g = random() % 5'000'000;
            const std::int64_t b = std::min(c, g) / (1 + random() % 4);
            frames.push_back(figuresOf(10'000'000, c, g, b));
            if (i < 10)
                continue;
            cpu += c;
            gpu += g;
            both += b;
        }
        const RunFigures run = summariseFrames(frames);
        QCOMPARE(*run.pooled.overlap(), static_cast<double>(both) / static_cast<double>(std::min(cpu, gpu)));
    }

    /// A run without CPU work has no overlap, even if a few of its frames have one.
    void aFewFramesDoNotMakeAnOverlap()
    {
        std::vector<FrameFigures> frames(200, figuresOf(5'000'000, 2'000, 4'000'000, 2'000));
        for (std::size_t i = 50; i < 53; ++i)
            frames[i] = figuresOf(5'000'000, 200'000, 4'000'000, 194'000);
        QVERIFY(frames[50].overlap.overlap());
        const RunFigures run = summariseFrames(frames);
        QVERIFY(!run.pooled.overlap());
        QCOMPARE(run.pooled.overlapReason(),
                 std::string("the CPU was busy 0.1 % of the time: there is nothing to overlap"));
    }

    void boundedGpuTimesGiveTwoFigures()
    {
        FrameFigures frame = figuresOf(10'000'000, 6'000'000, 4'000'000, 3'000'000);
        frame.overlap.gpuBoundedNs = 1'000'000;
        frame.overlap.bothBoundedNs = 500'000;
        const RunFigures run = summariseFrames(std::vector<FrameFigures>(40, frame));
        QCOMPARE(run[Figure::GpuBusy], 4.0);
        QCOMPARE(run.least(Figure::GpuBusy), 3.0);
        QVERIFY(!run.pooled.overlap());
        QCOMPARE(run.pooled.overlapBounds()->atLeast, 2.5 / 3.5);
        QCOMPARE(run.pooled.overlapBounds()->atMost, 3.0 / 3.5);
    }

    void headroomIsWhatNothingLimits_data()
    {
        QTest::addColumn<qint64>("source");
        QTest::addColumn<qint64>("capture");
        QTest::addColumn<double>("headroom");
        QTest::addColumn<QString>("limit");
        QTest::newRow("the GPU") << qint64{0} << qint64{0} << 0.2 << "the GPU";
        QTest::newRow("a source of 9 ms") << qint64{9'000'000} << qint64{0} << 0.1 << "the source";
        QTest::newRow("a source that is faster") << qint64{7'000'000} << qint64{0} << 0.2 << "the GPU";
        QTest::newRow("a reader of 9.5 ms") << qint64{0} << qint64{9'500'000} << 0.05 << "the capture thread";
        QTest::newRow("a source slower than the period") << qint64{11'000'000} << qint64{0} << 0.0 << "the source";
    }
    void headroomIsWhatNothingLimits()
    {
        QFETCH(qint64, source);
        QFETCH(qint64, capture);
        FrameFigures frame = figuresOf(10'000'000, 6'000'000, 8'000'000, 3'000'000);
        frame.sourcePeriodNs = source;
        frame.captureBusyNs = capture;
        std::vector<FrameFigures> frames(40, frame);
        frames[12].sourcePeriodNs = kSourcePeriodUnknown; // The other frames determine the period.
        const RunFigures run = summariseFrames(frames);
        QVERIFY(run.headroom.ratio());
        QFETCH(double, headroom);
        QFETCH(QString, limit);
        QVERIFY(std::abs(*run.headroom.ratio() - headroom) < 1e-9);
        QCOMPARE(QString::fromStdString(run.headroom.limit()), limit);
    }

    void headroomSaysWhyItIsNotKnown()
    {
        FrameFigures frame = figuresOf(10'000'000, 1'000'000, 8'000'000, 0);
        QCOMPARE(summariseFrames(std::vector<FrameFigures>(40, frame)).headroom.reason(),
                 std::string("the source's own period is not known"));
        frame.sourcePeriodNs = kNoSourcePeriod;
        frame.overlap.gpuBoundedNs = 3'000'000;
        const Headroom headroom = summariseFrames(std::vector<FrameFigures>(40, frame)).headroom;
        QVERIFY(!headroom.ratio());
        QVERIFY2(headroom.reason().starts_with("between 20 and 50 %: "), headroom.reason().c_str());
        QCOMPARE(summariseFrames({}).headroom.reason(), std::string("no time has been measured yet"));
    }

    void runFiguresOfNothingAreZero()
    {
        const RunFigures run = summariseFrames({});
        QCOMPARE(run.frames, std::size_t{0});
        QCOMPARE(run.fps, 0.0);
        QVERIFY(!run.pooled.overlap());
        QVERIFY(!readingOf(run, Figure::Parallelism).value);
        QVERIFY(!summariseFrames(std::vector{figuresOf(1000, 500, 0, 0)}).pooled.overlap());
        QCOMPARE(summariseFrames(std::vector{figuresOf(0, 0, 0, 0)}).fps, 0.0);
    }
};

JETSCOPE_TEST(TestStatistics)
#include "tst_statistics.moc"
