// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/controls/baseline.h"
#include "ui/style/text.h"

#include <QTest>

using namespace jetscope;

class TestBaseline : public QObject {
    Q_OBJECT
private slots:
    void saysWhatGotBetter();
    void saysWhatGotWorse();
    void noiseIsNoDifference();
    void boundsAreNoDifference();
    void anotherKindOfRunIsNotCompared_data();
    void anotherKindOfRunIsNotCompared();
    void unknownOverlapIsNoFigure();
    void titlesNameTheDifference();
    void textsOfQuantities();
};

namespace {

/// Figures that each have the noise `noise`.
Baseline baselineOf(double frameMs, double overlap, double noise)
{
    Baseline baseline;
    RunFigures &figures = baseline.figures;
    figures.frames = 120;
    figures.fps = 1000 / frameMs;
    figures.frameMs.p50 = frameMs;
    figures.latencyMs.p99 = 2 * frameMs;
    figures.blockedMs = frameMs / 2;
    figures.gpuBusyMs = figures.gpuBusyAtLeastMs = frameMs / 4;
    figures.pooled = {1000, 500, 500, static_cast<std::int64_t>(500 * overlap), 0};
    figures.bytesCopiedPerFrame = 3.7e6;
    baseline.noise = {figures.fps * noise,
                      frameMs * noise,
                      2 * frameMs * noise,
                      overlap * noise,
                      frameMs / 2 * noise,
                      frameMs / 4 * noise,
                      0};
    baseline.counts.frames = 1000;
    baseline.source = "synthetic:";
    baseline.deviceId = "soft:orin";
    baseline.width = 1280;
    baseline.height = 720;
    return baseline;
}

enum Row { Rate, FrameTime, Latency, Blocked, Gpu, OverlapRow, Copied, DroppedRow, Rows };

} // namespace

void TestBaseline::saysWhatGotBetter()
{
    const Baseline before = baselineOf(14.1, 0.22, 0.01);
    Baseline now = baselineOf(9.8, 0.74, 0.01);
    now.figures.bytesCopiedPerFrame = 0;
    const auto rows = compareWithBaseline(before, now);
    QCOMPARE(rows.size(), std::size_t(Rows));
    QCOMPARE(rows[Rate].before, QStringLiteral("70.9"));
    QCOMPARE(rows[Rate].delta, QStringLiteral("+44 % ✓"));
    QCOMPARE(rows[FrameTime].before, QStringLiteral("14.1 ms"));
    QCOMPARE(rows[FrameTime].now, QStringLiteral("9.8 ms"));
    QCOMPARE(rows[FrameTime].delta, QStringLiteral("−30 % ✓"));
    QCOMPARE(rows[OverlapRow].delta, QStringLiteral("+52 pt ✓"));
    QCOMPARE(rows[Copied].now, QStringLiteral("0"));
    QCOMPARE(rows[Copied].delta, QStringLiteral("−100 % ✓"));
    for (std::size_t row = 0; row < DroppedRow; ++row)
        QVERIFY2(rows[row].trend == ComparisonRow::Trend::Better, qPrintable(rows[row].name));
    QVERIFY(rows[DroppedRow].trend == ComparisonRow::Trend::Same);
}

void TestBaseline::saysWhatGotWorse()
{
    Baseline before = baselineOf(10, 0.5, 0.01);
    before.figures.bytesCopiedPerFrame = 0;
    Baseline now = baselineOf(12, 0.25, 0.01);
    now.counts.droppedBySource = 250;
    const auto rows = compareWithBaseline(before, now);
    QCOMPARE(rows[FrameTime].delta, QStringLiteral("+20 % ✗"));
    QCOMPARE(rows[OverlapRow].delta, QStringLiteral("−25 pt ✗"));
    QCOMPARE(rows[DroppedRow].now, QStringLiteral("20 %"));
    QCOMPARE(rows[DroppedRow].delta, QStringLiteral("+20 pt ✗"));
    QVERIFY(!rows[Copied].delta.contains(u'%')); // A percentage of 0 is undefined.
    for (const ComparisonRow &row : rows)
        QVERIFY2(row.trend == ComparisonRow::Trend::Worse, qPrintable(row.name));
}

/// A difference within both noises is no trend, even if it is large.
void TestBaseline::noiseIsNoDifference()
{
    const auto rows = compareWithBaseline(baselineOf(10, 0.5, 0.15), baselineOf(12, 0.42, 0.15));
    for (const ComparisonRow &row : rows) {
        QVERIFY2(row.trend == ComparisonRow::Trend::Same, qPrintable(row.name));
        QCOMPARE(row.delta, QStringLiteral("≈"));
    }
    // Without known noise there is no trend.
    Baseline few = baselineOf(20, 0.1, 0.01);
    few.noise = {};
    for (const ComparisonRow &row : compareWithBaseline(baselineOf(10, 0.5, 0.01), few))
        QVERIFY(row.trend == ComparisonRow::Trend::Unknown || row.trend == ComparisonRow::Trend::Same);
}

/// Overlapping bounds are no trend.
void TestBaseline::boundsAreNoDifference()
{
    const Baseline before = baselineOf(10, 0.5, 0.001);
    Baseline now = baselineOf(10, 0.5, 0.001);
    now.figures.gpuBusyMs = 4;
    now.figures.gpuBusyAtLeastMs = 2;
    QCOMPARE(compareWithBaseline(before, now)[Gpu].now, QStringLiteral("≤ 4.0 ms"));
    QVERIFY(compareWithBaseline(before, now)[Gpu].trend == ComparisonRow::Trend::Same);
    now.figures.gpuBusyAtLeastMs = 3;
    QVERIFY(compareWithBaseline(before, now)[Gpu].trend == ComparisonRow::Trend::Worse);
}

void TestBaseline::anotherKindOfRunIsNotCompared_data()
{
    QTest::addColumn<QString>("what");
    for (const char *what : {"source", "size", "device", "filters"})
        QTest::newRow(what) << QString::fromLatin1(what);
}

void TestBaseline::anotherKindOfRunIsNotCompared()
{
    QFETCH(QString, what);
    const Baseline before = baselineOf(10, 0.5, 0.001);
    Baseline now = baselineOf(20, 0.1, 0.001);
    QVERIFY(whyNotCompared(before, now).isEmpty());
    if (what == QStringLiteral("source"))
        now.source = "file:clip.avi";
    else if (what == QStringLiteral("size"))
        now.width = 3840;
    else if (what == QStringLiteral("device"))
        now.deviceId = "cuda:0";
    else
        now.config.filters = {Filter::Invert};
    QVERIFY(whyNotCompared(before, now).contains(what));
    for (const ComparisonRow &row : compareWithBaseline(before, now)) {
        QVERIFY(row.trend == ComparisonRow::Trend::Unknown);
        QCOMPARE(row.delta, QStringLiteral("–"));
    }
}

void TestBaseline::unknownOverlapIsNoFigure()
{
    Baseline before = baselineOf(10, 0.5, 0.01);
    before.figures.pooled = {1000, 5, 500, 5, 500};
    const ComparisonRow row = compareWithBaseline(before, baselineOf(10, 0.5, 0.01))[OverlapRow];
    QCOMPARE(row.before, QStringLiteral("–"));
    QCOMPARE(row.delta, QStringLiteral("–"));
    QVERIFY(row.trend == ComparisonRow::Trend::Unknown);
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
