// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/path/flametree.h"
#include "core/path/toptable.h"
#include "core/trace/durationsample.h"
#include "tests/core/pipelinetrace.h"
#include "tests/support/testprogram.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string>

using namespace jetscope;
using namespace jetscope::test;

namespace {

Trace traceOf(std::vector<Span> spans)
{
    Trace trace = emptyTrace();
    std::stable_sort(spans.begin(), spans.end(), [](const Span &a, const Span &b) { return a.startNs < b.startNs; });
    trace.add(spans);
    return trace;
}

TopTable tableOf(const Trace &trace, Interval time)
{
    NoProgress progress;
    auto table = topTable(trace, time, progress);
    if (!table)
        qFatal("cancelled");
    return std::move(*table);
}

struct Count {
    std::uint64_t count = 0;
    std::int64_t ownNs = 0;
    std::int64_t wholeNs = 0;
    std::vector<std::int64_t> each;
};
using Counts = std::map<std::pair<std::string, WorkKind>, Count>;

/// Tick by tick: the deepest span of a thread has the tick.
Counts naive(const std::vector<Span> &spans, Interval time)
{
    Counts counts;
    for (const Span &span : spans) {
        const bool nests = nestsSpans(kRoles[span.lane]);
        const Category category = spanCategory(span.name);
        const bool touches = span.startNs == span.endNs() ? span.startNs >= time.startNs && span.startNs < time.endNs
                                                          : span.startNs < time.endNs && span.endNs() > time.startNs;
        if (!touches || (!nests && category == Category::Tool))
            continue;
        std::int64_t own = 0;
        const std::int64_t from = std::max(span.startNs, time.startNs);
        const std::int64_t to = std::min(span.endNs(), time.endNs);
        for (std::int64_t t = from; t < to; ++t)
            own += nests
                    && std::any_of(spans.begin(), spans.end(),
                                   [&](const Span &other) {
                                       return other.lane == span.lane && other.depth > span.depth && other.startNs <= t
                                           && other.endNs() > t;
                                   })
                ? 0
                : 1;
        Count &count = counts[{spanName(span.name), workKindOf(category)}];
        ++count.count;
        count.ownNs += own;
        count.wholeNs += to - from;
        count.each.push_back(own);
    }
    return counts;
}

class CancelAt : public Progress {
public:
    bool advance(double) override { return false; }
};

} // namespace

class TestTopTable : public QObject {
    Q_OBJECT
private slots:
    void equalsANaiveCount_data();
    void equalsANaiveCount();
    void ownTimesOfAThreadAddUpToItsRecordedTime();
    void framesAreOneRow();
    void sideBySideWorkOfADeviceCountsInFull();
    void percentilesAreWithinTheBound();
    void stepsThroughTheSpansOfARow();
    void readsWhileTheTraceGrows();
    void costsGrowWithTheSpans();
    void canBeCancelled();
};

void TestTopTable::equalsANaiveCount_data()
{
    QTest::addColumn<unsigned>("seed");
    QTest::addColumn<qint64>("from");
    QTest::addColumn<qint64>("to");
    for (unsigned seed = 1; seed <= 8; ++seed)
        QTest::addRow("%u", seed) << seed << qint64(seed % 2 == 0 ? -10 : 100 * seed)
                                  << qint64(seed % 2 == 0 ? kTicks + 1000 : kTicks - 150 * seed);
}

void TestTopTable::equalsANaiveCount()
{
    QFETCH(unsigned, seed);
    QFETCH(qint64, from);
    QFETCH(qint64, to);
    std::mt19937 random(seed);
    const std::vector<Span> spans = randomTrace(random);
    const Trace trace = traceOf(spans);
    const TopTable table = tableOf(trace, {from, to});
    const Counts counts = naive(spans, {from, to});
    QCOMPARE(table.rows.size(), counts.size());
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const TopRow &row = table.rows[i];
        const auto found = counts.find({trace.names().text(row.name), row.kind()});
        QVERIFY(found != counts.end());
        std::vector<std::int64_t> each = found->second.each;
        std::sort(each.begin(), each.end());
        const auto rank = [&](double part) {
            return each[static_cast<std::size_t>(std::ceil(part * static_cast<double>(each.size()))) - 1];
        };
        QCOMPARE(row.count, found->second.count);
        QCOMPARE(row.ownNs, found->second.ownNs);
        QCOMPARE(row.wholeNs, found->second.wholeNs);
        QCOMPARE(row.maxNs, each.back());
        if (each.size() <= DurationSample::kKept) {
            QCOMPARE(row.p50Ns, rank(0.5));
            QCOMPARE(row.p95Ns, rank(0.95));
            QCOMPARE(row.p99Ns, rank(0.99));
        }
        QCOMPARE(std::accumulate(row.histogram.begin(), row.histogram.end(), std::uint64_t(0)), row.count);
        QVERIFY(i == 0 || row.ownNs <= table.rows[i - 1].ownNs);
        sum += row.ownNs;
    }
    QCOMPARE(table.ownNs, sum);
}

void TestTopTable::ownTimesOfAThreadAddUpToItsRecordedTime()
{
    // Not nested: the second begins in the first and ends after it; a depth is missing in the third.
    const std::vector<Span> spans = {
        spanOf(kPipeline, Category::CpuStage, 0, 100, 0),   spanOf(kPipeline, Category::Submit, 60, 140, 1),
        spanOf(kPipeline, Category::CpuStage, 150, 250, 0), spanOf(kPipeline, Category::Submit, 170, 180, 2),
        spanOf(kPipeline, Category::Submit, 160, 165, 1),   spanOf(kPipeline, Category::Submit, 300, 300, 0),
    };
    const TopTable table = tableOf(traceOf(spans), {0, 1000});
    QCOMPARE(table.ownNs, std::int64_t(140 + 100));
    QCOMPARE(table.lanes, std::size_t(1));
}

void TestTopTable::framesAreOneRow()
{
    Trace trace = emptyTrace();
    for (int i = 0; i < 4; ++i)
        QVERIFY(trace.add(
            kPipeline, 0,
            {i * 100, 90, 0, kNoFrame, trace.names().intern("ProfilerStep#" + std::to_string(i), Category::Tool)}));
    QVERIFY(trace.add(kPipeline, 0, {500, 10, 0, kNoFrame, trace.names().intern("conv2", Category::CpuStage)}));
    QVERIFY(trace.add(kPipeline, 0, {600, 10, 0, kNoFrame, trace.names().intern("conv3", Category::CpuStage)}));
    const TopTable table = tableOf(trace, {0, 1000});
    QCOMPARE(table.rows.size(), std::size_t(3));
    QCOMPARE(table.rows.front().count, std::uint64_t(4));
}

void TestTopTable::sideBySideWorkOfADeviceCountsInFull()
{
    const std::vector<Span> spans = {spanOf(kStream0, Category::Kernel, 0, 100, 0),
                                     spanOf(kStream0, Category::Kernel, 20, 60, 1),
                                     spanOf(kStream1, Category::Kernel, 0, 50, 0)};
    const TopTable table = tableOf(traceOf(spans), {0, 100});
    QCOMPARE(table.rows.size(), std::size_t(1));
    QCOMPARE(table.rows[0].ownNs, std::int64_t(190));
}

void TestTopTable::percentilesAreWithinTheBound()
{
    std::mt19937_64 random(7);
    for (const int octaves : {1, 12, 40}) {
        DurationSample sample;
        std::vector<std::int64_t> all;
        for (int i = 0; i < 20'000; ++i) {
            all.push_back(static_cast<std::int64_t>(random() >> (63 - random() % static_cast<unsigned>(octaves + 1))));
            sample.add(all.back());
        }
        std::sort(all.begin(), all.end());
        for (const double part : {0.0, 0.01, 0.5, 0.95, 0.99, 0.9999, 1.0}) {
            const auto rank =
                static_cast<std::size_t>(std::max(1.0, std::ceil(part * static_cast<double>(all.size()))));
            const auto exact = static_cast<double>(all[rank - 1]);
            const auto found = static_cast<double>(sample.quantileNs(part));
            QVERIFY2(std::abs(found - exact) <= 0.004 * exact + 0.5, qPrintable(QString::number(found / exact)));
        }
        QCOMPARE(sample.minNs(), all.front());
        QCOMPARE(sample.maxNs(), all.back());
    }
}

void TestTopTable::stepsThroughTheSpansOfARow()
{
    std::mt19937 random(3);
    const std::vector<Span> spans = randomTrace(random);
    const Trace trace = traceOf(spans);
    const Interval time{200, kTicks - 200};
    const TopTable table = tableOf(trace, time);
    for (std::uint32_t row = 0; row < table.rows.size(); ++row) {
        std::uint64_t steps = 0;
        std::int64_t at = -1'000'000;
        std::vector<std::int64_t> starts;
        while (const auto next = nextOfRow(trace, table, row, at, 1)) {
            at = next->bar.span.startNs;
            QCOMPARE(table.rowOf[next->bar.span.name], row);
            starts.push_back(at);
            QVERIFY(++steps <= table.rows[row].count);
        }
        QVERIFY(!starts.empty());
        at = starts.back();
        for (std::size_t i = starts.size() - 1; i-- > 0;) {
            const auto previous = nextOfRow(trace, table, row, at, -1);
            QVERIFY(previous);
            at = previous->bar.span.startNs;
            QCOMPARE(at, starts[i]);
        }
        QVERIFY(!nextOfRow(trace, table, row, at, -1));
    }
}

/// A snapshot stays as it was, while its trace grows and drops.
void TestTopTable::readsWhileTheTraceGrows()
{
    Trace trace = emptyTrace();
    const TraceName name = trace.names().intern("kernel", Category::Kernel);
    std::int64_t at = 0;
    const auto grow = [&](int spans, std::int64_t gapNs) {
        for (int i = 0; i < spans; ++i, at += gapNs)
            trace.add(kStream0, 0, {at, 5, 0, kNoFrame, name});
    };
    for (const int first : {1, 15, 16, 17, 1023, 1024, 1025, 40'000}) {
        trace = emptyTrace();
        at = 0;
        trace.names().intern("kernel", Category::Kernel);
        grow(first, 10'000'000'000); // Too far apart to be packed.
        const std::shared_ptr<const Trace> before = trace.snapshot();
        trace.names().intern("another", Category::Kernel);
        grow(2000, 10);
        const TopTable table = tableOf(*before, {0, at});
        QCOMPARE(table.rows.size(), std::size_t(1));
        QCOMPARE(table.rows[0].count, std::uint64_t(first));
        QCOMPARE(table.rows[0].ownNs, std::int64_t(first) * 5);
        QCOMPARE(before->names().size(), std::size_t(1));
        QCOMPARE(before->newestNs(), (std::int64_t(first) - 1) * 10'000'000'000 + 5);
        QCOMPARE(tableOf(trace, {0, at}).rows[0].count, std::uint64_t(first + 2000));
    }
}

/// Four times the spans take about four times as long, table and flames alike.
void TestTopTable::costsGrowWithTheSpans()
{
    const auto nested = [](std::int64_t spans) {
        Trace trace = emptyTrace();
        std::vector<TraceName> names;
        for (int i = 0; i < 50; ++i)
            names.push_back(trace.names().intern("name " + std::to_string(i) + "x", Category::CpuStage));
        for (std::int64_t i = 0; i < spans / 2; ++i) {
            const std::int64_t at = i * 100;
            trace.add(kPipeline, 0, {at, 90, 0, kNoFrame, names[static_cast<std::size_t>(i % 50)]});
            trace.add(kPipeline, 1, {at + 10, 20 + i % 40, 0, kNoFrame, names[static_cast<std::size_t>(i % 7)]});
        }
        return trace;
    };
    const auto bestNs = [](const Trace &trace) {
        const Interval whole{trace.oldestNs(), trace.newestNs()};
        NoProgress progress;
        qint64 best = std::numeric_limits<qint64>::max();
        for (int round = 0; round < 5; ++round) {
            QElapsedTimer timer;
            timer.start();
            const bool done = topTable(trace, whole, progress) && flameTree(trace, whole, FlameLanes::Cpu, progress);
            best = done ? std::min(best, timer.nsecsElapsed()) : best;
        }
        return best;
    };
    const qint64 few = bestNs(nested(200'000));
    const qint64 many = bestNs(nested(800'000));
    QVERIFY2(many < 10 * few, qPrintable(QStringLiteral("%1 ns, %2 ns").arg(many).arg(few)));
}

void TestTopTable::canBeCancelled()
{
    Trace trace = emptyTrace();
    const TraceName name = trace.names().intern("kernel", Category::Kernel);
    for (int i = 0; i < 200'000; ++i)
        trace.add(kStream0, 0, {i * 10, 5, 0, kNoFrame, name});
    CancelAt progress;
    QVERIFY(!topTable(trace, {0, 2'000'000}, progress));
}

JETSCOPE_TEST(TestTopTable)
#include "tst_toptable.moc"
