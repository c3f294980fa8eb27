// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/method/turns.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <algorithm>
#include <random>
#include <set>

using namespace jetscope;

namespace {

constexpr std::int64_t kStretchNs = 1'000'000;

Turns turnsOf(std::vector<std::size_t> groups, std::size_t rounds, std::uint64_t seed = 1)
{
    TurnsMethod method;
    method.rounds = rounds;
    method.seed = seed;
    return {std::move(groups), method};
}

std::vector<CellTurn> runAll(Turns &schedule)
{
    std::vector<CellTurn> all;
    while (const auto stretch = schedule.next()) {
        all.push_back(*stretch);
        schedule.done(kStretchNs);
    }
    return all;
}

} // namespace

class TestTurns : public QObject {
    Q_OBJECT

private slots:
    void everyRoundHasEachCellOnce()
    {
        for (const std::size_t cells : {1u, 2u, 84u, 500u}) {
            Turns schedule = turnsOf(std::vector<std::size_t>(cells), 6, cells);
            const std::vector<CellTurn> all = runAll(schedule);
            QCOMPARE(all.size(), cells * 6);
            for (std::size_t round = 0; round < 6; ++round) {
                std::set<std::size_t> seen;
                for (std::size_t i = round * cells; i < (round + 1) * cells; ++i) {
                    QCOMPARE(all[i].round, round);
                    QVERIFY(seen.insert(all[i].cell).second);
                }
            }
            QCOMPARE(schedule.completeRounds(), std::size_t{6});
            QCOMPARE(schedule.progress(), 1.0);
            QCOMPARE(schedule.remainingNs().value_or(-1), std::int64_t{0});
        }
    }

    void roundsAndSeedsDiffer()
    {
        const Turns schedule = turnsOf(std::vector<std::size_t>(50), 4);
        QVERIFY(schedule.orderOf(0) != schedule.orderOf(1));
        QVERIFY(schedule.orderOf(0) == turnsOf(std::vector<std::size_t>(50), 9).orderOf(0));
        QVERIFY(schedule.orderOf(0) != turnsOf(std::vector<std::size_t>(50), 4, 2).orderOf(0));
        // No cell has a favourite place: over 400 rounds of 10 cells the mean place of each is near the middle.
        const Turns long_ = turnsOf(std::vector<std::size_t>(10), 4);
        std::vector<double> places(10);
        for (std::size_t round = 0; round < 400; ++round) {
            const std::vector<std::size_t> order = long_.orderOf(round);
            for (std::size_t place = 0; place < order.size(); ++place)
                places[order[place]] += static_cast<double>(place) / 400;
        }
        for (const double place : places) // Measured: 4.2 to 4.7; one standard deviation is 0.14.
            QVERIFY2(place > 3.9 && place < 5.1, qPrintable(QString::number(place)));
    }

    /// The source is reopened once for each size in a round.
    void groupsStayTogether()
    {
        std::vector<std::size_t> groups;
        for (std::size_t cell = 0; cell < 60; ++cell)
            groups.push_back(cell % 3);
        Turns schedule = turnsOf(groups, 8);
        std::set<std::vector<std::size_t>> orders;
        for (std::size_t round = 0; round < 8; ++round) {
            std::vector<std::size_t> order;
            for (const std::size_t cell : schedule.orderOf(round))
                if (order.empty() || order.back() != groups[cell])
                    order.push_back(groups[cell]);
            QCOMPARE(order.size(), std::size_t{3});
            orders.insert(order);
        }
        QVERIFY(orders.size() > 2);
        const std::vector<std::string> sizes{"720p", "480p", "720p", "1080p"};
        QCOMPARE(groupsOf(std::span(sizes)), (std::vector<std::size_t>{0, 1, 0, 2}));
    }

    void failedCellsAreDropped()
    {
        Turns schedule = turnsOf(std::vector<std::size_t>(5), 4);
        std::size_t visits = 0;
        while (const auto stretch = schedule.next()) {
            visits += stretch->cell == 3 ? 1 : 0;
            if (stretch->cell == 3 && stretch->round == 1)
                schedule.failed();
            else
                schedule.done(kStretchNs);
        }
        QCOMPARE(visits, std::size_t{2});
        QVERIFY(!schedule.isIn(3) && schedule.isIn(2));
        QCOMPARE(schedule.remainingCells(), std::size_t{4});
        QCOMPARE(schedule.completeRounds(), std::size_t{4});
        Turns all = turnsOf(std::vector<std::size_t>(3), 4);
        for (int i = 0; i < 3; ++i)
            all.failed();
        QVERIFY(!all.next());
    }

    /// A sweep that is interrupted at any moment goes on as if it had not been.
    void itResumes()
    {
        std::mt19937 random(3);
        for (int run = 0; run < 50; ++run) {
            const std::vector<std::size_t> groups{0, 1, 0, 1, 2, 2, 0};
            Turns whole = turnsOf(groups, 5, 11);
            const std::vector<CellTurn> all = runAll(whole);
            const std::size_t done = random() % (all.size() + 1);
            Turns resumed = turnsOf(groups, 5, 11);
            std::vector<CellTurn> before(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(done));
            std::shuffle(before.begin(), before.end(), random);
            for (const CellTurn &stretch : before)
                resumed.resume(stretch, kStretchNs);
            QCOMPARE(resumed.remainingTurns(), all.size() - done);
            const std::vector<CellTurn> rest = runAll(resumed);
            QVERIFY(std::equal(rest.begin(), rest.end(), all.begin() + static_cast<std::ptrdiff_t>(done), all.end()));
        }
        Turns hostile = turnsOf({0, 0}, 4);
        hostile.resume({99, 0});
        hostile.resume({0, 1'000'000'000});
        hostile.resume({0, 7}, 5);
        QCOMPARE(hostile.remainingTurns(), std::size_t{8});
    }

    void theRemainingTimeFollowsTheStretches()
    {
        Turns schedule = turnsOf({0, 0}, 4);
        QVERIFY(!schedule.remainingNs());
        while (schedule.next()->round == 0)
            schedule.done(schedule.next()->cell == 0 ? 100 : 300);
        QCOMPARE(schedule.remainingNs().value(), std::int64_t{3 * 400});
        QCOMPARE(schedule.progress(), 0.25);
        QCOMPARE(schedule.elapsedNs(), std::int64_t{400});
    }

    void theBudgetDecidesTheRounds()
    {
        const auto rounds = [](std::int64_t budgetNs, bool *exceeds = nullptr) {
            TurnsMethod method;
            method.rounds = 20;
            method.budgetNs = budgetNs;
            Turns schedule(std::vector<std::size_t>(10), method);
            const std::size_t stretches = runAll(schedule).size();
            if (exceeds)
                *exceeds = schedule.exceedsBudget();
            return stretches / 10;
        };
        QCOMPARE(rounds(85 * kStretchNs), std::size_t{8});
        QCOMPARE(rounds(5000 * kStretchNs), std::size_t{20});
        bool exceeds = false;
        QCOMPARE(rounds(45 * kStretchNs, &exceeds), std::size_t{4});
        QVERIFY(!exceeds);
        QCOMPARE(rounds(15 * kStretchNs, &exceeds), kMinRounds); // Fewer would give no verdict.
        QVERIFY(exceeds);
    }

    /// Otherwise the time that is left would be that of all rounds until the first one ends.
    void theFirstTurnsPlanTheRounds()
    {
        TurnsMethod method;
        method.rounds = 1000;
        method.budgetNs = 85 * kStretchNs;
        Turns turns(std::vector<std::size_t>(10), method);
        QCOMPARE(turns.rounds(), std::size_t{1000});
        turns.done(kStretchNs);
        QCOMPARE(turns.rounds(), std::size_t{8});
        QCOMPARE(turns.remainingNs().value(), 79 * kStretchNs);
    }

    /// A B C C B A A: a round begins with the cell that is in force.
    void mirroredRoundsGoBack()
    {
        TurnsMethod method;
        method.rounds = 4;
        method.order = TurnOrder::Mirrored;
        Turns turns(std::vector<std::size_t>(3), method);
        std::vector<std::size_t> cells;
        while (const auto turn = turns.next()) {
            cells.push_back(turn->cell);
            turns.done();
            if (cells.size() == 9)
                turns.drop(2);
        }
        QCOMPARE(cells, (std::vector<std::size_t>{0, 1, 2, 2, 1, 0, 0, 1, 2, 1, 0}));
    }

    void stoppedItKeepsItsRounds()
    {
        Turns turns = turnsOf(std::vector<std::size_t>(3), 8);
        for (int i = 0; i < 7; ++i)
            turns.done(kStretchNs);
        turns.stop();
        QVERIFY(!turns.next());
        QCOMPARE(turns.completeRounds(), std::size_t{2});
        QCOMPARE(turns.progress(), 1.0);
    }

    void itEndsWithACompleteRound()
    {
        Turns schedule = turnsOf(std::vector<std::size_t>(10), 8);
        for (int i = 0; i < 44; ++i)
            schedule.done(kStretchNs);
        schedule.stopAfterRound();
        QCOMPARE(runAll(schedule).size(), std::size_t{6});
        QCOMPARE(schedule.completeRounds(), std::size_t{5});
        Turns between = turnsOf(std::vector<std::size_t>(10), 8);
        for (int i = 0; i < 40; ++i)
            between.done(kStretchNs);
        between.stopAfterRound();
        QVERIFY(!between.next());
    }
};

JETSCOPE_TEST(TestTurns)
#include "tst_turns.moc"
