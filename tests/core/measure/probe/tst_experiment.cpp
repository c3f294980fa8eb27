// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/probe/experiment.h"

#include "tests/core/syntheticdevice.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <set>

using namespace jetscope;

class TestExperiment : public QObject {
    Q_OBJECT

private slots:
    void everyRowIsComplete();
    void plantedDifferencesAreConcluded();
    void noiseIsNoConclusion();
    void conclusionsFollowTheFigures();
    void failedVariantsAreLeftOut();
    void tooFewRoundsAreSaid();
    void theLastStepWithoutADifferenceIsNamed();

private:
    static ExperimentResult resultOf(double first, double second, std::size_t rounds, std::uint32_t seed = 1)
    {
        ExperimentResult result;
        result.info = &experimentTable().front();
        result.design.variants = {"one way", "another way"};
        result.design.columns = {{"the time", "us", {}}};
        result.design.comparisons = {{0, 1, 0}};
        test::SyntheticDevice device(seed);
        RoundSeries a;
        RoundSeries b;
        for (std::size_t i = 0; i < rounds; ++i) {
            a.rounds.push_back(device.frame(first));
            b.rounds.push_back(device.frame(second));
        }
        result.figures = {{a}, {b}};
        return result;
    }
};

void TestExperiment::everyRowIsComplete()
{
    std::set<std::string_view> names;
    for (const ExperimentInfo &info : experimentTable()) {
        QVERIFY(names.insert(info.name).second);
        QVERIFY(info.question.ends_with('?'));
        QVERIFY(!info.varies.empty() && !info.lasts.empty() && info.teaches.ends_with('.'));
        QCOMPARE(experimentNamed(info.name), &info);
    }
    QCOMPARE(names.size(), std::size_t{16});
    QVERIFY(!experimentNamed("alchemy"));
}

void TestExperiment::plantedDifferencesAreConcluded()
{
    int found = 0;
    for (std::uint32_t seed = 1; seed <= 100; ++seed) {
        const auto conclusions = concludeExperiment(resultOf(100, 250, 10, seed));
        QCOMPARE(conclusions.size(), std::size_t{1});
        found += conclusions[0].text.find("times that with one way") != std::string::npos ? 1 : 0;
    }
    QVERIFY2(found >= 95, qPrintable(QString::number(found)));
}

void TestExperiment::noiseIsNoConclusion()
{
    int unchanged = 0;
    for (std::uint32_t seed = 1; seed <= 100; ++seed)
        unchanged += concludeExperiment(resultOf(100, 100, 10, seed))[0].text.starts_with("No difference beyond noise");
    QVERIFY2(unchanged >= 95, qPrintable(QString::number(unchanged)));
}

void TestExperiment::conclusionsFollowTheFigures()
{
    const std::string higher = concludeExperiment(resultOf(100, 300, 15))[0].text;
    const std::string lower = concludeExperiment(resultOf(300, 100, 15))[0].text;
    QVERIFY2(higher.find(" times that with one way") != std::string::npos
                 && higher.find(" us against ") != std::string::npos,
             higher.c_str());
    QVERIFY2(lower.find("lower") != std::string::npos, lower.c_str());
    const std::string little = concludeExperiment(resultOf(100, 120, 15))[0].text;
    QVERIFY2(little.find(" % higher") != std::string::npos, little.c_str());
}

void TestExperiment::failedVariantsAreLeftOut()
{
    ExperimentResult result = resultOf(100, 200, 10);
    result.figures[1][0].failure = "it is not there";
    QVERIFY(concludeExperiment(result).empty());
}

void TestExperiment::tooFewRoundsAreSaid()
{
    const auto conclusions = concludeExperiment(resultOf(100, 900, 2));
    QCOMPARE(conclusions.size(), std::size_t{1});
    QVERIFY2(conclusions[0].text.starts_with("Too few rounds"), conclusions[0].text.c_str());
}

void TestExperiment::theLastStepWithoutADifferenceIsNamed()
{
    const auto answer = [](const std::vector<double> &levels, const std::set<std::size_t> &failed = {}) {
        ExperimentResult result = resultOf(levels[0], levels[1], 15);
        result.design.variants = {"all", "half", "a quarter", "an eighth"};
        result.design.columns.front().name = "period";
        result.design.ladder = ExperimentLadder{"the smallest share", {0, 1, 2, 3}, 0};
        test::SyntheticDevice device(7);
        for (std::size_t at = 2; at < levels.size(); ++at) {
            result.figures.emplace_back(1);
            for (int i = 0; i < 15; ++i)
                result.figures.back()[0].rounds.push_back(device.frame(levels[at]));
        }
        for (const std::size_t at : failed)
            result.figures[at][0] = {{}, "no green contexts"};
        return answerOf(result);
    };
    const std::string quarter = answer({100, 100, 100, 140});
    QVERIFY2(quarter.starts_with("Of those that were measured, the smallest share without a difference beyond noise in "
                                 "period: a quarter. "
                                 "With an eighth, period is ")
                 && quarter.find("% higher than with all") != std::string::npos,
             quarter.c_str());
    QVERIFY(answer({100, 150, 200, 300}).find("beyond noise in period: all. With half") != std::string::npos);
    // What comes behind the first that does not hold is not looked at.
    QVERIFY(answer({100, 150, 100, 100}).find("beyond noise in period: all. With half") != std::string::npos);
    QCOMPARE(answer({100, 100, 100, 100}),
             std::string(
                 "Even the smallest share that was measured shows no difference beyond noise in period: an eighth."));
    QVERIFY(answer({100, 100, 100, 140}, {1, 2}).find("beyond noise in period: all. With an eighth")
            != std::string::npos);
    QCOMPARE(answer({100, 100, 100, 100}, {1, 2, 3}), std::string());
    QCOMPARE(answerOf(resultOf(100, 300, 15)), std::string()); // Without a ladder.
}

JETSCOPE_TEST(TestExperiment)
#include "tst_experiment.moc"
