// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/method/turns.h"
#include "core/measure/sweep/sweepresult.h"
#include "tests/core/syntheticdevice.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace jetscope;
using test::SyntheticDevice;

namespace {

/// Frames of a stretch, with ten frames of warm-up that take five times as long.
std::vector<FrameFigures> framesOf(SyntheticDevice &device, double ms, std::size_t count)
{
    std::vector<FrameFigures> frames(count + 10);
    for (std::size_t i = 0; i < frames.size(); ++i) {
        FrameFigures &frame = frames[i];
        const double value = device.frame(ms) * (i < 10 ? 5 : 1);
        frame.frame = static_cast<std::uint32_t>(i);
        frame.frameNs = std::llround(value * 1e6);
        frame.latencyNs = 2 * frame.frameNs;
        frame.overlap = {frame.frameNs, frame.frameNs / 2, frame.frameNs / 2, frame.frameNs / 4, frame.frameNs / 4};
        frame.waitSyncNs = frame.frameNs / 10;
        frame.bytesCopied = 1000;
        frame.sourcePeriodNs = kNoSourcePeriod;
    }
    return frames;
}

SweepResult measured(SyntheticDevice &device, const std::vector<double> &levels, std::size_t rounds,
                     std::size_t frames = 50)
{
    SweepResult result(levels.size());
    for (std::size_t round = 0; round < rounds; ++round)
        for (std::size_t cell = 0; cell < levels.size(); ++cell)
            result.add(cell, round, figuresOfStretch(framesOf(device, levels[cell], frames)));
    return result;
}

} // namespace

class TestSweepResult : public QObject {
    Q_OBJECT

private slots:
    void aStretchHasEveryFigure()
    {
        SyntheticDevice device(1);
        device.delayed = 0;
        const StretchFigures stretch = figuresOfStretch(framesOf(device, 5, 47), {0.7, 3.5});
        const auto batches = [&](Figure metric) { return stretch.batches[static_cast<std::size_t>(metric)]; };
        QCOMPARE(batches(Figure::Period).size(), std::size_t{4});
        QCOMPARE(batches(Figure::FrameP50).size(), std::size_t{4});
        QCOMPARE(batches(Figure::FrameP99).size(), std::size_t{1});
        QVERIFY(std::abs(batches(Figure::Period)[0] - 5) < 0.3);
        QVERIFY(std::abs(batches(Figure::Latency)[0] - 10) < 0.6);
        QVERIFY(std::abs(batches(Figure::Blocked)[0] - 0.5) < 0.03);
        QVERIFY(std::abs(batches(Figure::Overlap)[0] - 0.5) < 0.01);
        QVERIFY(std::abs(batches(Figure::Headroom)[0] - 0.5) < 0.01);
        QCOMPARE(batches(Figure::BytesCopied)[0], 1000.0);
        QCOMPARE(batches(Figure::CpuUse)[0], 0.7);
        QCOMPARE(batches(Figure::Energy)[0], 3.5);
        QCOMPARE(stretch.frameMs.size(), std::size_t{47}); // Without warm-up, with the incomplete batch.
        QVERIFY(figuresOfStretch({}).frameMs.empty());
        QVERIFY(figuresOfStretch({}, {0.5, {}}).batches[static_cast<std::size_t>(Figure::Period)].empty());
    }

    void percentilesAreThoseOfUntrimmedFrames()
    {
        SweepResult result(1);
        for (std::size_t round = 0; round < 5; ++round) {
            std::vector<FrameFigures> frames(50);
            for (std::size_t i = 0; i < frames.size(); ++i)
                frames[i].frameNs = i % 25 == 24 ? 50'000'000 : 5'000'000; // 4 % are delayed.
            result.add(0, round, figuresOfStretch(frames, {}, StatisticsMethod{0, 10, 0.05, 200}));
        }
        const Summary summary = result.summary(0, Figure::FrameP50).value();
        QCOMPARE(summary.central, 5.0);
        QCOMPARE(summary.percentiles.p50, 5.0);
        QCOMPARE(summary.percentiles.p99, 50.0);
        QCOMPARE(summary.samples, std::size_t{250});
        QCOMPARE(result.distribution(0).percentiles.p99, 50.0);
        QVERIFY(!result.summary(0, Figure::Energy));
    }

    void theBestCellAndItsTies()
    {
        SyntheticDevice device(3);
        SweepResult result = measured(device, {6, 5, 5.01, 5.6, 9}, 8);
        for (const Figure metric : {Figure::Period, Figure::FrameP50, Figure::Latency}) {
            const Ranking ranking = result.ranking(metric);
            QCOMPARE(ranking.ties, (std::vector<std::size_t>{1, 2}));
        }
        QCOMPARE(result.compare(1, 4, Figure::Period).verdict, Comparison::Worse);
        QCOMPARE(result.compare(1, 4, Figure::Overlap).verdict, Comparison::Unchanged);
        QCOMPARE(result.compare(1, 4, Figure::BytesCopied).verdict, Comparison::Unchanged);
        result.fail(1, "the device was lost");
        QCOMPARE(result.ranking(Figure::Period).best, std::size_t{2});
        QCOMPARE(result.failureOf(1), std::string("the device was lost"));
        QCOMPARE(result.roundsOf(1), std::size_t{8});
        QVERIFY(result.summary(1, Figure::Period).has_value());
    }

    /// Four rounds of one cell say little about its noise; those of 40 cells say enough.
    void verdictsUseTheNoiseOfAllCells()
    {
        SyntheticDevice device(6);
        std::vector<double> levels(40, 5.5);
        levels[0] = 5;
        const SweepResult result = measured(device, levels, 4);
        std::size_t worse = 0;
        for (std::size_t cell = 1; cell < levels.size(); ++cell)
            worse += result.compare(0, cell, Figure::Period).verdict == Comparison::Worse ? 1 : 0;
        QVERIFY2(worse >= 36, qPrintable(QString::number(worse)));
        const std::size_t ties = result.ranking(Figure::Period).ties.size();
        QVERIFY2(ties <= 3, qPrintable(QString::number(ties)));
        QVERIFY(result.isSettled(Figure::FrameP50));
    }

    /// Of two works the faster one has a clear best at once, and the other has none yet.
    void eachWorkIsSettledByItself()
    {
        SyntheticDevice device(8);
        SweepResult result(4);
        for (std::size_t cell = 0; cell < 4; ++cell)
            for (std::size_t round = 0; round < (cell < 2 ? 4 : 2); ++round)
                result.add(cell, round, figuresOfStretch(framesOf(device, 1 + static_cast<double>(cell), 50)));
        QVERIFY(result.isSettled(Figure::Period));
        QVERIFY(!result.isSettled(Figure::Period, std::vector<std::size_t>{0, 0, 1, 1}));
        QVERIFY(result.isSettled(Figure::Period, std::vector<std::size_t>(4)));
    }

    void theMetricsHaveDirections()
    {
        SweepResult result(2);
        for (std::size_t round = 0; round < 6; ++round)
            for (std::size_t cell = 0; cell < 2; ++cell) {
                StretchFigures figures;
                const double share = 0.3 + 0.3 * static_cast<double>(cell) + 0.001 * static_cast<double>(round % 3);
                for (const Figure metric : {Figure::Overlap, Figure::Headroom})
                    figures.batches[static_cast<std::size_t>(metric)] = {share};
                result.add(cell, round, figures);
            }
        QCOMPARE(result.ranking(Figure::Overlap).ties, std::vector<std::size_t>{1});
        QCOMPARE(result.ranking(Figure::Headroom).ties, std::vector<std::size_t>{0});
    }

    void gapsAndRepetitionsAreAllowed()
    {
        SyntheticDevice device(4);
        SweepResult result(2);
        result.add(0, 3, figuresOfStretch(framesOf(device, 5, 50)));
        result.add(0, 3, figuresOfStretch(framesOf(device, 7, 50)));
        result.add(9, 0, {});
        result.add(0, 1'000'000'000, {});
        QCOMPARE(result.roundsOf(0), std::size_t{1});
        QCOMPARE(result.roundFigures(0, Figure::Period).size(), std::size_t{4});
        QVERIFY(std::isnan(result.roundFigures(0, Figure::Period)[0]));
        QVERIFY(result.roundFigures(0, Figure::Period)[3] > 6.5);
        QVERIFY(result.ranking(Figure::Period).ties.empty());
        QVERIFY(!result.isSettled(Figure::Period));
    }

    /// The stop rule looks several times; still the true best is rarely lost.
    void theStopRuleKeepsTheTrueBest()
    {
        int missing = 0;
        int settled = 0;
        std::size_t rounds = 0;
        constexpr int kSweeps = 100;
        for (int sweep = 0; sweep < kSweeps; ++sweep) {
            SyntheticDevice device(static_cast<std::uint32_t>(sweep) + 70);
            std::vector<double> levels{5, 5.02, 5.4, 6, 6.1, 6.3, 7, 8, 9, 10};
            SweepResult result(levels.size());
            std::size_t round = 0;
            while (round < 24 && !result.isSettled(Figure::FrameP50)) {
                for (std::size_t cell = 0; cell < levels.size(); ++cell)
                    result.add(cell, round, figuresOfStretch(framesOf(device, levels[cell], 50)));
                ++round;
            }
            rounds += round;
            settled += result.isSettled(Figure::FrameP50) ? 1 : 0;
            const std::vector<std::size_t> ties = result.ranking(Figure::FrameP50).ties;
            missing += std::find(ties.begin(), ties.end(), 0) == ties.end() ? 1 : 0;
        }
        qInfo("settled %d, missing %d, rounds %.1f", settled, missing, static_cast<double>(rounds) / kSweeps);
        QVERIFY2(settled >= 95, qPrintable(QString::number(settled)));
        QVERIFY2(missing <= 3, qPrintable(QString::number(missing)));
    }
};

JETSCOPE_TEST(TestSweepResult)
#include "tst_sweepresult.moc"
