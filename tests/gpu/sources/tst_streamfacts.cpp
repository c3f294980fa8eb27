// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// What is said of every source's stream: its rate by time stamps, its facts and its faults.
#include "gpu/sources/framesource.h"
#include "gpu/sources/ratemeter.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace jetscope;

class TestStreamFacts : public QObject {
    Q_OBJECT

private slots:
    void theRateIsTheMediansNeighbourhood_data();
    void theRateIsTheMediansNeighbourhood();
    void aRunningStreamIsMeasured();
    void faultsAreSubtractedEachFromItsOwn();
    void generatorsSayWhatTheyMake();
};

void TestStreamFacts::theRateIsTheMediansNeighbourhood_data()
{
    QTest::addColumn<QList<qint64>>("differences");
    QTest::addColumn<double>("period");
    QTest::newRow("none") << QList<qint64>{} << 0.0;
    QTest::newRow("never above 0") << QList<qint64>{0, -3, 0} << 0.0;
    QTest::newRow("one") << QList<qint64>{40} << 40.0;
    QList<qint64> milliseconds;
    QList<qint64> jitter;
    QList<qint64> slowEnd;
    for (int i = 0; i < 24; ++i) {
        milliseconds << (i % 3 == 1 ? 66 : 67); // 15 fps.
        jitter << (i % 2 == 0 ? 25 : 55);
        slowEnd << (i < 16 ? 40 : 500);
    }
    QTest::newRow("steps of a coarse clock") << milliseconds << 400.0 / 6;
    QTest::newRow("jitter") << jitter << 40.0;
    QTest::newRow("a slow end") << slowEnd << 40.0;
    QTest::newRow("a gap") << QList<qint64>{40, 40, 5000, 40, 40} << 40.0;
    QTest::newRow("repeated stamps") << QList<qint64>{0, 40, 0, 40, 40, 0} << 40.0;
    QTest::newRow("ticks as long as the period") << QList<qint64>{1, 1, 2, 1, 1} << 1.0;
}

void TestStreamFacts::theRateIsTheMediansNeighbourhood()
{
    QFETCH(QList<qint64>, differences);
    QFETCH(double, period);
    QCOMPARE(typicalPeriod(std::vector<std::int64_t>(differences.begin(), differences.end())), period);
}

void TestStreamFacts::aRunningStreamIsMeasured()
{
    constexpr std::int64_t kPeriod = 33'333'333;
    RateMeter meter;
    std::int64_t ns = 0;
    const auto run = [&](int frames, std::int64_t period) {
        for (int i = 0; i < frames; ++i)
            meter.add(ns += period);
    };
    run(8, kPeriod);
    QCOMPARE(meter.fps(), 0.0); // Too few for a median.
    run(1, kPeriod);
    QVERIFY(std::abs(meter.fps() - 30) < 0.01);
    meter.restart();
    ns += 60'000'000'000;
    run(20, kPeriod);
    QVERIFY(std::abs(meter.fps() - 30) < 0.01);
    run(500, kPeriod / 2); // The camera changed its rate for a brighter scene.
    QVERIFY(std::abs(meter.fps() - 60) < 0.01);
}

void TestStreamFacts::faultsAreSubtractedEachFromItsOwn()
{
    const SourceFaults faults = SourceFaults{10, 20, 30, 40, 50, 60} - SourceFaults{1, 2, 3, 4, 5, 6};
    QCOMPARE(faults, (SourceFaults{9, 18, 27, 36, 45, 54}));
    QCOMPARE(sourceFaultsText({}), std::string());
    QCOMPARE(sourceFaultsText({1, 2, 1, 3, 1, 1}),
             std::string("1 frame missed, 2 frames damaged, 1 frame torn, 3 frames repeated, 1 time stamp replaced, "
                         "away 1 time"));
}

void TestStreamFacts::generatorsSayWhatTheyMake()
{
    const auto source = openSource("synthetic:?size=64x48&fps=25&format=yuyv", Pacing::Real);
    QVERIFY(source.ok());
    QCOMPARE(streamFactsText(source.value()->state().facts),
             std::string("codec raw YUYV; coded size 64×48; rate 25 fps claimed; colour BT.601, limited range"));
}

JETSCOPE_TEST(TestStreamFacts)
#include "tst_streamfacts.moc"
