// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testprogram.h"
#include "ui/timeline/rowlabels.h"
#include "ui/timeline/timelinelayout.h"
#include "ui/timeline/timescale.h"

#include <QTest>

#include <limits>

using namespace jetscope;

namespace {

Span makeSpan(LaneId lane, std::int64_t startNs, std::int64_t durationNs, std::uint8_t depth = 0)
{
    Span span;
    span.lane = lane;
    span.startNs = startNs;
    span.durationNs = durationNs;
    span.depth = depth;
    return span;
}

Trace oneLaneOfEach()
{
    Trace trace;
    trace.setLanes({{0, LaneRole::View, "Display", ""},
                    {1, LaneRole::DeviceStream, "CUDA stream 0", ""},
                    {2, LaneRole::Pipeline, "Pipeline", ""},
                    {3, LaneRole::Capture, "Capture", ""},
                    {4, LaneRole::GlQueue, "GL queue", ""},
                    {5, LaneRole::Tool, "Writer", ""},
                    {6, LaneRole::Engine, "PVA", ""}});
    const std::vector<Span> spans = {makeSpan(0, 10, 5), makeSpan(1, 10, 5), makeSpan(2, 8, 9), makeSpan(2, 10, 5, 1),
                                     makeSpan(3, 1, 1),  makeSpan(4, 1, 1),  makeSpan(5, 1, 1), makeSpan(6, 1, 1)};
    trace.add(spans);
    return trace;
}

QStringList labels(const TimelineLayout &layout)
{
    QStringList out;
    for (const TimelineRow &row : layout.rows)
        out.append((row.kind == TimelineRow::Kind::Heading ? QStringLiteral("# ") : QString()) + row.label);
    return out;
}

} // namespace

class TestTimelineLayout : public QObject {
    Q_OBJECT
private slots:
    void lanesAreGrouped();
    void nothingOfAForeignTraceIsJetscopes();
    void collapsedGroupsKeepTheirHeading();
    void pinnedRowsComeFirst();
    void rowsFollowEachOther();
    void countersHaveRowsButUncertaintyHasNone();
    void findsTheSpanUnderAPixel();
    void aCounterOfALogShowsItsLastValue();
};

/// Behind a log nothing is known, and that is no reason to say so of each of its counters.
void TestTimelineLayout::aCounterOfALogShowsItsLastValue()
{
    const double unknown = std::numeric_limits<double>::quiet_NaN();
    CounterTrack load({0, "GPU load", "%", std::nullopt});
    QCOMPARE(counterValueText(load, 0), QString("no value yet"));
    QVERIFY(load.append(0, 10) && load.append(1000, 42));
    QVERIFY(counterValueText(load, 2000).startsWith("42"));
    QVERIFY(load.append(2000, unknown));
    QVERIFY2(counterValueText(load, 2000).startsWith("42"), qPrintable(counterValueText(load, 2000)));
    QCOMPARE(counterValueText(load, 3000), QString("unknown")); // The trace goes on without it.
}

void TestTimelineLayout::lanesAreGrouped()
{
    const TimelineLayout layout = layoutTimeline(oneLaneOfEach());
    const QStringList expected = {QStringLiteral("# CPU threads"),     QStringLiteral("Capture"),
                                  QStringLiteral("Pipeline"),          QStringLiteral("Display"),
                                  QStringLiteral("# CUDA streams"),    QStringLiteral("CUDA stream 0"),
                                  QStringLiteral("# Engines"),         QStringLiteral("PVA"),
                                  QStringLiteral("# GL queues"),       QStringLiteral("GL queue"),
                                  QStringLiteral("# Jetscope itself"), QStringLiteral("Writer")};
    QCOMPARE(labels(layout), expected);
    QCOMPARE(layout.overlap.kind, TimelineRow::Kind::Overlap);
}

void TestTimelineLayout::nothingOfAForeignTraceIsJetscopes()
{
    Trace trace = oneLaneOfEach();
    TraceOrigin origin;
    origin.file = "steps.json";
    trace.setOrigin(origin);
    QVERIFY(labels(layoutTimeline(trace)).contains("# Other lanes"));
    origin.program = "Jetscope 0.1.0";
    trace.setOrigin(origin);
    QVERIFY(labels(layoutTimeline(trace)).contains("# Jetscope itself"));
}

void TestTimelineLayout::collapsedGroupsKeepTheirHeading()
{
    CollapsedGroups collapsed{};
    collapsed[static_cast<std::size_t>(RowGroup::CpuThreads)] = true;
    const TimelineLayout layout = layoutTimeline(oneLaneOfEach(), collapsed);
    QCOMPARE(labels(layout).mid(0, 3),
             (QStringList{QStringLiteral("# CPU threads"), QStringLiteral("# CUDA streams"),
                          QStringLiteral("CUDA stream 0")}));
    QVERIFY(layout.rows[0].collapsed);
    QCOMPARE(layout.rows[0].tracks.size(), std::size_t(3)); // The heading shows their activity.
    QVERIFY(!layout.rows[1].collapsed);
}

void TestTimelineLayout::pinnedRowsComeFirst()
{
    Trace trace = oneLaneOfEach();
    trace.setCounters({{0, "GPU load", "%", std::nullopt}});
    CollapsedGroups collapsed{};
    collapsed[static_cast<std::size_t>(RowGroup::CpuThreads)] = true;
    const TimelineLayout layout = layoutTimeline(trace, collapsed,
                                                 {QStringLiteral("counters/GPU load"), QStringLiteral("gl/GL queue"),
                                                  QStringLiteral("cpu/Pipeline"), QStringLiteral("cpu/GL queue"),
                                                  QStringLiteral("nothing of the kind")});
    const QStringList expected = {QStringLiteral("GPU load"),          QStringLiteral("GL queue"),
                                  QStringLiteral("Pipeline"),          QStringLiteral("# CPU threads"),
                                  QStringLiteral("# CUDA streams"),    QStringLiteral("CUDA stream 0"),
                                  QStringLiteral("# Engines"),         QStringLiteral("PVA"),
                                  QStringLiteral("# Jetscope itself"), QStringLiteral("Writer")}; // No empty group.
    QCOMPARE(labels(layout), expected);
    QCOMPARE(layout.pinnedHeight, layout.rows[3].top);
    for (std::size_t i = 0; i < layout.rows.size(); ++i)
        QCOMPARE(layout.rows[i].pinned, i < 3);
    QCOMPARE(layout.rows[3].tracks.size(), std::size_t(2)); // Without the pinned lane.
    QCOMPARE(layoutTimeline(trace).pinnedHeight, 0);
}

void TestTimelineLayout::rowsFollowEachOther()
{
    const TimelineLayout layout = layoutTimeline(oneLaneOfEach());
    int top = 0;
    for (const TimelineRow &row : layout.rows) {
        QCOMPARE(row.top, top);
        QVERIFY(row.height > 0);
        QCOMPARE(layout.rowAt(row.top), &row);
        QCOMPARE(layout.rowAt(row.top + row.height - 1), &row);
        top += row.height;
    }
    QCOMPARE(layout.height, top);
    QVERIFY(!layout.rowAt(top));
    QVERIFY(!layout.rowAt(-1));
    // The row with the nested lane is higher.
    QCOMPARE(layout.rows[2].tracks.size(), std::size_t(2));
    QVERIFY(layout.rows[2].height > layout.rows[1].height);
}

void TestTimelineLayout::countersHaveRowsButUncertaintyHasNone()
{
    Trace trace = oneLaneOfEach();
    trace.setCounters({{0, "GPU load", "%", std::nullopt},
                       {1, "Uncertainty of stream 0", "ns", LaneId(1)},
                       {2, "Queue depth", "frames", LaneId(1)}});
    const QStringList rows = labels(layoutTimeline(trace));
    QCOMPARE(rows.mid(rows.size() - 3),
             (QStringList{QStringLiteral("# Counters"), QStringLiteral("GPU load"), QStringLiteral("Queue depth")}));
}

void TestTimelineLayout::findsTheSpanUnderAPixel()
{
    Trace trace;
    trace.setLanes({{0, LaneRole::Pipeline, "Pipeline", ""}});
    const std::vector<Span> spans = {makeSpan(0, 1000, 500), makeSpan(0, 1100, 100, 1), makeSpan(0, 3000, 1)};
    trace.add(spans);
    const TimelineLayout layout = layoutTimeline(trace);
    const TimeScale scale{0, 0, 10};
    const TimelineRow &row = layout.rows[1];
    const auto at = [&](double x, std::size_t depth) {
        const BarBand band = barBand(layout.metrics, depth);
        return spanAt(trace, layout, scale, x, row.top + band.top + band.height / 2);
    };
    QCOMPARE(at(120, 0)->bar.span.startNs, 1000);
    QCOMPARE(at(115, 1)->bar.span.startNs, 1100);
    QVERIFY(!at(130, 1));
    QVERIFY(!at(200, 0));
    QCOMPARE(at(300, 0)->bar.span.startNs, 3000); // 0.1 pixels wide, still found.
    QVERIFY(!spanAt(trace, layout, scale, 120, row.top + 1));
    QVERIFY(!spanAt(trace, layout, scale, 120, layout.rows[0].top + 5)); // A heading has no spans.
}

JETSCOPE_TEST(TestTimelineLayout)
#include "tst_timelinelayout.moc"
