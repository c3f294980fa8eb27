// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/lanework.h"

#include <QTest>

#include <algorithm>
#include <bitset>
#include <limits>
#include <random>

using namespace jetscope;

namespace {

constexpr std::size_t kTicks = 400;
using Ticks = std::bitset<kTicks>;

Intervals randomPieces(std::mt19937 &random, int most)
{
    std::uniform_int_distribution<std::int64_t> at(0, kTicks);
    Intervals pieces(std::uniform_int_distribution<std::size_t>(0, static_cast<std::size_t>(most))(random));
    for (Interval &piece : pieces)
        piece = {at(random), at(random)}; // Empty and reversed ones included.
    return pieces;
}

Ticks ticksOf(const Intervals &pieces)
{
    Ticks ticks;
    for (const Interval &piece : pieces)
        for (std::int64_t t = piece.startNs; t < piece.endNs; ++t)
            ticks.set(static_cast<std::size_t>(t));
    return ticks;
}

/// Sorted, without empty pieces, and with a gap between any two.
bool isNormal(const Intervals &pieces)
{
    for (std::size_t i = 0; i < pieces.size(); ++i)
        if (pieces[i].startNs >= pieces[i].endNs || (i > 0 && pieces[i - 1].endNs >= pieces[i].startNs))
            return false;
    return true;
}

std::int64_t count(const Ticks &ticks)
{
    return static_cast<std::int64_t>(ticks.count());
}

/// The work of one CPU and one GPU lane.
LaneWork workOf(Interval period, const Intervals &cpu, const Intervals &gpu)
{
    LaneWork work(period);
    for (const Interval &piece : cpu)
        work.add(0, LaneRole::Pipeline, 0, Category::Submit, piece);
    for (const Interval &piece : gpu)
        work.add(1, LaneRole::DeviceStream, 0, Category::Kernel, piece);
    return work;
}

Overlap overlapIn(Interval period, const Intervals &cpu, const Intervals &gpu)
{
    return workOf(period, cpu, gpu).overlap();
}

/// Two lanes of each side, with waits on one of the CPU's, tick by tick beside what is made of them.
struct RandomLanes {
    LaneWork work;
    Ticks cpu;
    Ticks gpu;

    RandomLanes(std::mt19937 &random, Interval period) : work(period)
    {
        cpu = add(random, 0, LaneRole::Pipeline) & ~addWaits(random, 0, LaneRole::Pipeline);
        cpu |= add(random, 1, LaneRole::CpuStage);
        gpu = add(random, 2, LaneRole::DeviceStream) | add(random, 3, LaneRole::GlQueue);
        add(random, 4, LaneRole::Capture); // Counts for neither.
    }

private:
    Ticks add(std::mt19937 &random, LaneId lane, LaneRole role, Category category = Category::Submit)
    {
        const Intervals pieces = randomPieces(random, 6);
        for (const Interval &piece : pieces)
            work.add(lane, role, 0, category, piece);
        return ticksOf(pieces);
    }
    Ticks addWaits(std::mt19937 &random, LaneId lane, LaneRole role)
    {
        return add(random, lane, role, Category::WaitSync);
    }
};

} // namespace

class TestOverlap : public QObject {
    Q_OBJECT

private slots:
    void overlapMatchesBruteForce()
    {
        std::mt19937 random(2);
        std::uniform_int_distribution<std::int64_t> at(0, kTicks);
        for (int round = 0; round < 3000; ++round) {
            Interval period{at(random), at(random)};
            if (period.endNs < period.startNs)
                std::swap(period.startNs, period.endNs);
            RandomLanes lanes(random, period);
            const Ticks inside = ticksOf({period});
            const Ticks c = lanes.cpu & inside;
            const Ticks g = lanes.gpu & inside;

            const Overlap overlap = lanes.work.overlap();
            QCOMPARE(overlap.periodNs, count(inside));
            QCOMPARE(overlap.cpuNs, count(c));
            QCOMPARE(overlap.gpuNs, count(g));
            QCOMPARE(overlap.bothNs, count(c & g));
            QCOMPARE(overlap.idleNs, count(inside & ~(c | g)));
            const double either = static_cast<double>(count(c | g));
            QCOMPARE(overlap.parallelism(), either > 0 ? static_cast<double>(count(c) + count(g)) / either : 1.0);

            const Intervals cpuOnly = lanes.work.when([](const BusyLanes &busy) { return busy.cpu() && !busy.gpu(); });
            QVERIFY(isNormal(cpuOnly));
            QCOMPARE(ticksOf(cpuOnly), c & ~g);
        }
    }

    void touchingPiecesBecomeOne()
    {
        LaneWork work = workOf({0, 20}, {{5, 9}, {0, 5}, {9, 9}, {7, 3}}, {});
        QCOMPARE(work.when([](const BusyLanes &busy) { return busy.cpu(); }), (Intervals{{0, 9}}));
    }

    void whatIsUsedAgainForgets()
    {
        LaneWork work = workOf({0, 20}, {{5, 9}}, {{0, 20}});
        work.add(0, LaneRole::Pipeline, 0, Category::WaitSync, {9, 12});
        work.restart({100, 110});
        work.add(1, LaneRole::Pipeline, 0, Category::Submit, {0, 104}); // Another role than this lane had before.
        QCOMPARE(work.overlap().cpuNs, std::int64_t{4});
        QCOMPARE(work.overlap().gpuNs, std::int64_t{0});
        QCOMPARE(work.waits().syncNs, std::int64_t{0});
    }

    void timesOfARealClockDoNotOverflow()
    {
        constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();
        const Overlap overlap = overlapIn({kEnd - 100, kEnd}, {{kEnd - 50, kEnd}}, {{kEnd - 75, kEnd - 25}});
        QCOMPARE(overlap.bothNs, std::int64_t{25});
        QCOMPARE(overlap.idleNs, std::int64_t{25});
    }

    void overlapIsNoneWhenTheSmallerSideIsUnderTwoPercent_data()
    {
        QTest::addColumn<qint64>("gpuNs");
        QTest::addColumn<bool>("known");
        QTest::newRow("nothing") << qint64{0} << false;
        QTest::newRow("just under") << qint64{19} << false;
        QTest::newRow("two percent") << qint64{20} << true;
    }
    void overlapIsNoneWhenTheSmallerSideIsUnderTwoPercent()
    {
        QFETCH(qint64, gpuNs);
        QFETCH(bool, known);
        const Overlap overlap = overlapIn({0, 1000}, {{0, 500}}, {{490, 490 + gpuNs}});
        QCOMPARE(overlap.overlap().has_value(), known);
        if (known)
            QCOMPARE(*overlap.overlap(), 0.5);
    }

    void serialIsOneAndPerfectIsTwo()
    {
        QCOMPARE(overlapIn({0, 100}, {{0, 50}}, {{50, 100}}).parallelism(), 1.0);
        QCOMPARE(overlapIn({0, 100}, {{0, 100}}, {{0, 100}}).parallelism(), 2.0);
        QCOMPARE(overlapIn({0, 100}, {}, {}).parallelism(), 1.0);
        QCOMPARE(*overlapIn({0, 100}, {{0, 100}}, {{0, 100}}).overlap(), 1.0);
    }

    void aReversedPeriodIsEmpty()
    {
        const Overlap overlap = overlapIn({10, 5}, {{0, 20}}, {{0, 20}});
        QCOMPARE(overlap.periodNs, std::int64_t{0});
        QCOMPARE(overlap.cpuNs, std::int64_t{0});
        QCOMPARE(overlap.idleNs, std::int64_t{0});
    }
};

QTEST_GUILESS_MAIN(TestOverlap)
#include "tst_overlap.moc"
