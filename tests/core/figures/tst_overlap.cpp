// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/figures/busytimesweep.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <algorithm>
#include <bitset>
#include <limits>
#include <optional>
#include <random>

using namespace jetscope;

namespace {

constexpr std::size_t kSetTicks = 400;
using TickSet = std::bitset<kSetTicks>;

Intervals randomPieces(std::mt19937 &random, int most)
{
    std::uniform_int_distribution<std::int64_t> at(0, kSetTicks);
    Intervals pieces(std::uniform_int_distribution<std::size_t>(0, static_cast<std::size_t>(most))(random));
    for (Interval &piece : pieces)
        piece = {at(random), at(random)}; // Includes empty and reversed intervals.
    return pieces;
}

TickSet ticksOf(const Intervals &pieces)
{
    TickSet ticks;
    for (const Interval &piece : pieces)
        for (std::int64_t t = piece.startNs; t < piece.endNs; ++t)
            ticks.set(static_cast<std::size_t>(t));
    return ticks;
}

/// Sorted, without empty intervals, and with gaps between them.
bool isNormal(const Intervals &pieces)
{
    for (std::size_t i = 0; i < pieces.size(); ++i)
        if (pieces[i].startNs >= pieces[i].endNs || (i > 0 && pieces[i - 1].endNs >= pieces[i].startNs))
            return false;
    return true;
}

std::int64_t count(const TickSet &ticks)
{
    return static_cast<std::int64_t>(ticks.count());
}

/// The work of one CPU lane and one GPU lane.
BusyTimeSweep workOf(Interval period, const Intervals &cpu, const Intervals &gpu)
{
    BusyTimeSweep work(period);
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

/// Two lanes per side, with waits on one CPU lane, and the same data tick by tick.
struct RandomLanes {
    BusyTimeSweep work;
    TickSet cpu;
    TickSet gpu;

    RandomLanes(std::mt19937 &random, Interval period) : work(period)
    {
        cpu = add(random, 0, LaneRole::Pipeline) & ~addWaits(random, 0, LaneRole::Pipeline);
        cpu |= add(random, 1, LaneRole::CpuStage);
        gpu = add(random, 2, LaneRole::DeviceStream) | add(random, 3, LaneRole::GlQueue);
        add(random, 4, LaneRole::Capture); // Counts as neither CPU nor GPU.
    }

private:
    TickSet add(std::mt19937 &random, LaneId lane, LaneRole role, Category category = Category::Submit)
    {
        const Intervals pieces = randomPieces(random, 6);
        for (const Interval &piece : pieces)
            work.add(lane, role, 0, category, piece);
        return ticksOf(pieces);
    }
    TickSet addWaits(std::mt19937 &random, LaneId lane, LaneRole role)
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
        std::uniform_int_distribution<std::int64_t> at(0, kSetTicks);
        for (int round = 0; round < 3000; ++round) {
            Interval period{at(random), at(random)};
            if (period.endNs < period.startNs)
                std::swap(period.startNs, period.endNs);
            RandomLanes lanes(random, period);
            const TickSet inside = ticksOf({period});
            const TickSet c = lanes.cpu & inside;
            const TickSet g = lanes.gpu & inside;

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
        BusyTimeSweep work = workOf({0, 20}, {{5, 9}, {0, 5}, {9, 9}, {7, 3}}, {});
        QCOMPARE(work.when([](const BusyLanes &busy) { return busy.cpu(); }), (Intervals{{0, 9}}));
    }

    void restartDiscardsTheOldSums()
    {
        BusyTimeSweep work = workOf({0, 20}, {{5, 9}}, {{0, 20}});
        work.add(0, LaneRole::Pipeline, 0, Category::WaitSync, {9, 12});
        work.restart({100, 110});
        work.add(1, LaneRole::Pipeline, 0, Category::Submit, {0, 104}); // With a different role than before.
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

    void saysWhyThereIsNone()
    {
        QCOMPARE(overlapIn({0, 1000}, {{0, 1}}, {{0, 500}}).overlapReason(),
                 std::string("the CPU was busy 0.1 % of the time: there is nothing to overlap"));
        QCOMPARE(overlapIn({0, 100'000}, {{0, 50'000}}, {{0, 1}}).overlapReason(),
                 std::string("the GPU was busy less than 0.1 % of the time: there is nothing to overlap"));
        QCOMPARE(overlapIn({0, 1000}, {{0, 500}}, {}).overlapReason(),
                 std::string("the GPU was not busy at all: there is nothing to overlap"));
        QCOMPARE(Overlap().overlapReason(), std::string("no time has been measured yet"));
        QCOMPARE(overlapIn({0, 1000}, {{0, 500}}, {{0, 500}}).overlapReason(), std::string());
    }

    /// The result for any actual times of the bounded work is within the bounds, and both bounds are reached: all
    /// combinations are tried.
    void boundsHoldForEveryTruth()
    {
        std::mt19937 random(7);
        constexpr int kSlots = 12;
        for (int round = 0; round < 300; ++round) {
            std::uniform_int_distribution<int> some(0, (1 << kSlots) - 1);
            const int cpu = some(random);
            const int certain = some(random);
            const int bounded = some(random) & some(random) & ~certain;
            BusyTimeSweep work({0, kSlots});
            for (int slot = 0; slot < kSlots; ++slot) {
                const auto add = [&](int in, LaneId lane, LaneRole role, Certainty certainty) {
                    if ((in >> slot & 1) != 0)
                        work.add(lane, role, 0, Category::Kernel, {slot, slot + 1}, certainty);
                };
                add(cpu, 0, LaneRole::Pipeline, Certainty::Exact);
                add(certain, 1, LaneRole::DeviceStream, Certainty::Exact);
                add(bounded, 2, LaneRole::GlQueue, Certainty::Bounded);
            }
            const Overlap overlap = work.overlap();
            const auto bits = [](int set) {
                return static_cast<std::int64_t>(std::bitset<kSlots>(static_cast<unsigned>(set)).count());
            };
            QCOMPARE(overlap.gpuNs, bits(certain | bounded));
            QCOMPARE(overlap.gpuAtLeastNs(), bits(certain));
            QCOMPARE(overlap.bothAtLeastNs(), bits(certain & cpu));
            double least = 2;
            double most = -1;
            for (int hidden = bounded;; hidden = (hidden - 1) & bounded) {
                const int gpu = certain | hidden;
                if (const std::int64_t smaller = std::min(bits(cpu), bits(gpu)); smaller > 0) {
                    const double ratio = static_cast<double>(bits(cpu & gpu)) / static_cast<double>(smaller);
                    least = std::min(least, ratio);
                    most = std::max(most, ratio);
                }
                if (hidden == 0)
                    break;
            }
            const std::optional<RatioBounds> bounds = overlap.overlapBounds();
            QCOMPARE(bounds.has_value(), most >= 0);
            if (!bounds)
                continue;
            QCOMPARE(bounds->atLeast, least);
            QCOMPARE(bounds->atMost, most);
            QCOMPARE(overlap.overlap().has_value(), most - least <= 0.05);
            if (overlap.overlap())
                QVERIFY(*overlap.overlap() >= least && *overlap.overlap() <= most);
        }
    }

    /// Whatever work is not seen, the true ratio is within the bounds.
    void boundsHoldForUnseenWork()
    {
        std::mt19937 random(11);
        constexpr int kSlots = 10;
        std::uniform_int_distribution<int> some(0, (1 << kSlots) - 1);
        const auto ratioOf = [](int cpu, int gpu) {
            const auto bits = [](int set) { return std::bitset<kSlots>(static_cast<unsigned>(set)).count(); };
            const auto smaller = static_cast<double>(std::min(bits(cpu), bits(gpu)));
            return smaller > 0 ? static_cast<double>(bits(cpu & gpu)) / smaller : -1;
        };
        for (int round = 0; round < 100; ++round) {
            const int cpu = some(random);
            const int seen = some(random) & some(random);
            BusyTimeSweep work({0, kSlots});
            for (int slot = 0; slot < kSlots; ++slot) {
                if ((cpu >> slot & 1) != 0)
                    work.add(0, LaneRole::Pipeline, 0, Category::Submit, {slot, slot + 1});
                if ((seen >> slot & 1) != 0)
                    work.add(1, LaneRole::DeviceStream, 0, Category::Kernel, {slot, slot + 1});
            }
            const std::optional<RatioBounds> bounds = work.overlap().withUnseenGpuWork().overlapBounds();
            QCOMPARE(bounds.has_value(), cpu != 0);
            for (int unseen = 0; bounds && unseen < 1 << kSlots; ++unseen) {
                const double ratio = ratioOf(cpu, seen | unseen);
                QVERIFY(ratio < 0 || (ratio >= bounds->atLeast && ratio <= bounds->atMost));
            }
        }
    }

    void farBoundsAreTheReason()
    {
        BusyTimeSweep work({0, 1000});
        work.add(0, LaneRole::Pipeline, 0, Category::Submit, {0, 500});
        work.add(1, LaneRole::DeviceStream, 0, Category::Kernel, {295, 600});
        work.add(2, LaneRole::GlQueue, 0, Category::Draw, {185, 295}, Certainty::Bounded);
        const Overlap overlap = work.overlap();
        QVERIFY(!overlap.overlap());
        QVERIFY2(overlap.overlapReason().starts_with("between 67 and 76 %: "), overlap.overlapReason().c_str());
    }

    void lanesKnowHowLongTheyWereBusy()
    {
        BusyTimeSweep work({0, 100});
        work.add(7, LaneRole::Capture, 0, Category::Capture, {10, 60});
        work.add(7, LaneRole::Capture, 1, Category::WaitInput, {20, 30});
        work.add(3, LaneRole::Pipeline, 0, Category::Submit, {90, 200});
        const std::vector<LaneBusy> busy = work.lanesBusy();
        QCOMPARE(busy.size(), std::size_t{2});
        QCOMPARE(busy[0].busyNs, 40);
        QCOMPARE(busy[1].busyNs, 10);
        QCOMPARE(work.overlap().cpuNs, 10); // Capture is not work of the pipeline.
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

JETSCOPE_TEST(TestOverlap)
#include "tst_overlap.moc"
