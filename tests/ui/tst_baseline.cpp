// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/controls/baseline.h"
#include "ui/text.h"

#include <QTest>

using namespace jetscope;

class TestBaseline : public QObject {
    Q_OBJECT
private slots:
    void saysWhatGotBetter();
    void saysWhatGotWorse();
    void unknownOverlapIsNoFigure();
    void titlesNameTheDifference();
    void textsOfQuantities();
};

void TestBaseline::saysWhatGotBetter()
{
    RunFigures before;
    before.frameMs.p50 = 14.1;
    before.blockedMs = 6.9;
    before.pooled = {1000, 500, 500, 110, 110};
    before.bytesCopiedPerFrame = 3.7e6;
    RunFigures now;
    now.frameMs.p50 = 9.8;
    now.blockedMs = 0.1;
    now.pooled = {1000, 500, 500, 370, 370};
    const auto rows = compareWithBaseline(before, now);
    QCOMPARE(rows.size(), std::size_t(4));
    QCOMPARE(rows[0].before, QStringLiteral("14.1 ms"));
    QCOMPARE(rows[0].now, QStringLiteral("9.8 ms"));
    QCOMPARE(rows[0].delta, QStringLiteral("−30 %"));
    QCOMPARE(rows[1].delta, QStringLiteral("−99 %"));
    QCOMPARE(rows[2].delta, QStringLiteral("+52 pt"));
    QCOMPARE(rows[3].now, QStringLiteral("0"));
    QCOMPARE(rows[3].delta, QStringLiteral("−100 %"));
    for (const ComparisonRow &row : rows)
        QVERIFY(row.trend == ComparisonRow::Trend::Better);
}

void TestBaseline::saysWhatGotWorse()
{
    RunFigures before;
    before.frameMs.p50 = 10;
    before.pooled = {1000, 500, 500, 250, 250};
    RunFigures now = before;
    now.frameMs.p50 = 12;
    now.pooled = {1000, 500, 500, 125, 125};
    now.bytesCopiedPerFrame = 1000;
    const auto rows = compareWithBaseline(before, now);
    QCOMPARE(rows[0].delta, QStringLiteral("+20 %"));
    QVERIFY(rows[0].trend == ComparisonRow::Trend::Worse);
    QVERIFY(rows[1].trend == ComparisonRow::Trend::Same);
    QCOMPARE(rows[2].delta, QStringLiteral("−25 pt"));
    QVERIFY(rows[2].trend == ComparisonRow::Trend::Worse);
    QVERIFY(rows[3].trend == ComparisonRow::Trend::Worse); // From nothing there is no percentage.
    QVERIFY(!rows[3].delta.contains(u'%'));
}

void TestBaseline::unknownOverlapIsNoFigure()
{
    RunFigures now;
    now.pooled = {1000, 500, 500, 250, 250};
    const ComparisonRow row = compareWithBaseline({}, now)[2];
    QCOMPARE(row.before, QStringLiteral("–"));
    QCOMPARE(row.delta, QStringLiteral("–"));
    QVERIFY(row.trend == ComparisonRow::Trend::Same);
}

void TestBaseline::titlesNameTheDifference()
{
    PipelineConfig a;
    a.sync = SyncMode::Finish;
    PipelineConfig b;
    b.sync = SyncMode::EglSync;
    QCOMPARE(comparisonTitles(a, b).before, QStringLiteral("Finish"));
    QCOMPARE(comparisonTitles(a, b).now, QStringLiteral("EGLSync"));
    b = a;
    b.memory = MemoryKind::ZeroCopy;
    QCOMPARE(comparisonTitles(a, b).now, QStringLiteral("zero-copy"));
}

void TestBaseline::textsOfQuantities()
{
    QCOMPARE(millisText(0.04), QStringLiteral("0.04 ms"));
    QCOMPARE(millisText(141.2), QStringLiteral("141 ms"));
    QCOMPARE(durationText(870), QStringLiteral("870 ns"));
    QCOMPARE(durationText(12'400), QStringLiteral("12.4 µs"));
    QCOMPARE(durationText(1'250'000'000), QStringLiteral("1.25 s"));
    QCOMPARE(bytesText(640), QStringLiteral("640 B"));
    QCOMPARE(bytesText(3.69e6), QStringLiteral("3.7 MB"));
    QCOMPARE(percentText(0.744), QStringLiteral("74 %"));
}

QTEST_GUILESS_MAIN(TestBaseline)
#include "tst_baseline.moc"
