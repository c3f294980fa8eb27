// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/path/traceoverview.h"
#include "core/path/waitcauses.h"
#include "tests/core/pipelinetrace.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <algorithm>
#include <numeric>

using namespace jetscope;
using namespace jetscope::test;

namespace {

Trace overviewTrace(unsigned seed)
{
    std::mt19937 random(seed);
    std::vector<Span> spans = randomTrace(random);
    std::stable_sort(spans.begin(), spans.end(), [](const Span &a, const Span &b) { return a.startNs < b.startNs; });
    Trace trace = emptyTrace();
    trace.add(spans);
    return trace;
}

OverviewTimes sumOf(const TraceOverview &overview)
{
    return std::accumulate(overview.parts().begin(), overview.parts().end(), OverviewTimes(),
                           [](OverviewTimes sum, const OverviewTimes &part) { return sum += part; });
}

void compareWhole(const TraceOverview &overview, const Trace &trace)
{
    const Interval whole{overview.startNs(), overview.endNs()};
    const Overlap expected = overlapIn(trace, whole);
    const OverviewTimes sum = sumOf(overview);
    QCOMPARE(sum.cpuNs, expected.cpuNs);
    QCOMPARE(sum.gpuNs, expected.gpuNs);
    QCOMPARE(sum.bothNs, expected.bothNs);
    const TraceOverview::Load load = overview.loadOf(whole);
    const auto length = static_cast<double>(whole.endNs - whole.startNs);
    QVERIFY(std::abs(load.cpu - static_cast<double>(expected.cpuNs) / length) < 1e-9);
    QVERIFY(std::abs(load.both - static_cast<double>(expected.bothNs) / length) < 1e-9);
}

} // namespace

class TestTraceOverview : public QObject {
    Q_OBJECT
private slots:
    void partsAddUpToTheWhole();
    void eachPartIsThatOfItsTime();
    void growsWithTheTrace();
    void nothingIsEmpty();
};

void TestTraceOverview::partsAddUpToTheWhole()
{
    NoProgress progress;
    for (unsigned seed = 1; seed <= 5; ++seed) {
        const Trace trace = overviewTrace(seed);
        TraceOverview overview;
        QVERIFY(overview.extend(trace, trace.newestNs(), progress));
        QCOMPARE(overview.startNs(), trace.oldestNs());
        QCOMPARE(overview.endNs(), trace.newestNs());
        compareWhole(overview, trace);
    }
}

void TestTraceOverview::eachPartIsThatOfItsTime()
{
    NoProgress progress;
    Trace trace = emptyTrace();
    const TraceName work = trace.names().intern("work", Category::CpuStage);
    const TraceName kernel = trace.names().intern("kernel", Category::Kernel);
    constexpr std::int64_t kLength = 50'000'000;
    for (std::int64_t at = 0; at < kLength; at += 100'000) {
        trace.add(kPipeline, 0, {at, at % 300'000 == 0 ? 90'000 : 10'000, 0, kNoFrame, work});
        trace.add(kStream0, 0, {at + 50'000, 20'000, 0, kNoFrame, kernel});
    }
    TraceOverview overview;
    QVERIFY(overview.extend(trace, kLength, progress));
    QVERIFY(overview.parts().size() <= TraceOverview::kMaxParts);
    for (std::size_t i = 0; i < overview.parts().size(); i += 37) {
        const std::int64_t from = overview.startNs() + static_cast<std::int64_t>(i) * overview.partNs();
        const Overlap expected = overlapIn(trace, {from, std::min(from + overview.partNs(), overview.endNs())});
        QCOMPARE(overview.parts()[i].cpuNs, expected.cpuNs);
        QCOMPARE(overview.parts()[i].gpuNs, expected.gpuNs);
        QCOMPARE(overview.parts()[i].bothNs, expected.bothNs);
    }
}

void TestTraceOverview::growsWithTheTrace()
{
    NoProgress progress;
    const Trace trace = overviewTrace(9);
    TraceOverview overview;
    for (std::int64_t until = trace.oldestNs() + 13; until < trace.newestNs(); until += 211)
        QVERIFY(overview.extend(trace, until, progress));
    QVERIFY(overview.extend(trace, trace.newestNs(), progress));
    QVERIFY(overview.parts().size() <= TraceOverview::kMaxParts);
    compareWhole(overview, trace);
    // Far longer: parts are joined, and nothing is lost.
    const OverviewTimes before = sumOf(overview);
    QVERIFY(overview.extend(trace, trace.newestNs() + 1'000'000'000, progress));
    QVERIFY(overview.parts().size() <= TraceOverview::kMaxParts);
    QCOMPARE(sumOf(overview).cpuNs, before.cpuNs);
    QCOMPARE(sumOf(overview).gpuNs, before.gpuNs);
}

void TestTraceOverview::nothingIsEmpty()
{
    NoProgress progress;
    TraceOverview overview;
    QVERIFY(overview.extend(Trace(), 0, progress));
    QVERIFY(overview.empty());
    QCOMPARE(overview.loadOf({0, 100}).cpu, 0.0);
}

JETSCOPE_TEST(TestTraceOverview)
#include "tst_traceoverview.moc"
