// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testprogram.h"
#include "ui/timeline/rowlabels.h"
#include "ui/timeline/timelinelayout.h"
#include "ui/timeline/timescale.h"

#include <QSet>
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
    void processesAndGpusHaveHeadings();
    void theGpuComesBeforeManyThreads();
    void equalNamesHaveKeysOfTheirOwn();
    void numbersOfARunAreInNoKey();
    void hiddenLanesAreCounted();
    void theFilterFindsWordsAndOpensGroups();
    void deepLanesShowTheirOutermostLevels();
    void aDeepLaneIsNoHigherThanItsLevels();
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
    LaneChoices choices;
    choices.setFolded(QStringLiteral("cpu"), true);
    const TimelineLayout layout = layoutTimeline(oneLaneOfEach(), choices);
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
    LaneChoices choices;
    choices.setFolded(QStringLiteral("cpu"), true);
    choices.setPinned({QStringLiteral("counters/GPU load"), QStringLiteral("gl/GL queue"),
                       QStringLiteral("cpu/Pipeline"), QStringLiteral("cpu/GL queue"),
                       QStringLiteral("nothing of the kind")});
    const TimelineLayout layout = layoutTimeline(trace, choices);
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
        const BarBand band = barBand(layout.metrics, depth, row.tracks.size());
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

namespace {

/// Two processes on two GPUs, as a profiler writes them.
Trace foreignTrace(const char *thread = "thread 4711 (python3)")
{
    Trace trace;
    trace.setLanes({{0, LaneRole::Pipeline, thread, "python3 · CPU"},
                    {1, LaneRole::CpuStage, "thread 4712 (python3)", "python3 · CPU"},
                    {2, LaneRole::CpuStage, "loader", "asynchronous · loader"},
                    {3, LaneRole::DeviceStream, "stream 7", "python3 · GPU 0"},
                    {4, LaneRole::DeviceStream, "stream 7", "python3 · GPU 1"}});
    std::vector<Span> spans;
    for (LaneId lane = 0; lane < 5; ++lane)
        spans.push_back(makeSpan(lane, 10, 5));
    trace.add(spans);
    TraceOrigin origin;
    origin.file = "steps.json.gz";
    trace.setOrigin(origin);
    return trace;
}

} // namespace

void TestTimelineLayout::processesAndGpusHaveHeadings()
{
    Trace trace = foreignTrace();
    const TimelineLayout layout = layoutTimeline(trace);
    QCOMPARE(labels(layout),
             (QStringList{"# python3", "thread 4711 (python3)", "thread 4712 (python3)", "# loader", "loader",
                          "# GPU 0", "stream 7", "# GPU 1", "stream 7"}));
    QCOMPARE(layout.rows[0].detail, QString("2 threads"));
    QCOMPARE(layout.rows[5].detail, QString("1 stream"));
    LaneChoices choices;
    choices.setFolded(layout.rows[5].key, true); // One GPU folds by itself.
    QCOMPARE(labels(layoutTimeline(trace, choices)).mid(5), (QStringList{"# GPU 0", "# GPU 1", "stream 7"}));
    // What Jetscope recorded has one process.
    trace.setOrigin({});
    QCOMPARE(labels(layoutTimeline(trace)).front(), QString("# CPU threads"));
}

void TestTimelineLayout::theGpuComesBeforeManyThreads()
{
    for (const int threads : {4, 5}) {
        Trace trace;
        std::vector<LaneInfo> lanes{{0, LaneRole::DeviceStream, "stream 7", "GPU 0"}};
        for (int i = 1; i <= threads; ++i)
            lanes.push_back({static_cast<LaneId>(i), LaneRole::CpuStage, "worker " + std::to_string(i), "python3"});
        TraceOrigin origin;
        origin.file = "steps.json";
        trace.setOrigin(origin);
        trace.setLanes(lanes);
        for (const LaneInfo &lane : lanes)
            trace.add(lane.id, 0, {0, 10, 0, kNoFrame, trace.names().intern("a", Category::CpuStage)});
        const qsizetype gpu = labels(layoutTimeline(trace)).indexOf("# CUDA streams");
        QCOMPARE(gpu, qsizetype(threads > 4 ? 0 : threads + 1));
        trace.setOrigin({}); // Jetscope's own order is always the same.
        QCOMPARE(labels(layoutTimeline(trace)).indexOf("# CUDA streams"), qsizetype(threads + 1));
    }
}

void TestTimelineLayout::equalNamesHaveKeysOfTheirOwn()
{
    const Trace trace = foreignTrace();
    const TimelineLayout layout = layoutTimeline(trace);
    QSet<QString> keys;
    for (const TimelineRow &row : layout.rows)
        keys.insert(row.key);
    QCOMPARE(keys.size(), static_cast<qsizetype>(layout.rows.size()));
    LaneChoices choices;
    choices.setHidden(layout.rows.back().key, true); // Of two streams 7, the one of GPU 1.
    QVERIFY(labels(layoutTimeline(trace, choices)).contains("# GPU 0"));
    QVERIFY(!labels(layoutTimeline(trace, choices)).contains("# GPU 1"));
}

void TestTimelineLayout::numbersOfARunAreInNoKey()
{
    const TimelineLayout one = layoutTimeline(foreignTrace());
    const TimelineLayout other = layoutTimeline(foreignTrace("thread 99 (python3)"));
    QVERIFY(one.rows[1].label != other.rows[1].label);
    QCOMPARE(one.rows[1].key, other.rows[1].key);
    QVERIFY(one.rows[1].key != one.rows[2].key);
}

void TestTimelineLayout::hiddenLanesAreCounted()
{
    LaneChoices choices;
    for (const char *key : {"cpu/Pipeline", "gl/GL queue", "cpu/nothing of the kind"})
        choices.setHidden(QLatin1String(key), true);
    const TimelineLayout layout = layoutTimeline(oneLaneOfEach(), choices);
    QCOMPARE(layout.hidden, 2);
    QVERIFY(!labels(layout).contains("Pipeline") && !labels(layout).contains("# GL queues"));
    QCOMPARE(layout.rows[0].detail, QString("2 of 3 threads"));
    QCOMPARE(layout.rows.back().kind, TimelineRow::Kind::Note);
    QCOMPARE(layout.rows.back().label, QString("2 lanes hidden"));
    QCOMPARE(layout.rows.back().top + layout.rows.back().height, layout.height);
    choices.showAll();
    QVERIFY(layoutTimeline(oneLaneOfEach(), choices).rows.back().kind != TimelineRow::Kind::Note);
}

void TestTimelineLayout::theFilterFindsWordsAndOpensGroups()
{
    LaneChoices choices;
    choices.setFolded(QStringLiteral("cpu"), true);
    choices.setHidden(QStringLiteral("cuda/CUDA stream 0"), true);
    choices.setPinned({QStringLiteral("gl/GL queue")});
    choices.setFilter(QStringLiteral("PIPE"));
    const TimelineLayout layout = layoutTimeline(oneLaneOfEach(), choices);
    QCOMPARE(labels(layout),
             (QStringList{"GL queue", "# CPU threads", "Pipeline",
                          "1 lane hidden · 4 lanes filtered out"})); // The pinned lane stays.
    choices.setFilter(QStringLiteral("pipe stage"));
    QCOMPARE(labels(layoutTimeline(oneLaneOfEach(), choices)).size(), 2);
    // By what the trace says of the lane, too.
    choices.setFilter(QStringLiteral("gpu 1"));
    QCOMPARE(labels(layoutTimeline(foreignTrace(), choices)),
             (QStringList{"# GPU 1", "stream 7", "4 lanes filtered out"}));
}

namespace {

Trace deepLane(int levels)
{
    Trace trace;
    trace.setLanes({{0, LaneRole::Pipeline, "Pipeline", ""}, {1, LaneRole::DeviceStream, "CUDA stream 0", ""}});
    std::vector<Span> spans = {makeSpan(1, 1000, 100)};
    for (int level = 0; level < levels; ++level)
        spans.push_back(makeSpan(0, 1000 + level, 500 - 2 * level, static_cast<std::uint8_t>(level)));
    trace.add(spans);
    return trace;
}

} // namespace

void TestTimelineLayout::deepLanesShowTheirOutermostLevels()
{
    const Trace trace = deepLane(9);
    const TimelineLayout layout = layoutTimeline(trace);
    const TimelineRow &row = layout.rows[1];
    QCOMPARE(row.tracks.size(), std::size_t(7));
    QCOMPARE(row.deeper.size(), std::size_t(2));
    QVERIFY(row.foldable);
    QVERIFY(!layout.rowOfTrack(row.deeper.front()));
    LaneChoices choices;
    choices.setWhole(row.key, true);
    const TimelineLayout whole = layoutTimeline(trace, choices);
    QCOMPARE(whole.rows[1].tracks.size(), std::size_t(9));
    QVERIFY(whole.rows[1].foldable && whole.rows[1].height > row.height);
    QVERIFY(!layoutTimeline(deepLane(7)).rows[1].foldable);
}

void TestTimelineLayout::aDeepLaneIsNoHigherThanItsLevels()
{
    for (const int levels : {1, 2, 7}) {
        const TimelineLayout layout = layoutTimeline(deepLane(levels));
        const TimelineRow &row = layout.rows[1];
        int bottom = 0;
        for (std::size_t depth = 0; depth < row.tracks.size(); ++depth) {
            const BarBand band = barBand(layout.metrics, depth, row.tracks.size());
            QVERIFY(band.top > bottom); // Levels do not touch.
            QCOMPARE(band.height, levels == 1 ? layout.metrics.barHeight : 15);
            bottom = band.top + band.height;
        }
        QVERIFY2(row.height > bottom && row.height - bottom <= 12, qPrintable(QString::number(row.height - bottom)));
    }
    // With seven levels of Python, a stream still ends in the upper half of a small window.
    const TimelineLayout layout = layoutTimeline(deepLane(9));
    QVERIFY(layout.contentTop() + layout.rows[3].top + layout.rows[3].height < 300);
}

JETSCOPE_TEST(TestTimelineLayout)
#include "tst_timelinelayout.moc"
