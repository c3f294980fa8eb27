// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/method/rounds.h"

#include "tests/core/syntheticdevice.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <set>

using namespace jetscope;

/// Steps on a synthetic clock: each takes its planted time.
class TestRounds : public QObject {
    Q_OBJECT

private slots:
    void plantedCostsAreFound();
    void equalCostsDoNotDiffer();
    void driftMakesNoDifference();
    void eachRoundVisitsAllInAnotherOrder();
    void theFirstRoundIsNotCounted();
    void theBudgetEndsIt();
    void aFailingStepFailsItsKeysAlone();
    void stoppedItNamesTheReason();
    void figuresThatLackInARoundStayPaired();
    void figuresThatAlwaysLackHaveAReason();
    void withoutStepsItIsOver();
    void oneFigureHasNoInterval();

private:
    std::int64_t m_now = 0;

    RoundsMethod method(std::size_t most = 15)
    {
        RoundsMethod method;
        method.most = most;
        method.clock = [this] { return m_now; };
        return method;
    }
    RoundStep step(const std::string &key, const std::function<double()> &ns)
    {
        return {{key}, [this, key, ns](RoundFigures &to) -> Status {
                    const double took = ns();
                    m_now += static_cast<std::int64_t>(took);
                    to.emplace_back(key, took);
                    return {};
                }};
    }
    static void finish(Rounds &rounds)
    {
        while (!rounds.isOver())
            rounds.step();
    }
};

void TestRounds::plantedCostsAreFound()
{
    int found = 0;
    for (std::uint32_t seed = 1; seed <= 100; ++seed) {
        test::SyntheticDevice device(seed);
        Rounds rounds({step("a", [&] { return device.frame(1e6); }), step("b", [&] { return device.frame(1.15e6); })},
                      method());
        finish(rounds);
        const Difference difference = comparePaired(rounds.find("a")->rounds, rounds.find("b")->rounds);
        found += difference.verdict == Comparison::Worse ? 1 : 0;
        const Estimate estimate = rounds.find("b")->estimate();
        QVERIFY(estimate.atLeast <= estimate.value && estimate.value <= estimate.atMost);
    }
    QVERIFY2(found >= 95, qPrintable(QString::number(found)));
}

void TestRounds::equalCostsDoNotDiffer()
{
    int wrong = 0;
    int contained = 0;
    for (std::uint32_t seed = 1; seed <= 100; ++seed) {
        test::SyntheticDevice device(seed);
        Rounds rounds({step("a", [&] { return device.frame(1e6); }), step("b", [&] { return device.frame(1e6); })},
                      method());
        finish(rounds);
        wrong += comparePaired(rounds.find("a")->rounds, rounds.find("b")->rounds).verdict != Comparison::Unchanged;
        const Estimate estimate = rounds.find("a")->estimate();
        contained += estimate.atLeast <= 1e6 && 1e6 <= estimate.atMost ? 1 : 0;
    }
    QVERIFY2(wrong <= 5, qPrintable(QString::number(wrong)));
    QVERIFY2(contained >= 95, qPrintable(QString::number(contained)));
}

void TestRounds::driftMakesNoDifference()
{
    int wrong = 0;
    for (std::uint32_t seed = 1; seed <= 50; ++seed) {
        test::SyntheticDevice device(seed);
        // The machine becomes twice as slow within the measurement.
        const auto drifting = [&] { return device.frame(1e6 * (1 + static_cast<double>(m_now) / 3e7)); };
        m_now = 0;
        Rounds rounds({step("a", drifting), step("b", drifting)}, method());
        finish(rounds);
        wrong += comparePaired(rounds.find("a")->rounds, rounds.find("b")->rounds).verdict != Comparison::Unchanged;
    }
    QVERIFY2(wrong <= 3, qPrintable(QString::number(wrong)));
}

void TestRounds::eachRoundVisitsAllInAnotherOrder()
{
    std::vector<std::string> order;
    std::vector<RoundStep> steps;
    for (const char *name : {"a", "b", "c", "d"})
        steps.push_back(step(name, [&order, name] {
            order.emplace_back(name);
            return 1.0;
        }));
    Rounds rounds(std::move(steps), method(20));
    finish(rounds);
    QCOMPARE(rounds.completeRounds(), std::size_t{20});
    std::set<std::string> orders;
    for (std::size_t at = 0; at < order.size(); at += 4) {
        QCOMPARE(std::set<std::string>(order.begin() + static_cast<std::ptrdiff_t>(at),
                                       order.begin() + static_cast<std::ptrdiff_t>(at) + 4)
                     .size(),
                 std::size_t{4});
        orders.insert(order[at] + order[at + 1] + order[at + 2] + order[at + 3]);
    }
    QVERIFY(orders.size() >= 8);
}

void TestRounds::theFirstRoundIsNotCounted()
{
    int calls = 0;
    Rounds rounds({step("a", [&] { return ++calls == 1 ? 1e9 : 5.0; })}, method(4));
    finish(rounds);
    QCOMPARE(calls, 5);
    QCOMPARE(rounds.find("a")->rounds, (std::vector<double>{5, 5, 5, 5}));
}

void TestRounds::theBudgetEndsIt()
{
    RoundsMethod limited = method(1000);
    limited.budgetNs = 1'000'000'000;
    m_now = 0;
    Rounds rounds({step("a", [] { return 90e6; })}, limited);
    QVERIFY(!rounds.remainingNs());
    rounds.step();
    QVERIFY(rounds.remainingNs());
    const double before = rounds.progress();
    finish(rounds);
    QVERIFY(before < 0.5);
    QCOMPARE(rounds.progress(), 1.0);
    QVERIFY(m_now <= limited.budgetNs);
    QVERIFY(rounds.completeRounds() >= 8);
    QVERIFY(!rounds.longerNs());
    // Rounds that are longer than the budget are as many as figures need.
    m_now = 0;
    Rounds slow({step("a", [] { return 3e9; })}, limited);
    QVERIFY(!slow.longerNs());
    slow.step();
    QCOMPARE(slow.longerNs(), std::optional<std::int64_t>(15'000'000'000));
    finish(slow);
    QCOMPARE(slow.completeRounds(), std::size_t{4});
    QVERIFY(slow.isEnough());
}

void TestRounds::aFailingStepFailsItsKeysAlone()
{
    int calls = 0;
    const RoundStep failing{{"bad", "worse"}, [&calls](RoundFigures &) -> Status {
                                ++calls;
                                return sentence("it is broken");
                            }};
    Rounds rounds({failing, step("good", [] { return 2.0; })}, method(5));
    finish(rounds);
    QCOMPARE(calls, 1);
    QCOMPARE(rounds.find("worse")->failure, std::string("it is broken"));
    QCOMPARE(rounds.find("good")->count(), std::size_t{5});
    QVERIFY(rounds.find("good")->failure.empty());
    QVERIFY(!rounds.find("unknown"));
    Rounds all({failing}, method(5));
    finish(all);
    QVERIFY(!all.isEnough());
}

void TestRounds::stoppedItNamesTheReason()
{
    Rounds rounds({step("a", [] { return 1.0; }), step("b", [] { return 1.0; })}, method());
    for (int i = 0; i < 5; ++i)
        rounds.step();
    rounds.stop("the device was lost");
    QCOMPARE(rounds.stopReason(), std::string("the device was lost"));
    QVERIFY(rounds.isOver());
    QCOMPARE(rounds.find("a")->failure, std::string("the device was lost"));
    rounds.step(); // Does nothing.
    QCOMPARE(rounds.completeRounds(), std::size_t{1});
}

void TestRounds::figuresThatLackInARoundStayPaired()
{
    int round = 0;
    const RoundStep gaps{{"a"}, [&round](RoundFigures &to) -> Status {
                             if (++round != 3) // The second one that counts.
                                 to.emplace_back("a", round);
                             return {};
                         }};
    Rounds rounds({gaps}, method(4));
    finish(rounds);
    const RoundSeries &series = *rounds.find("a");
    QCOMPARE(series.rounds.size(), std::size_t{4});
    QVERIFY(std::isnan(series.rounds[1]));
    QCOMPARE(series.rounds[2], 4.0);
    QCOMPARE(series.count(), std::size_t{3});
}

/// A step that succeeds need not give each of its figures.
void TestRounds::figuresThatAlwaysLackHaveAReason()
{
    int round = 0;
    const auto run = [&](RoundFigures &to) -> Status {
        m_now += 1000;
        to.emplace_back("always", 1);
        if (++round > 3)
            to.emplace_back("later", 2);
        return {};
    };
    Rounds rounds({{{"always", "later", "never"}, run}}, method());
    finish(rounds);
    QVERIFY(rounds.find("always")->failure.empty());
    QVERIFY(rounds.find("later")->count() > 0 && rounds.find("later")->failure.empty());
    QCOMPARE(rounds.find("never")->count(), std::size_t(0));
    QVERIFY(!rounds.find("never")->failure.empty());
}

void TestRounds::withoutStepsItIsOver()
{
    Rounds rounds({}, method());
    QVERIFY(rounds.isOver());
    rounds.step();
    QVERIFY(!rounds.isEnough());
}

void TestRounds::oneFigureHasNoInterval()
{
    const std::vector<double> one{3};
    const Estimate estimate = estimateOf(one);
    QCOMPARE(estimate.value, 3.0);
    QVERIFY(std::isinf(estimate.atLeast) && std::isinf(estimate.atMost));
    QVERIFY(std::isnan(estimateOf({}).value));
}

JETSCOPE_TEST(TestRounds)
#include "tst_rounds.moc"
