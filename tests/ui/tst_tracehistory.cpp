// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timelinelayout.h"
#include "ui/timeline/timescale.h"
#include "ui/timeline/tracehistory.h"

#include <QRandomGenerator>
#include <QTest>

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

FrameFigures makeFigures(std::uint32_t frame, std::int64_t startNs, std::int64_t periodNs)
{
    FrameFigures figures;
    figures.frame = frame;
    figures.startNs = startNs;
    figures.overlap.periodNs = periodNs;
    return figures;
}

} // namespace

class TestTraceHistory : public QObject {
    Q_OBJECT
private slots:
    void ordersLanesByTheWayOfAFrame();
    void forgetsWhatIsOld();
    void boundsMemoryWhateverTheRate();
    void countsLateSpans();
    void rangesEqualBruteForce();
    void findsFrames();
    void keepsMarks();
    void findsTheSpanUnderAPixel();
};

void TestTraceHistory::ordersLanesByTheWayOfAFrame()
{
    TraceHistory history;
    history.add(std::vector<Span>{makeSpan(0, 10, 5), makeSpan(1, 10, 5), makeSpan(2, 10, 5, 1), makeSpan(2, 8, 9, 0),
                                  makeSpan(3, 0, 1)});
    history.setLanes({{0, LaneRole::View, "Display", ""},
                      {1, LaneRole::DeviceStream, "CUDA stream 0", ""},
                      {2, LaneRole::Pipeline, "Pipeline", ""},
                      {3, LaneRole::Capture, "Capture", ""}});
    std::vector<std::pair<int, int>> order;
    for (const Track &track : history.tracks())
        order.emplace_back(track.lane, track.depth);
    const std::vector<std::pair<int, int>> expected = {{3, 0}, {2, 0}, {2, 1}, {1, 0}, {0, 0}};
    QCOMPARE(order, expected);

    const TimelineLayout layout = layoutTimeline(history);
    QCOMPARE(layout.rows.size(), std::size_t(5)); // The overlap strip and four lanes.
    QCOMPARE(layout.rows[2].label, QStringLiteral("Pipeline"));
    QCOMPARE(layout.rows[2].tracks.size(), std::size_t(2));
    QVERIFY(layout.rows[2].height > layout.rows[1].height);
    QCOMPARE(layout.rows.back().top + layout.rows.back().height, layout.height);
}

void TestTraceHistory::forgetsWhatIsOld()
{
    TraceHistory history;
    const std::int64_t second = 1'000'000'000;
    for (int i = 0; i < 100; ++i)
        history.add(std::vector<Span>{makeSpan(0, i * second, second / 2)});
    QVERIFY(history.newestNs() - history.oldestNs() <= TraceHistory::kKeepNs + second);
    QVERIFY(history.newestNs() - history.oldestNs() >= TraceHistory::kKeepNs - second);
    for (std::uint32_t i = 0; i < 3000; ++i)
        history.add(std::vector<FrameFigures>{makeFigures(i, i, 1)});
    QCOMPARE(history.frames().size(), TraceHistory::kKeepFrames);
    QCOMPARE(history.frames().back().frame, 2999u);
    history.clear();
    QVERIFY(history.isEmpty());
    QCOMPARE(history.spanCount(), std::size_t(0));
}

void TestTraceHistory::boundsMemoryWhateverTheRate()
{
    TraceHistory history;
    std::vector<Span> spans;
    for (int i = 0; i < 300'000; ++i)
        spans.push_back(makeSpan(0, i * 10LL, 5));
    history.add(spans);
    QCOMPARE(history.spanCount(), TraceHistory::kKeepSpansPerTrack);
    QCOMPARE(history.tracks().front().spans.back().startNs, 2'999'990);
}

void TestTraceHistory::countsLateSpans()
{
    TraceHistory history;
    history.add(std::vector<Span>{makeSpan(0, 100, 10), makeSpan(0, 105, 10), makeSpan(0, 50, 10), makeSpan(1, 50, 10),
                                  makeSpan(0, 110, 1)});
    QCOMPARE(history.lateSpans(), std::uint64_t(2));
    QCOMPARE(history.spanCount(), std::size_t(3));
}

void TestTraceHistory::rangesEqualBruteForce()
{
    QRandomGenerator random(3);
    Track track;
    std::int64_t at = 0;
    for (int i = 0; i < 500; ++i) {
        at += random.bounded(20);
        track.spans.push_back(makeSpan(0, at, random.bounded(15)));
        at = track.spans.back().endNs();
    }
    for (int i = 0; i < 2000; ++i) {
        const std::int64_t from = random.bounded(8000) - 100;
        const std::int64_t to = from + random.bounded(400);
        const auto [first, last] = track.range(from, to);
        for (std::size_t j = 0; j < track.spans.size(); ++j) {
            const Span &span = track.spans[j];
            const bool touches = span.endNs() > from && span.startNs < to;
            QCOMPARE(j >= first && j < last, touches);
        }
    }
}

void TestTraceHistory::findsFrames()
{
    TraceHistory history;
    history.add(std::vector<FrameFigures>{makeFigures(7, 100, 50), makeFigures(8, 150, 50), makeFigures(9, 200, 50)});
    const auto frames = [&](std::int64_t from, std::int64_t to) {
        const auto [first, last] = history.framesIn(from, to);
        return last - first;
    };
    QCOMPARE(frames(0, 100), std::size_t(0));
    QCOMPARE(frames(0, 101), std::size_t(1));
    QCOMPARE(frames(149, 151), std::size_t(2));
    QCOMPARE(frames(0, 1000), std::size_t(3));
    QCOMPARE(frames(250, 1000), std::size_t(0));
}

void TestTraceHistory::keepsMarks()
{
    TraceHistory history;
    PipelineNotice notice;
    notice.kind = PipelineNotice::Kind::Switched;
    notice.text = "sync: finish → eglsync";
    history.add(notice);
    notice.kind = PipelineNotice::Kind::Refused; // Nothing happened in the trace.
    history.add(notice);
    notice.kind = PipelineNotice::Kind::Violation;
    history.add(notice);
    QCOMPARE(history.marks().size(), std::size_t(2));
    QVERIFY(history.marks()[0].kind == TraceMark::Kind::Switch);
    QVERIFY(history.marks()[1].kind == TraceMark::Kind::Violation);
    for (int i = 0; i < 2000; ++i)
        history.add(notice);
    QCOMPARE(history.marks().size(), TraceHistory::kKeepMarks);
}

void TestTraceHistory::findsTheSpanUnderAPixel()
{
    TraceHistory history;
    history.setLanes({{0, LaneRole::Pipeline, "Pipeline", ""}});
    history.add(std::vector<Span>{makeSpan(0, 1000, 500), makeSpan(0, 1100, 100, 1), makeSpan(0, 3000, 1)});
    const TimelineLayout layout = layoutTimeline(history);
    const TimeScale scale{0, 0, 10};
    const TimelineRow &row = layout.rows[1];
    const auto at = [&](double x, std::size_t depth) {
        const BarBand band = barBand(layout.metrics, depth);
        return spanAt(history, layout, scale, x, row.top + band.top + band.height / 2);
    };
    QCOMPARE(at(120, 0)->startNs, 1000);
    QCOMPARE(at(115, 1)->startNs, 1100);
    QVERIFY(!at(130, 1));
    QVERIFY(!at(200, 0));
    QCOMPARE(at(300, 0)->startNs, 3000); // A tenth of a pixel wide, still found.
    QVERIFY(!spanAt(history, layout, scale, 120, row.top + 1));
}

QTEST_GUILESS_MAIN(TestTraceHistory)
#include "tst_tracehistory.moc"
