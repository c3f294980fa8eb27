// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/fleetmethod.h"
#include "tests/core/fleet/syntheticfleet.h"
#include "tests/support/longrun.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

using namespace jetscope;
using test::SyntheticFleet;

namespace {

struct Alarms {
    std::set<std::string> strata; ///< Power modes with a verdict of worse.
    std::set<std::string> better;
    std::set<std::string> boards; ///< That fell out and became worse.
    std::size_t stragglers = 0;   ///< Of any direction and metric.
};

Alarms alarmsOf(const FleetComparison &comparison)
{
    Alarms alarms;
    for (const FleetResult &result : comparison.results) {
        if (result.verdict == Comparison::Worse)
            alarms.strata.insert(result.stratum.powerMode);
        if (result.verdict == Comparison::Better)
            alarms.better.insert(result.stratum.powerMode);
        alarms.stragglers += result.fellOut.size();
        for (const Straggler &board : result.fellOut)
            if (board.verdict == Comparison::Worse)
                alarms.boards.insert(board.board);
    }
    return alarms;
}

/// A fleet of one stratum that is easy to change.
FleetBoards boardsOf(const std::function<void(FleetRow &row)> &change, int boards = 12, int runs = 5)
{
    SyntheticFleet fleet;
    fleet.boards = boards;
    fleet.strata = 1;
    fleet.runs = runs;
    FleetBoards all(FleetSelection::parse("commit=old").value(), FleetSelection::parse("commit=new").value());
    fleet.rows([&](const FleetRow &row) {
        FleetRow changed = row;
        change(changed);
        if (!changed.metric.empty())
            all.add(changed);
    });
    return all;
}

bool contains(const std::string &text, const char *part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

class TestFleetMethod : public QObject {
    Q_OBJECT
private slots:
    void intervalsByOrderStatistics();
    void intervalsCoverTheMedian();
    void signs();
    void falseDiscoveries();
    void distances();
    void plantedRegressionsAreFound();
    void fleetsWithoutAChangeGiveNoAlarm();
    void noisyMachinesWithManyFiguresGiveNoAlarm();
    void aFleetAgainstItselfIsUnchanged();
    void jitterDoesNotFlipAVerdict();
    void smallChangesAreNoAlarm();
    void anIntervalWithZeroIsNoAlarm();
    void sharesAreComparedByDifference();
    void tooLittle_data();
    void tooLittle();
    void runsWithoutFiguresAreNoVerdict();
    void runsThatDoNotCount();
    void whatTheNewBuildLacksIsNoVerdict();
    void valuesWithoutARatio();
    void selections();
};

/// Tables of the binomial distribution: with 6 values their extremes, with 20 the 6th and the 15th.
void TestFleetMethod::intervalsByOrderStatistics()
{
    QVERIFY(!medianInterval({1, 2, 3, 4, 5}));
    const auto six = medianInterval({6, 5, 4, 3, 2, 1});
    QVERIFY(six && six->low == 1 && six->high == 6);
    std::vector<double> twenty;
    for (int i = 20; i > 0; --i)
        twenty.push_back(i);
    const auto interval = medianInterval(twenty);
    QVERIFY(interval && interval->low == 6 && interval->high == 15);
}

void TestFleetMethod::intervalsCoverTheMedian()
{
    std::mt19937 random(3);
    std::lognormal_distribution<double> skewed;
    int covered = 0;
    constexpr int kTimes = 2000;
    for (int i = 0; i < kTimes; ++i) {
        std::vector<double> values(15);
        for (double &value : values)
            value = skewed(random);
        const auto interval = medianInterval(values);
        covered += interval->low <= 1 && 1 <= interval->high ? 1 : 0;
    }
    QVERIFY2(covered > 0.945 * kTimes, qPrintable(QString::number(covered)));
    QVERIFY2(covered < 0.985 * kTimes, qPrintable(QString::number(covered))); // 96.5 % by the table.
}

void TestFleetMethod::signs()
{
    QCOMPARE(signTest(std::vector<double>{}), 1.0);
    QCOMPARE(signTest(std::vector<double>{0, 0}), 1.0);
    QCOMPARE(signTest(std::vector<double>{1, 1, 1, 1, 1, 1}), 2.0 / 64);
    QCOMPARE(signTest(std::vector<double>{1, 1, 1, 1, 1, -1, 0}), 2.0 * 7 / 64);
    QCOMPARE(signTest(std::vector<double>{-1, 1}), 1.0);
}

/// The example of Benjamini and Hochberg's paper of 1995: 15 probabilities, of which 4 are found at 0.05.
void TestFleetMethod::falseDiscoveries()
{
    const std::vector<double> p{0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                                0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000};
    std::vector<double> backwards(p.rbegin(), p.rend());
    const std::vector<double> q = falseDiscoveryRates(backwards);
    QCOMPARE(std::count_if(q.begin(), q.end(), [](double rate) { return rate < 0.05; }), 4);
    QCOMPARE(q.back(), 0.0001 * 15);
    QVERIFY(falseDiscoveryRates({}).empty());
}

void TestFleetMethod::distances()
{
    const std::vector<double> values{1, 2, 3, 4, 5, 100};
    const std::vector<double> z = robustZ(values);
    QVERIFY(z[5] > 40 && std::abs(z[0]) < 2);
    const std::vector<double> equal{1, 1, 1, 1, 1, 1, 9};
    QVERIFY(robustZ(equal)[6] > 4.5); // Half of them do not vary at all.
    QCOMPARE(robustZ(std::vector<double>{2, 2, 2}), (std::vector<double>{0, 0, 0}));
}

void TestFleetMethod::plantedRegressionsAreFound()
{
    const bool longRun = testing::isLongRun();
    for (std::uint32_t seed = 1; seed <= (longRun ? 50U : 5U); ++seed) {
        SyntheticFleet fleet;
        fleet.seed = seed;
        fleet.slowerStrata = {{3, 1.02}};
        fleet.slowerBoards = {{17, 1.15}, {100, 1.15}, {442, 1.15}};
        const FleetComparison comparison = compareFleet(fleet.reduced());
        QCOMPARE(comparison.noVerdict, std::string());
        const Alarms alarms = alarmsOf(comparison);
        QCOMPARE(alarms.strata, std::set<std::string>{SyntheticFleet::powerMode(3)});
        QVERIFY(alarms.better.empty());
        for (const int board : {17, 100, 442})
            QVERIFY2(alarms.boards.contains(SyntheticFleet::boardName(board)),
                     SyntheticFleet::boardName(board).c_str());
        QCOMPARE(alarms.boards.size(), std::size_t{3});
        QVERIFY(comparison.isWorse());
        const std::string words = fleetWords(comparison);
        QVERIFY2(contains(words, "commit=new is worse than commit=old") && contains(words, "board442"), words.c_str());
    }
}

/// At most one alarm in a hundred fleets. Boards that seem to have fallen out are counted, too.
void TestFleetMethod::fleetsWithoutAChangeGiveNoAlarm()
{
    int alarmed = 0;
    std::size_t stragglers = 0;
    constexpr int kFleets = 200;
    for (std::uint32_t seed = 1; seed <= kFleets; ++seed) {
        SyntheticFleet fleet;
        fleet.boards = testing::isLongRun() ? 500 : 160; // Of a large fleet it takes half a minute.
        fleet.seed = 1000 + seed;
        const Alarms alarms = alarmsOf(compareFleet(fleet.reduced()));
        alarmed += alarms.strata.empty() && alarms.better.empty() && alarms.boards.empty() ? 0 : 1;
        stragglers += alarms.stragglers;
    }
    qInfo("%d of %d fleets with an alarm, %zu boards by a metric that seem to have fallen out", alarmed, kFleets,
          stragglers);
    QVERIFY2(alarmed <= 2, qPrintable(QString::number(alarmed)));
}

/// Machines that others use at the same time: runs differ by half of their time and some take twice as long, in 40
/// figures of which each has noise of its own. Gates that look at each figure of a pair of runs name some every time.
void TestFleetMethod::noisyMachinesWithManyFiguresGiveNoAlarm()
{
    constexpr int kFleets = 40;
    int alarmed = 0;
    for (std::uint32_t seed = 1; seed <= kFleets; ++seed) {
        SyntheticFleet fleet;
        fleet.boards = 24;
        fleet.strata = 1;
        fleet.runNoise = 0.4;
        fleet.outliers = 0.15;
        fleet.seed = 5000 + seed;
        std::mt19937 random(seed);
        std::normal_distribution<double> normal;
        FleetBoards all(FleetSelection::parse("commit=old").value(), FleetSelection::parse("commit=new").value());
        fleet.rows([&](const FleetRow &row) {
            FleetRow other = row;
            for (int i = 0; i < 5; ++i) {
                other.metric = row.metric + "-" + std::to_string(i);
                other.value = row.value * std::exp(0.3 * normal(random)) * (random() % 10 == 0 ? 2.2 : 1);
                all.add(other);
            }
        });
        const Alarms alarms = alarmsOf(compareFleet(all));
        alarmed += alarms.strata.empty() && alarms.better.empty() && alarms.boards.empty() ? 0 : 1;
    }
    qInfo("%d of %d fleets with an alarm", alarmed, kFleets);
    QVERIFY2(alarmed <= 1, qPrintable(QString::number(alarmed)));
}

void TestFleetMethod::aFleetAgainstItselfIsUnchanged()
{
    SyntheticFleet fleet;
    fleet.boards = 40;
    fleet.strata = 2;
    FleetBoards all(FleetSelection::parse("commit=old").value(), FleetSelection::parse("commit=old").value());
    fleet.rows([&](const FleetRow &row) { all.add(row); });
    const FleetComparison comparison = compareFleet(all);
    QCOMPARE(comparison.noVerdict, std::string());
    QVERIFY(!comparison.isWorse());
    for (const FleetResult &result : comparison.results)
        QVERIFY(result.verdict == Comparison::Unchanged && result.change == 0 && result.p == 1);
}

void TestFleetMethod::jitterDoesNotFlipAVerdict()
{
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
        SyntheticFleet fleet;
        fleet.boards = 40;
        fleet.strata = 1;
        fleet.seed = seed;
        QVERIFY(!compareFleet(fleet.reduced()).isWorse());
        fleet.slowerStrata = {{0, 1.05}};
        QVERIFY(compareFleet(fleet.reduced()).isWorse());
    }
}

/// However sure a change of half a percent is.
void TestFleetMethod::smallChangesAreNoAlarm()
{
    SyntheticFleet fleet;
    fleet.boards = 400;
    fleet.strata = 1;
    fleet.runNoise = 0.002;
    fleet.buildNoise = 0.0005;
    fleet.outliers = 0;
    fleet.slowerStrata = {{0, 1.005}};
    const FleetComparison comparison = compareFleet(fleet.reduced());
    QVERIFY(comparison.results.front().q < 0.001);
    QVERIFY(!comparison.isWorse());
}

/// What is said to be worse has an interval that says it, too: 20 boards of 39 changed, and all signs that there are
/// agree.
void TestFleetMethod::anIntervalWithZeroIsNoAlarm()
{
    FleetBoards boards(FleetSelection::parse("commit=old").value(), FleetSelection::parse("commit=new").value());
    for (int board = 0; board < 39; ++board)
        for (const char *commit : {"old", "new"})
            for (int run = 0; run < 3; ++run) {
                FleetRow row = SyntheticFleet().rowOf(8 * board, commit, run);
                row.metric = "period";
                row.value = board % 2 == 0 && std::string(commit) == "new" ? 10.5 : 10;
                boards.add(row);
            }
    const FleetComparison comparison = compareFleet(boards);
    QCOMPARE(comparison.results.size(), std::size_t{1});
    const FleetResult &result = comparison.results.front();
    QVERIFY(result.change > 0.04 && result.q < 0.01);
    QCOMPARE(result.atLeast, 0.0);
    QCOMPARE(result.verdict, Comparison::Unchanged);
}

void TestFleetMethod::sharesAreComparedByDifference()
{
    const auto ofOverlap = [](double lost) {
        return boardsOf([lost](FleetRow &row) {
            row.unit.clear();
            row.scale = kByDifference;
            row.direction = kHigherIsBetter;
            row.least = 0.01;
            row.value = row.value / 100 - (row.commit == "new" ? lost : 0);
        });
    };
    QVERIFY(compareFleet(ofOverlap(0.05)).isWorse());
    QVERIFY(!compareFleet(ofOverlap(-0.05)).isWorse());
    QVERIFY(contains(fleetWords(compareFleet(ofOverlap(0.05))), " points"));
    QVERIFY(!compareFleet(ofOverlap(0)).isWorse());
}

void TestFleetMethod::tooLittle_data()
{
    QTest::addColumn<int>("boards");
    QTest::addColumn<int>("runs");
    QTest::addColumn<QString>("why");
    QTest::newRow("5 boards") << 5 << 5 << "5 boards ran both builds at least 2 times each, and 8 are needed";
    QTest::newRow("1 board") << 1 << 5 << "1 board ran both";
    QTest::newRow("boards with one run") << 12 << 1 << "12 boards with one run of a build";
    QTest::newRow("6 boards") << 6 << 5 << "the signs of 6 boards cannot be improbable enough: 8 are needed";
    QTest::newRow("8 boards") << 8 << 5 << "";
}

void TestFleetMethod::tooLittle()
{
    QFETCH(int, boards);
    QFETCH(int, runs);
    QFETCH(QString, why);
    const FleetComparison comparison =
        compareFleet(boardsOf([](FleetRow &row) { row.value *= row.commit == "new" ? 2 : 1; }, boards, runs));
    QVERIFY2(QString::fromStdString(comparison.noVerdict).contains(why), comparison.noVerdict.c_str());
    QCOMPARE(comparison.noVerdict.empty(), why.isEmpty());
    QCOMPARE(comparison.isWorse(), why.isEmpty());
}

void TestFleetMethod::runsThatDoNotCount()
{
    const auto reasonOf = [](const std::function<void(FleetRow &)> &change) {
        return compareFleet(boardsOf(change)).noVerdict;
    };
    QVERIFY(
        contains(reasonOf([](FleetRow &row) { row.clocksLocked = false; }), "of 120 runs the clocks were not fixed"));
    QVERIFY(contains(reasonOf([](FleetRow &row) { row.throttled = true; }), "something limited the clocks"));
    QVERIFY(contains(reasonOf([](FleetRow &row) { row.clocksLocked.reset(); }), "it is not known"));
    QVERIFY(contains(reasonOf([](FleetRow &row) { row.metric.clear(); }), "nothing was recorded"));
    QVERIFY(contains(reasonOf([](FleetRow &row) { row.commit = "other"; }),
                     "no run that counts is of commit=old; the folder has runs of the commits other"));
    // A PC has no such reading.
    const FleetComparison pc = compareFleet(boardsOf([](FleetRow &row) {
        row.soc = "x86_64";
        row.clocksLocked.reset();
    }));
    QCOMPARE(pc.noVerdict, std::string());
    QVERIFY(contains(pc.notes.front(), "120 runs of machines that do not say"));
    // Some runs only: the others decide.
    const FleetComparison some = compareFleet(boardsOf([](FleetRow &row) { row.throttled = row.run.ends_with('0'); }));
    QCOMPARE(some.noVerdict, std::string());
    QVERIFY(contains(some.notes.front(), "of 24 runs something limited the clocks: left out"));
}

/// Another device or size with the new build is no improvement, and no silence.
void TestFleetMethod::whatTheNewBuildLacksIsNoVerdict()
{
    const FleetComparison all = compareFleet(boardsOf([](FleetRow &row) {
        row.configHash = row.commit == "new" ? "other" : row.configHash;
        row.value *= row.commit == "new" ? 0.5 : 1;
    }));
    QVERIFY2(!all.noVerdict.empty() && !all.isWorse(), all.noVerdict.c_str());
    const FleetComparison one = compareFleet(boardsOf([](FleetRow &row) {
        if (row.commit == "new" && row.metric == "latency")
            row.metric.clear();
    }));
    QVERIFY2(contains(one.noVerdict, "latency of tegra234"), one.noVerdict.c_str());
}

/// As lines of another engine may say.
void TestFleetMethod::runsWithoutFiguresAreNoVerdict()
{
    FleetBoards boards(FleetSelection::parse("commit=old").value(), FleetSelection::parse("commit=new").value());
    boards.addCommit("old");
    boards.addCommit("new");
    boards.setRuns({3, 3, 0});
    const FleetComparison nothing = compareFleet(boards);
    QVERIFY2(contains(nothing.noVerdict, "no row of the runs of both builds has a figure"), nothing.noVerdict.c_str());
    QVERIFY(!nothing.isWorse() && !fleetWords(nothing).empty());
}

void TestFleetMethod::valuesWithoutARatio()
{
    const FleetComparison zero =
        compareFleet(boardsOf([](FleetRow &row) { row.value = row.commit == "old" ? 0 : row.value; }));
    QVERIFY2(contains(zero.noVerdict, "12 boards with a value of 0 or less, which has no ratio"),
             zero.noVerdict.c_str());
    for (const FleetResult &result : zero.results)
        QVERIFY(result.verdict == Comparison::Unchanged && !result.noVerdict.empty());
}

void TestFleetMethod::selections()
{
    const FleetRow row = SyntheticFleet().rowOf(3, "old", 1);
    QVERIFY(FleetSelection::parse("commit=old,power_mode=25W").value().matches(row));
    QVERIFY(!FleetSelection::parse("commit=old,power_mode=15W").value().matches(row));
    for (const char *text : {"", "commit", "value=3", "nothing=1", "commit=old,"})
        QVERIFY2(!FleetSelection::parse(text).ok(), text);
    QVERIFY(contains(FleetSelection::parse("speed=1").error().text, "the fields are run, board, soc"));
}

JETSCOPE_TEST(TestFleetMethod)
#include "tst_fleetmethod.moc"
