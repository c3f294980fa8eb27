// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/statistics.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

using namespace jetscope;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
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

FrameFigures frameOf(std::int64_t periodNs, std::int64_t cpuNs, std::int64_t gpuNs, std::int64_t bothNs)
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

    void noSampleHasNoSummary()
    {
        QVERIFY(!summarise({}));
        const std::vector<double> none = {kNan, kInfinity, -kInfinity};
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
        QCOMPARE(compareLowerIsBetter(*summary, {99, 0, {}, 1000}), Comparison::Unchanged);
    }

    void whatIsNotANumberIsLeftOut()
    {
        const auto summary = summarise(std::vector{2.0, kNan, 4.0, kInfinity});
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
        // Batches of two with means 1..20 and one outlier each end: 5 % of 20 drops one at each end.
        std::vector<double> samples;
        for (int mean = 1; mean <= 20; ++mean)
            samples.insert(samples.end(), {mean - 0.5, mean + 0.5});
        const StatisticsMethod method{.warmUp = 0, .batch = 2};
        QCOMPARE(summarise(samples, method)->central, 10.5);
        // Half of each end dropped leaves the middle, however far out the others are.
        const StatisticsMethod narrow{.warmUp = 0, .batch = 1, .trim = 0.5};
        QCOMPARE(summarise(std::vector{-1e9, 5.0, 1e12}, narrow)->central, 5.0);
    }

    void aRestShorterThanABatchIsNotABatch()
    {
        std::vector<double> samples(20, 1.0);
        samples.insert(samples.end(), 9, 1000.0);
        const auto summary = summarise(samples, {.warmUp = 0, .batch = 10});
        QCOMPARE(summary->central, 1.0);
        QCOMPARE(summary->percentiles.p99, 1000.0); // Percentiles take every frame.
    }

    void zeroInTheMethodIsHarmless()
    {
        const auto summary = summarise(std::vector{1.0, 2.0, 3.0}, {.warmUp = 0, .batch = 0, .trim = -3, .bootstrapRounds = 0});
        QCOMPARE(summary->central, 2.0);
        QVERIFY(summary->noise >= 0);
    }

    void constantSamplesHaveNoNoise()
    {
        QCOMPARE(summarise(std::vector<double>(500, 7.0))->noise, 0.0);
    }

    void noiseSeesTheWholeRun()
    {
        std::vector<double> samples(210, 1.0);
        samples.insert(samples.end(), 200, 2.0);
        const auto summary = summarise(samples);
        QCOMPARE(summary->central, 1.5);
        QCOMPARE(summary->noise, 0.5); // It could have been either half.
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

    void onlyADifferenceBeyondTheNoiseIsOne()
    {
        int claimed = 0;
        for (std::uint32_t trial = 0; trial < 100; ++trial) {
            const auto before = summarise(normalSamples(2 * trial, 410, 10, 1));
            const auto same = summarise(normalSamples(2 * trial + 1, 410, 10, 1));
            const auto faster = summarise(normalSamples(2 * trial + 1, 410, 9, 1));
            claimed += compareLowerIsBetter(*before, *same) != Comparison::Unchanged;
            QCOMPARE(compareLowerIsBetter(*before, *faster), Comparison::Better);
            QCOMPARE(compareLowerIsBetter(*faster, *before), Comparison::Worse);
        }
        QVERIFY2(claimed <= 5, qPrintable(QString::number(claimed)));
        QCOMPARE(compareLowerIsBetter({kNan, 0, {}, 1}, {1, 0, {}, 1}), Comparison::Unchanged);
    }

    void framesBecomeRunFigures()
    {
        std::vector<FrameFigures> frames(10, frameOf(900'000'000, 0, 0, 0)); // Warm-up
        for (int i = 0; i < 100; ++i) {
            FrameFigures frame = frameOf(10'000'000, 6'000'000, 8'000'000, 3'000'000);
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
        QCOMPARE(*run.overlap, 0.5);
        QCOMPARE(run.parallelism, 14.0 / 11.0);
        QCOMPARE(run.blockedMs, 1.5);
        QCOMPARE(run.syncMs, 1.0);
        QCOMPARE(run.memoryMs, 0.5);
        QCOMPARE(run.slotMs, 0.25);
        QCOMPARE(run.inputMs, 0.125);
        QCOMPARE(run.cpuBusyMs, 6.0);
        QCOMPARE(run.gpuBusyMs, 8.0);
        QCOMPARE(run.bytesCopiedPerFrame, 4096.0);
    }

    void runFiguresOfNothingAreZero()
    {
        const RunFigures run = summariseFrames({});
        QCOMPARE(run.frames, std::size_t{0});
        QCOMPARE(run.fps, 0.0);
        QVERIFY(!run.overlap);
        QCOMPARE(run.parallelism, 1.0);
        QVERIFY(!summariseFrames(std::vector{frameOf(1000, 500, 0, 0)}).overlap);
        QCOMPARE(summariseFrames(std::vector{frameOf(0, 0, 0, 0)}).fps, 0.0);
    }
};

QTEST_GUILESS_MAIN(TestStatistics)
#include "tst_statistics.moc"
