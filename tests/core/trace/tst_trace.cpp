// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/trace.h"
#include "tests/core/pipelinetrace.h"
#include "tests/support/testprogram.h"
#include "tests/support/teststep.h"

#include <QRandomGenerator>
#include <QTest>

#include <algorithm>
#include <limits>

using namespace jetscope;
using namespace jetscope::test;

namespace {

std::vector<LaneInfo> lanes()
{
    std::vector<LaneInfo> infos;
    for (LaneId lane = 0; lane < kRoles.size(); ++lane)
        infos.push_back({lane, kRoles[lane], "lane " + std::to_string(lane), {}});
    return infos;
}

TraceMark markAt(std::int64_t ns, std::string text = {})
{
    TraceMark mark;
    mark.timeNs = ns;
    mark.text = std::move(text);
    return mark;
}

Thumbnail thumbnailAt(std::int64_t ns, std::size_t bytes)
{
    Thumbnail thumbnail;
    thumbnail.timeNs = ns;
    thumbnail.encoded.resize(bytes);
    return thumbnail;
}

} // namespace

class TestTrace : public QObject {
    Q_OBJECT
private slots:
    void tracksStandInTheOrderInWhichTheyAreShown();
    void takesSpansOfThisProcess();
    void countsLateSpans();
    void countersWithoutNameAreNamedAfterTheirId();
    void refusesNamesAndTracksWithoutEnd();
    void beginsAndEndsWhereItsContentsDo();
    void nothingAddedIsNoChange();
    void dropsTheOldestSegmentOfEverything();
    void dropsNoMoreThanASegmentThatEndsAtOnce();
    void marksAreSortedAndBounded();
    void thumbnailsAreFoundByTimeAndBounded();
    void namesAreInternedByTextAndCategory();
    void countersAreTakenById();
    void framesHaveTheirSourcesNumbers();
};

void TestTrace::tracksStandInTheOrderInWhichTheyAreShown()
{
    Trace trace;
    const TraceName name = trace.names().intern("work", Category::Kernel);
    std::uint64_t shape = trace.shape();
    for (const auto &[lane, depth] : std::initializer_list<std::pair<LaneId, std::uint8_t>>{
             {99, 0}, {kView, 0}, {kStream1, 1}, {kStream1, 0}, {kPipeline, 0}, {kCapture, 0}, {kStream0, 0}}) {
        QVERIFY(trace.add(lane, depth, {0, 10, 0, 0, name}));
        QVERIFY(trace.shape() != shape);
        shape = trace.shape();
    }
    trace.setLanes(lanes());
    QVERIFY(trace.shape() != shape);
    shape = trace.shape();
    std::vector<std::pair<LaneId, int>> order;
    for (const SpanTrack &track : trace.tracks())
        order.emplace_back(track.lane(), track.depth());
    const std::vector<std::pair<LaneId, int>> expected = {{kCapture, 0}, {kPipeline, 0}, {kStream0, 0}, {kStream1, 0},
                                                          {kStream1, 1}, {kView, 0},     {99, 0}};
    QCOMPARE(order, expected);
    QVERIFY(trace.add(kStream1, 1, {20, 10, 0, 0, name}));
    QCOMPARE(trace.tracks()[4].endIndex(), std::uint64_t{2});
    QCOMPARE(trace.shape(), shape);
    QCOMPARE(trace.lane(kView)->name, std::string("lane 5"));
    QVERIFY(!trace.lane(99));
}

void TestTrace::takesSpansOfThisProcess()
{
    std::mt19937 random(5);
    std::vector<Span> spans = randomTrace(random);
    // In the tracer's order: nested spans end first.
    std::stable_sort(spans.begin(), spans.end(), [](const Span &a, const Span &b) { return a.endNs() < b.endNs(); });
    Trace trace;
    trace.setLanes(lanes());
    trace.add(spans);
    QCOMPARE(trace.spanCount(), static_cast<std::uint64_t>(spans.size()));
    QCOMPARE(trace.lateSpans(), std::uint64_t{0});
    std::size_t found = 0;
    for (const SpanTrack &track : trace.tracks())
        for (std::uint64_t i = track.firstIndex(); i < track.endIndex(); ++i) {
            const TraceSpan span = track.at(i);
            found += static_cast<std::size_t>(std::count_if(spans.begin(), spans.end(), [&](const Span &one) {
                return one.lane == track.lane() && one.depth == track.depth() && one.startNs == span.startNs
                    && one.durationNs == span.durationNs && spanName(one.name) == trace.names().text(span.name)
                    && spanCategory(one.name) == trace.names().category(span.name);
            }));
        }
    QCOMPARE(found, spans.size());
}

void TestTrace::countersWithoutNameAreNamedAfterTheirId()
{
    Trace trace;
    trace.setCounters({{7, {}, "W", std::nullopt}, {2, "GPU clock", "Hz", std::nullopt}});
    QCOMPARE(trace.counters()[0].info().name, std::string("counter 7"));
    QCOMPARE(trace.counters()[1].info().name, std::string("GPU clock"));
}

void TestTrace::countsLateSpans()
{
    Trace trace;
    const TraceName name = trace.names().intern("work", Category::Kernel);
    QVERIFY(trace.add(0, 0, {100, 10, 0, 0, name}));
    QVERIFY(!trace.add(0, 0, {105, 10, 0, 0, name}));
    QVERIFY(trace.add(0, 1, {105, 3, 0, 0, name}));
    QVERIFY(!trace.add(0, 0, {200, -5, 0, 0, name}));
    QCOMPARE(trace.spanCount(), std::uint64_t{2});
    QCOMPARE(trace.lateSpans(), std::uint64_t{2});
}

void TestTrace::refusesNamesAndTracksWithoutEnd()
{
    Trace trace;
    QVERIFY(!trace.add(0, 0, {0, 1, 0, 0, 0}));
    const TraceName name = trace.names().intern("work", Category::Kernel);
    QVERIFY(!trace.add(0, 0, {0, 1, 0, 0, name + 1}));
    std::uint64_t added = 0;
    for (int lane = 0; lane <= std::numeric_limits<LaneId>::max(); ++lane)
        added += trace.add(static_cast<LaneId>(lane ^ 0x2a), 255, {0, 1, 0, 0, name}) ? 1 : 0;
    QCOMPARE(added, static_cast<std::uint64_t>(Trace::kMaxTracks));
    QCOMPARE(trace.tracks().size(), Trace::kMaxTracks);
    QVERIFY(trace.memoryBytes() < 64 << 20);
}

void TestTrace::beginsAndEndsWhereItsContentsDo()
{
    Trace trace;
    QVERIFY(trace.empty());
    QCOMPARE(trace.oldestNs(), 0);
    QCOMPARE(trace.newestNs(), 0);
    trace.add(markAt(-70));
    trace.add(markAt(-90));
    QVERIFY(!trace.empty());
    QCOMPARE(trace.oldestNs(), -90);
    QCOMPARE(trace.newestNs(), -70);
    trace.add(markAt(std::numeric_limits<std::int64_t>::min()));
    QCOMPARE(trace.oldestNs(), -90);
    // A mark may be newer than late device results: the newest time follows the spans.
    const TraceName name = trace.names().intern("work", Category::Kernel);
    QVERIFY(trace.add(0, 0, {-300, 10, 0, 0, name}));
    QVERIFY(trace.add(1, 0, {-250, 10, 0, 0, name}));
    QCOMPARE(trace.oldestNs(), -300);
    QCOMPARE(trace.newestNs(), -240);
}

void TestTrace::nothingAddedIsNoChange()
{
    Trace trace;
    const std::uint64_t version = trace.version();
    trace.add(std::vector<Span>());
    trace.add(std::vector<FrameFigures>());
    trace.add(std::vector<CounterSample>());
    trace.add(std::vector<SpanEdge>());
    QCOMPARE(trace.version(), version);
}

void TestTrace::dropsTheOldestSegmentOfEverything()
{
    constexpr std::uint64_t kSpans = 2 * Trace::kSegmentSpans;
    Trace trace(1); // At least two segments are kept.
    QCOMPARE(trace.mostSpans(), kSpans);
    const TraceName name = trace.names().intern("work", Category::Kernel);
    trace.setCounters({{0, "load", "%", {}}});
    // One lane with many spans, one with few: both are cut at the same time.
    const auto feed = [&](std::uint64_t i) {
        const auto at = static_cast<std::int64_t>(i) * 10;
        QVERIFY(trace.add(i % 100 == 0 ? 1 : 0, 0, {at, 10, 0, static_cast<std::uint32_t>(i / 100), name}));
        if (i % 100 != 0)
            return;
        FrameFigures figures;
        figures.frame = static_cast<std::uint32_t>(i / 100);
        figures.startNs = at;
        figures.overlap.periodNs = 1000;
        trace.add(std::span(&figures, 1));
        const CounterSample sample{at, 1, 0};
        trace.add(std::span(&sample, 1));
        trace.add(markAt(at));
        trace.add(thumbnailAt(at, 1));
    };
    std::uint64_t fed = 0;
    while (fed < kSpans)
        JETSCOPE_STEP(feed(fed++));
    QCOMPARE(trace.droppedSpans(), std::uint64_t{0});
    QCOMPARE(trace.spanCount(), kSpans);
    JETSCOPE_STEP(feed(fed++));
    QCOMPARE(trace.spanCount(), kSpans + 1 - Trace::kSegmentSpans);
    QCOMPARE(trace.droppedSpans(), Trace::kSegmentSpans);

    const std::int64_t cut = static_cast<std::int64_t>(Trace::kSegmentSpans) * 10;
    QCOMPARE(trace.oldestNs(), cut);
    QCOMPARE(trace.tracks()[0].at(trace.tracks()[0].firstIndex()).startNs, cut + 10);
    QCOMPARE(trace.tracks()[1].firstIndex(), Trace::kSegmentSpans / 100);
    QCOMPARE(trace.tracks()[1].at(trace.tracks()[1].firstIndex()).startNs, cut);
    QCOMPARE(trace.frames().at(trace.frames().firstIndex()).startNs, cut);
    QCOMPARE(trace.counters()[0].at(trace.counters()[0].firstIndex()).first, cut);
    QCOMPARE(trace.marks().all().front().timeNs, cut);
    QCOMPARE(trace.thumbnails().all().front().timeNs, cut);
    QVERIFY(trace.memoryBytes() < (kSpans - Trace::kSegmentSpans) * 40);

    trace.setMostSpans(20'000'000);
    while (fed < 3 * kSpans)
        JETSCOPE_STEP(feed(fed++));
    QCOMPARE(trace.droppedSpans(), Trace::kSegmentSpans);
    trace.setMostSpans(3 * Trace::kSegmentSpans);
    QCOMPARE(trace.spanCount(), 3 * Trace::kSegmentSpans);
}

void TestTrace::dropsNoMoreThanASegmentThatEndsAtOnce()
{
    Trace trace(1);
    const TraceName name = trace.names().intern("mark", Category::Kernel);
    for (std::uint64_t i = 0; i <= 2 * Trace::kSegmentSpans; ++i)
        QVERIFY(trace.add(static_cast<LaneId>(i % 3), 0, {42, 0, 0, 0, name}));
    QCOMPARE(trace.spanCount(), Trace::kSegmentSpans + 1);
    std::uint64_t kept = 0;
    for (const SpanTrack &track : trace.tracks())
        kept += track.endIndex() - track.firstIndex();
    QCOMPARE(kept, trace.spanCount());
}

void TestTrace::marksAreSortedAndBounded()
{
    MarkList marks;
    for (const int ns : {5, 3, 9, 3, 5})
        marks.add(markAt(ns, std::to_string(marks.all().size())));
    std::string order;
    for (const TraceMark &mark : marks.all())
        order += std::to_string(mark.timeNs) + ":" + mark.text + " ";
    QCOMPARE(order, std::string("3:1 3:3 5:0 5:4 9:2 "));
    QCOMPARE(marks.range(3, 5), std::pair(std::size_t{0}, std::size_t{2}));
    QCOMPARE(marks.range(4, 100), std::pair(std::size_t{2}, std::size_t{5}));
    QCOMPARE(marks.range(10, 4), std::pair(std::size_t{5}, std::size_t{5}));
    marks.dropBefore(5);
    QCOMPARE(marks.all().size(), std::size_t{3});
    QCOMPARE(marks.discarded(), std::uint64_t{2});

    MarkList many;
    for (std::size_t i = 0; i < MarkList::kMax + 10; ++i)
        many.add(markAt(static_cast<std::int64_t>(i)));
    QCOMPARE(many.all().size(), MarkList::kMax);
    QCOMPARE(many.all().front().timeNs, 10);
    QCOMPARE(many.discarded(), std::uint64_t{10});
    for (int kind = 0; kind < kMarkKindCount; ++kind)
        QVERIFY(markKindName(static_cast<TraceMark::Kind>(kind)) != "?");
}

void TestTrace::thumbnailsAreFoundByTimeAndBounded()
{
    ThumbnailList list;
    QVERIFY(!list.nearest(0));
    for (const int ns : {100, 200, 400})
        list.add(thumbnailAt(ns, 10));
    constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
    for (const auto &[ns, nearest] : std::initializer_list<std::pair<std::int64_t, std::int64_t>>{
             {-kMax - 1, 100}, {100, 100}, {149, 100}, {151, 200}, {290, 200}, {310, 400}, {kMax, 400}})
        QCOMPARE(list.nearest(ns)->timeNs, nearest);
    QCOMPARE(list.memoryBytes(), std::size_t{30});
    list.add(thumbnailAt(500, ThumbnailList::kMaxBytes - 15));
    QCOMPARE(list.all().size(), std::size_t{2});
    QCOMPARE(list.all().front().timeNs, 400);
    list.add(thumbnailAt(600, ThumbnailList::kMaxBytes + 1));
    QVERIFY(list.all().empty());
    QCOMPARE(list.memoryBytes(), std::size_t{0});
}

void TestTrace::namesAreInternedByTextAndCategory()
{
    TraceNames names;
    const TraceName kernel = names.intern("sobel", Category::Kernel);
    const TraceName stage = names.intern("sobel", Category::CpuStage);
    QVERIFY(kernel != stage);
    QCOMPARE(names.intern(std::string("so") + "bel", Category::Kernel), kernel);
    const NameId here = internName("sobel", Category::Kernel);
    QCOMPARE(names.fromProcess(here), kernel);
    QCOMPARE(names.fromProcess(here), kernel);
    for (int i = 0; i < 100'000; ++i)
        QCOMPARE(names.intern("name " + std::to_string(i), Category::Copy), static_cast<TraceName>(i + 2));
    QCOMPARE(names.text(stage), std::string("sobel"));
    QCOMPARE(names.category(stage), Category::CpuStage);
}

void TestTrace::countersAreTakenById()
{
    Trace trace;
    trace.setCounters({{7, "load", "%", {}}, {3, "power", "W", {}}});
    const std::uint64_t shape = trace.shape();
    trace.setCounters({{7, "load", "%", {}}, {3, "power", "W", {}}});
    QCOMPARE(trace.shape(), shape);
    const std::vector<CounterSample> samples = {{10, 50, 7}, {10, 8, 3}, {10, 1, 9}, {20, 60, 7}, {15, 0, 7}};
    trace.add(samples);
    QCOMPARE(trace.counters().size(), std::size_t{2});
    QCOMPARE(trace.counters()[0].endIndex(), std::uint64_t{2});
    QCOMPARE(trace.counters()[1].valueAt(10), std::optional(8.0));
    QCOMPARE(trace.newestNs(), 20);
}

void TestTrace::framesHaveTheirSourcesNumbers()
{
    FrameNumbers numbers;
    QCOMPARE(numbers.of(7), std::uint64_t{7}); // Nothing has been added yet.
    QVERIFY(numbers.add({10, 110}));
    QVERIFY(!numbers.add({10, 500})); // Not after the last change.
    QVERIFY(!numbers.add({20, 120})); // Follows from the last change.
    QVERIFY(numbers.add({20, 130}));
    QVERIFY(numbers.add({21, 3})); // Another source with a count of its own.
    QCOMPARE(numbers.changes().size(), std::size_t{3});
    for (const auto &[frame, number] :
         {std::pair{9U, 9U}, {10U, 110U}, {19U, 119U}, {20U, 130U}, {21U, 3U}, {1000U, 982U}})
        QCOMPARE(numbers.of(frame), std::uint64_t{number});
    numbers.dropBefore(20);
    QCOMPARE(numbers.changes().size(), std::size_t{2});
    QCOMPARE(numbers.of(20), std::uint64_t{130});
    numbers.dropBefore(~std::uint32_t{0});
    QCOMPARE(numbers.of(1000), std::uint64_t{982});
    QVERIFY(FrameNumbers().add({5, 5})); // Not redundant, although the offset is 0.
}

JETSCOPE_TEST(TestTrace)
#include "tst_trace.moc"
