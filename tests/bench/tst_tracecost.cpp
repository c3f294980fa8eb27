// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/tracecost.h"

#include <QTest>

#include <algorithm>

using namespace jetscope;

namespace {

/// What a busy machine may do to a ratio. bench_trace measures the ratios themselves.
constexpr double kSlack = 4;

} // namespace

/// The bytes of the trace store, and that its costs do not grow with what it holds.
class TestTraceCost : public QObject {
    Q_OBJECT
private slots:
    void aSpanTakes28Bytes();
    void appendingCostsTheSameInALongTrace();
    void aQueryDoesNotGrowWithTheSpansOutsideOfIt();
    void aQueryDoesNotGrowWithTheSpansInIt();
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

void TestTraceCost::appendingCostsTheSameInALongTrace()
{
    const double few = bench::measureAppend(bench::randomSpans(200'000), 5).trackNs;
    const double many = bench::measureAppend(bench::randomSpans(4'000'000), 5).trackNs;
    QVERIFY2(many <= few * kSlack, qPrintable(QString("%1 ns against %2").arg(many).arg(few)));
}

void TestTraceCost::aQueryDoesNotGrowWithTheSpansOutsideOfIt()
{
    const Trace few = bench::traceOf(bench::randomSpans(10'000));
    const Trace many = bench::traceOf(bench::randomSpans(5'000'000));
    for (const double length : bench::zoomSteps(few)) {
        const double ofFew = bench::measureQuery(few, length, 15);
        const double ofMany = bench::measureQuery(many, length, 15);
        QVERIFY2(ofMany <= ofFew * kSlack, qPrintable(QString("%1 ms against %2").arg(ofMany).arg(ofFew)));
    }
}

/// Both have more spans than columns, so drawing costs the same with ten times as many.
void TestTraceCost::aQueryDoesNotGrowWithTheSpansInIt()
{
    const auto worst = [](std::uint64_t count) {
        const Trace trace = bench::traceOf(bench::randomSpans(count));
        double ms = 0;
        for (const double length : bench::zoomSteps(trace))
            ms = std::max(ms, bench::measureQuery(trace, length, 9));
        return ms;
    };
    const double few = worst(800'000);
    const double many = worst(8'000'000);
    QVERIFY2(many <= few * kSlack, qPrintable(QString("%1 ms against %2").arg(many).arg(few)));
}

QTEST_GUILESS_MAIN(TestTraceCost)
#include "tst_tracecost.moc"
