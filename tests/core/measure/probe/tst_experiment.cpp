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

JETSCOPE_TEST(TestExperiment)
#include "tst_experiment.moc"
