// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/coarsespans.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace jetscope;

namespace {

constexpr LaneId kLane = 2;

/// Spans of a lane without gaps larger than themselves, from a millisecond on.
std::vector<Span> randomSpans(std::int64_t longestNs, std::size_t count)
{
    std::mt19937_64 random(7);
    std::vector<Span> spans;
    std::int64_t ns = 1'000'000;
    for (std::size_t i = 0; i < count; ++i) {
        const auto length = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(longestNs)) + 1;
        spans.push_back({ns, length, static_cast<std::uint32_t>(i), 0, static_cast<NameId>(i % 2), kLane, 1});
        ns += length + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(longestNs));
    }
    std::shuffle(spans.begin(), spans.end(), random);
    return spans;
}

double busyOf(const TrackPicture &picture, const ColumnWindow &window, std::size_t column)
{
    double ns = static_cast<double>(picture.columns[column].busyNs);
    const double from = static_cast<double>(window.startNs) + static_cast<double>(column) * window.nsPerColumn;
    for (const TraceBar &bar : picture.bars)
        ns += std::max(0.0,
                       std::min(from + window.nsPerColumn, static_cast<double>(bar.span.endNs()))
                           - std::max(from, static_cast<double>(bar.span.startNs)));
    return ns;
}

} // namespace

/// Columns in place of spans that have not come.
class TestCoarseSpans : public QObject {
    Q_OBJECT
private slots:
    void columnsOfAnotherScaleHaveTheSameTime_data();
    void columnsOfAnotherScaleHaveTheSameTime();
    void whatIsOutsideOfAWindowIsLeftOut();
    void aStoreNamesThemAsTheTraceDoes();
    void whatHasComeIsForgotten();
    void tooMuchIsDropped();
};

void TestCoarseSpans::columnsOfAnotherScaleHaveTheSameTime_data()
{
    QTest::addColumn<double>("from");
    QTest::addColumn<double>("to");
    QTest::newRow("the same scale") << 65536.0 << 65536.0;
    QTest::newRow("finer") << 65536.0 << 20000.0;
    QTest::newRow("coarser") << 65536.0 << 700'000.0;
    QTest::newRow("spans wider than a column") << 64.0 << 65536.0;
}

void TestCoarseSpans::columnsOfAnotherScaleHaveTheSameTime()
{
    QFETCH(double, from);
    QFETCH(double, to);
    const std::vector<Span> spans = randomSpans(20'000, 400);
    SpanTrack track(kLane, 1);
    std::int64_t endNs = 0;
    double all = 0;
    std::vector<Span> sorted = spans;
    std::ranges::sort(sorted, {}, &Span::startNs);
    for (const Span &span : sorted) {
        QVERIFY(track.append({span.startNs, span.durationNs, 0, span.frame, TraceName{span.name}}));
        endNs = span.endNs();
        all += static_cast<double>(span.durationNs);
    }
    const auto windowOf = [endNs](std::int64_t startNs, double ns) {
        return ColumnWindow{startNs, ns, static_cast<int>(std::ceil(static_cast<double>(endNs - startNs) / ns))};
    };
    const CoarseSpans coarse = coarseSpans(spans, windowOf(sorted.front().startNs, from));
    QCOMPARE(coarse.tracks.size(), std::size_t{1});
    QVERIFY(coarse.tracks.contains({kLane, 1}));
    const ColumnWindow window = windowOf(sorted.front().startNs - 12'345, to);
    std::vector<TraceColumn> columns(static_cast<std::size_t>(window.count));
    addCoarse(coarse.tracks.begin()->second, coarse.window, window, columns);
    TrackPicture exact;
    track.query(window, exact);
    double sum = 0;
    double apart = 0;
    for (std::size_t x = 0; x < columns.size(); ++x) {
        sum += static_cast<double>(columns[x].busyNs);
        apart += std::abs(static_cast<double>(columns[x].busyNs) - busyOf(exact, window, x));
    }
    QVERIFY2(std::abs(sum - all) < all * 0.01, qPrintable(QString::number(sum / all)));
    // Time may be in a neighbour, at the edges of columns.
    QVERIFY2(apart < all * (from > to ? 0.6 : 0.2), qPrintable(QString::number(apart / all)));
}

void TestCoarseSpans::whatIsOutsideOfAWindowIsLeftOut()
{
    const CoarseSpans coarse = coarseSpans({{1000, 500, 0, 0, 1, kLane, 0}}, {1000, 100, 5});
    const TrackPicture &known = coarse.tracks.begin()->second;
    std::vector<TraceColumn> columns;
    addCoarse(known, coarse.window, {0, 100, 10}, columns);
    QVERIFY(columns.empty());
    addCoarse(known, coarse.window, {2000, 100, 10}, columns);
    QVERIFY(columns.empty());
    addCoarse(known, coarse.window, {1250, 100, 10}, columns); // It begins within the span.
    QCOMPARE(columns.size(), std::size_t{10});
    QCOMPARE(columns[0].busyNs, std::int64_t{100});
    QCOMPARE(columns[2].busyNs, std::int64_t{50});
    QCOMPARE(columns[3].busyNs, std::int64_t{0});
    // Times at the ends of what a trace can have.
    addCoarse(known, {-(std::int64_t{1} << 61), 1e17, 3}, {std::int64_t{1} << 61, 1, 3}, columns);
}

void TestCoarseSpans::aStoreNamesThemAsTheTraceDoes()
{
    Trace trace;
    trace.setLanes({{0, LaneRole::Pipeline, "Pipeline", ""},
                    {1, LaneRole::Capture, "Capture", ""},
                    {kLane, LaneRole::CpuStage, "CPU stage", ""}});
    trace.names().intern("another", Category::Tool); // So that numbers differ.
    trace.names().addProcessNames(0, {{"idle", Category::Tool}, {"work", Category::Kernel}});
    CoarseStore store;
    const std::uint64_t before = store.version();
    QVERIFY(
        store.add(coarseSpans({{1000, 40, 0, 0, 1, kLane, 0}, {1400, 90, 0, 0, 0, kLane, 0}}, {1000, 100, 5}), trace));
    QVERIFY(store.version() != before);
    QCOMPARE(trace.tracks().size(), std::size_t{1}); // A row, before a span has come.
    QVERIFY(trace.tracks().front().empty());
    const TrackPicture &known = store.all().at(1000).tracks.begin()->second;
    QCOMPARE(trace.names().text(known.columns[0].longest), std::string("work"));
    QCOMPARE(trace.names().text(known.columns[4].longest), std::string("idle"));
}

void TestCoarseSpans::whatHasComeIsForgotten()
{
    Trace trace;
    trace.names().addProcessNames(0, {{"work", Category::Kernel}});
    CoarseStore store;
    for (const std::int64_t startNs : {1000, 2000, 3000})
        QVERIFY(store.add(coarseSpans({{startNs, 40, 0, 0, 0, 0, 0}}, {startNs, 10, 4}), trace));
    store.keepWithin({{900, 1500}, {2900, 3001}});
    QCOMPARE(store.all().size(), std::size_t{2});
    QVERIFY(!store.all().contains(2000));
    const std::uint64_t version = store.version();
    store.keepWithin({{900, 1500}, {2900, 3001}});
    QCOMPARE(store.version(), version);
    // Another scale replaces what began then.
    QVERIFY(store.add(coarseSpans({{1000, 40, 0, 0, 0, 0, 0}}, {1000, 1, 40}), trace));
    QCOMPARE(store.all().at(1000).window.count, 40);
    store.keepWithin({});
    QVERIFY(store.all().empty());
}

void TestCoarseSpans::tooMuchIsDropped()
{
    Trace trace;
    trace.names().addProcessNames(0, {{"work", Category::Kernel}});
    CoarseStore store;
    bool isKept = true;
    std::size_t most = 0;
    for (std::int64_t i = 0; isKept && i < 10'000; ++i) {
        isKept = store.add(coarseSpans({{i * 1'000'000, 40, 0, 0, 0, 0, 0}}, {i * 1'000'000, 100, 1024}), trace);
        most = std::max(most, store.all().size());
    }
    QVERIFY(!isKept && store.all().empty());
    QVERIFY2(most > 1000 && most * 1024 < 4'000'000, qPrintable(QString::number(most)));
}

JETSCOPE_TEST(TestCoarseSpans)
#include "tst_coarsespans.moc"
