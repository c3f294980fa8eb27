// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testprogram.h"
#include "ui/measure/baseline.h"
#include "ui/style/text.h"

#include <QTest>

using namespace jetscope;

class TestBaseline : public QObject {
    Q_OBJECT
private slots:
    void saysWhatGotBetter();
    void saysWhatGotWorse();
    void withoutVerdictThereIsNoTrend_data();
    void withoutVerdictThereIsNoTrend();
    void boundsAreMarked();
    void withoutComparisonThePresentIsShown();
    void titlesNameTheDifference();
    void textsOfQuantities();
};

namespace {

enum Row { PeriodRow, FrameTime, FrameP99, Latency, Blocked, Gpu, OverlapRow, Copied, DroppedRow, Rows };

/// Every figure is `a` before and `b` now, with this verdict.
CaptureComparison comparisonOf(double a, double b, RowVerdict verdict)
{
    CaptureComparison comparison;
    for (const Figure metric : captureFigures()) {
        ComparedFigure figure;
        figure.a = a;
        figure.b = b;
        figure.verdict = verdict;
        comparison.metrics.push_back({metric, figure});
    }
    return comparison;
}

SettingCounts countsOf(std::uint64_t frames, std::uint64_t dropped)
{
    SettingCounts counts;
    counts.frames = frames;
    counts.droppedBySource = dropped;
    return counts;
}

PresentFigures presentOf(std::uint64_t frames, std::uint64_t dropped)
{
    PresentFigures present;
    present.counts = countsOf(frames, dropped);
    return present;
}

} // namespace

void TestBaseline::saysWhatGotBetter()
{
    const auto rows =
        comparisonRows(presentOf(1000, 0), comparisonOf(0.8, 0.6, RowVerdict::Better), countsOf(1000, 250));
    QCOMPARE(rows.size(), std::size_t(Rows));
    QCOMPARE(rows[FrameTime].before, QStringLiteral("0.8 ms"));
    QCOMPARE(rows[FrameTime].now, QStringLiteral("0.6 ms"));
    QCOMPARE(rows[FrameTime].delta, QStringLiteral("−25 % ✓"));
    QCOMPARE(rows[OverlapRow].delta, QStringLiteral("−20 pt ✓"));
    QCOMPARE(rows[DroppedRow].before, QStringLiteral("20 %"));
    QCOMPARE(rows[DroppedRow].delta, QStringLiteral("−20 pt ✓"));
    for (const ComparisonRow &row : rows)
        QVERIFY2(row.trend == ComparisonRow::Trend::Better, qPrintable(row.name));
}

void TestBaseline::saysWhatGotWorse()
{
    const auto rows = comparisonRows(presentOf(1000, 250), comparisonOf(0, 0.5, RowVerdict::Worse), countsOf(1000, 0));
    QCOMPARE(rows[OverlapRow].delta, QStringLiteral("+50 pt ✗"));
    QCOMPARE(rows[DroppedRow].delta, QStringLiteral("+20 pt ✗"));
    QVERIFY(!rows[Copied].delta.contains(u'%')); // A percentage of 0 is undefined.
    for (const ComparisonRow &row : rows)
        QVERIFY2(row.trend == ComparisonRow::Trend::Worse, qPrintable(row.name));
}

void TestBaseline::withoutVerdictThereIsNoTrend_data()
{
    QTest::addColumn<int>("verdict");
    QTest::addColumn<QString>("delta");
    QTest::newRow("unchanged") << static_cast<int>(RowVerdict::Unchanged) << QStringLiteral("≈");
    QTest::newRow("too few frames") << static_cast<int>(RowVerdict::TooFewFrames) << QStringLiteral("–");
    QTest::newRow("not comparable") << static_cast<int>(RowVerdict::NotComparable) << QStringLiteral("–");
}

void TestBaseline::withoutVerdictThereIsNoTrend()
{
    QFETCH(int, verdict);
    QFETCH(QString, delta);
    CaptureComparison comparison = comparisonOf(10, 20, static_cast<RowVerdict>(verdict));
    if (comparison.metrics[0].figure.verdict == RowVerdict::NotComparable)
        comparison.noVerdict = "the device differs";
    const auto rows = comparisonRows(presentOf(1000, 500), comparison, countsOf(1000, 0));
    for (std::size_t row = 0; row < DroppedRow; ++row) {
        QCOMPARE(rows[row].delta, delta);
        QVERIFY(rows[row].trend == ComparisonRow::Trend::Unknown || rows[row].trend == ComparisonRow::Trend::Same);
    }
    QCOMPARE(rows[DroppedRow].trend == ComparisonRow::Trend::Worse, comparison.noVerdict.empty());
}

void TestBaseline::boundsAreMarked()
{
    CaptureComparison comparison = comparisonOf(4, 4, RowVerdict::Unchanged);
    comparison.of(Figure::GpuBusy).bAtLeast = 2;
    const auto rows = comparisonRows({}, comparison, std::nullopt);
    QCOMPARE(rows[Gpu].before, QStringLiteral("4.0 ms"));
    QCOMPARE(rows[Gpu].now, QStringLiteral("≤ 4.0 ms"));
}

void TestBaseline::withoutComparisonThePresentIsShown()
{
    PresentFigures now;
    now.figures.frames = 100;
    now.figures.fps = 50;
    now.figures.frameMs.p50 = 9.8;
    now.figures.centrals[static_cast<std::size_t>(Figure::GpuBusy)] = 4;
    now.figures.leasts[static_cast<std::size_t>(Figure::GpuBusy)] = 2;
    now.figures.pooled = {1000, 5, 500, 5, 500}; // The CPU does nothing: no overlap.
    const auto rows = comparisonRows(now, std::nullopt, std::nullopt);
    QCOMPARE(rows[PeriodRow].now, QStringLiteral("20.0 ms"));
    QCOMPARE(rows[FrameTime].now, QStringLiteral("9.8 ms"));
    QCOMPARE(rows[Gpu].now, QStringLiteral("≤ 4.0 ms"));
    QCOMPARE(rows[OverlapRow].now, QStringLiteral("–"));
    QCOMPARE(rows[Latency].now, QStringLiteral("–"));
    for (const ComparisonRow &row : rows) {
        QCOMPARE(row.before, QStringLiteral("–"));
        QCOMPARE(row.delta, QStringLiteral("–"));
        QVERIFY(row.trend == ComparisonRow::Trend::Unknown);
    }
    now.noGpuTimes = QStringLiteral("GL is not seen");
    const auto unknown = comparisonRows(now, std::nullopt, std::nullopt);
    QCOMPARE(unknown[Gpu].now, QStringLiteral("–"));
    QVERIFY(unknown[Gpu].reason.contains(now.noGpuTimes));
    QCOMPARE(unknown[FrameTime].now, QStringLiteral("9.8 ms"));
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
    b = a;
    b.framesInFlight = 3;
    QCOMPARE(comparisonTitles(a, b).before, QStringLiteral("2 in flight"));
    QCOMPARE(comparisonTitles(a, b).now, QStringLiteral("3 in flight"));
    QCOMPARE(comparisonTitles(a, a).now, QStringLiteral("Finish"));
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

JETSCOPE_TEST(TestBaseline)
#include "tst_baseline.moc"
