// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/tracecost.h"

#include <QTest>

#include <algorithm>

using namespace jetscope;

/// Checks the ratios that the trace store guarantees, with slack for a busy machine.
class TestTraceCost : public QObject {
    Q_OBJECT
private slots:
    void aSpanTakes28Bytes();
    void appendingCostsThreeTimesAVector();
    void aQueryOfManySpansCostsTwiceThatOfFew();
    void zoomingOutAddsNoMoreThanColumns();
};

void TestTraceCost::aSpanTakes28Bytes()
{
    constexpr std::uint64_t kCount = 10'000'000;
    const std::vector<bench::LaneSpan> spans = bench::randomSpans(kCount);
    const std::uint64_t before = bench::residentBytes();
    const Trace trace = bench::traceOf(spans);
    const std::uint64_t resident = bench::residentBytes() - before;
    QCOMPARE(trace.spanCount(), kCount);
    QVERIFY(trace.memoryBytes() >= kCount * 24);
    QVERIFY2(trace.memoryBytes() <= kCount * 28, qPrintable(QString::number(trace.memoryBytes())));
    QVERIFY2(resident <= kCount * 28, qPrintable(QString::number(resident)));
}

void TestTraceCost::appendingCostsThreeTimesAVector()
{
    const bench::AppendCost cost = bench::measureAppend(bench::randomSpans(2'000'000), 5);
    QVERIFY2(cost.trackNs <= cost.vectorNs * 3 * 1.5, qPrintable(QString::number(cost.trackNs / cost.vectorNs)));
}

void TestTraceCost::aQueryOfManySpansCostsTwiceThatOfFew()
{
    const Trace few = bench::traceOf(bench::randomSpans(10'000));
    const Trace many = bench::traceOf(bench::randomSpans(5'000'000));
    for (const double length : bench::zoomSteps(few)) {
        const double ofFew = bench::measureQuery(few, length, 15);
        const double ofMany = bench::measureQuery(many, length, 15);
        QVERIFY2(ofMany <= ofFew * 2 * 2, qPrintable(QString("%1 ms against %2").arg(ofMany).arg(ofFew)));
    }
}

void TestTraceCost::zoomingOutAddsNoMoreThanColumns()
{
    // Both have more spans than columns, so drawing costs the same with ten times as many spans.
    const auto worst = [](std::uint64_t count) {
        const Trace trace = bench::traceOf(bench::randomSpans(count));
        double ms = 0;
        for (const double length : bench::zoomSteps(trace))
            ms = std::max(ms, bench::measureQuery(trace, length, 9));
        return ms;
    };
    const double few = worst(800'000);
    const double many = worst(8'000'000);
    QVERIFY2(many <= few * 2 * 2, qPrintable(QString("%1 ms against %2").arg(many).arg(few)));
}

QTEST_GUILESS_MAIN(TestTraceCost)
#include "tst_tracecost.moc"
