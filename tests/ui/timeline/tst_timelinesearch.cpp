// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/path/namesearch.h"
#include "tests/support/testprogram.h"
#include "ui/timeline/spannavigation.h"

#include <QRandomGenerator>
#include <QTest>

#include <array>
#include <functional>
#include <numeric>
#include <set>

using namespace jetscope;

namespace {

constexpr std::array kNames = {"upload", "Sobel", "sobel 3x3", "draw", "wait"};

struct Placed {
    std::size_t lane;
    TraceSpan span;
    const char *name;
};

/// Random spans on three lanes, also returned in one list. Odd starts on one lane only, so that no two spans start at
/// the same time.
std::vector<Placed> fill(Trace &trace, int spans, QRandomGenerator &random)
{
    trace.setLanes({{0, LaneRole::Pipeline, "a", ""}, {1, LaneRole::CpuStage, "b", ""}, {2, LaneRole::View, "c", ""}});
    std::vector<Placed> all;
    std::array<std::int64_t, 3> at = {3, 4, 5};
    for (int i = 0; i < spans; ++i) {
        const auto lane = static_cast<std::size_t>(random.bounded(3));
        TraceSpan span;
        span.startNs = at[lane] + 3 * random.bounded(20);
        span.durationNs = random.bounded(3);
        const char *name = kNames[random.bounded(static_cast<quint32>(kNames.size()))];
        span.name = trace.names().intern(name, Category::Kernel);
        at[lane] = span.startNs + 3;
        trace.add(static_cast<LaneId>(lane), 0, span);
        all.push_back({lane, span, name});
    }
    std::sort(all.begin(), all.end(), [](const Placed &a, const Placed &b) { return a.span.startNs < b.span.startNs; });
    return all;
}

bool isHit(const Placed &placed)
{
    return QString::fromLatin1(placed.name).contains(QStringLiteral("sobel"), Qt::CaseInsensitive);
}

} // namespace

class TestTimelineSearch : public QObject {
    Q_OBJECT
private slots:
    void equalsBruteForce();
    void addsUpAllHits();
    void discardsWhatTheTraceDiscards();
    void countsInSteps();
    void countsWhatComesLater();
    void emptyTextFindsNothing();
    void lengthsAreAPartOfTheSearch_data();
    void lengthsAreAPartOfTheSearch();
    void noHitIsSteppedOver();
    void theLongestAreKept();
    void neighboursEqualBruteForce();
};

void TestTimelineSearch::equalsBruteForce()
{
    QRandomGenerator random(5);
    Trace trace;
    const std::vector<Placed> all = fill(trace, 20'000, random);
    NameSearch search(trace);
    search.setText("SOBEL");
    for (const bool counted : {false, true}) {
        for (int i = 0; i < 300; ++i) {
            const std::int64_t from = random.bounded(static_cast<int>(all.back().span.startNs + 100)) - 50;
            const Placed *before = nullptr;
            const Placed *behind = nullptr;
            std::uint64_t until = 0;
            for (const Placed &placed : all) {
                if (!isHit(placed))
                    continue;
                until += placed.span.startNs <= from;
                if (placed.span.startNs < from)
                    before = &placed;
                if (placed.span.startNs > from && !behind)
                    behind = &placed;
            }
            const auto next = search.next(from, 1);
            QCOMPARE(next.has_value(), behind != nullptr);
            QVERIFY(!next || next->bar.span.startNs == behind->span.startNs);
            const auto previous = search.next(from, -1);
            QCOMPARE(previous.has_value(), before != nullptr);
            QVERIFY(!previous || previous->bar.span.startNs == before->span.startNs);
            if (counted)
                QCOMPARE(search.countUntil(from), until);
        }
        while (!search.advance(1000)) {}
    }
    QCOMPARE(search.count(), static_cast<std::uint64_t>(std::count_if(all.begin(), all.end(), isHit)));
}

void TestTimelineSearch::addsUpAllHits()
{
    QRandomGenerator random(9);
    Trace trace;
    const std::vector<Placed> all = fill(trace, 20'000, random);
    std::vector<std::int64_t> lengths;
    for (const Placed &placed : all)
        if (isHit(placed))
            lengths.push_back(placed.span.durationNs);
    std::sort(lengths.begin(), lengths.end());
    NameSearch search(trace);
    search.setText("sobel");
    while (!search.advance(1000)) {}
    QCOMPARE(search.durations().count(), std::uint64_t(lengths.size()));
    QCOMPARE(search.durations().totalNs(), std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0}));
    QCOMPARE(search.durations().quantileNs(0.5), lengths[(lengths.size() + 1) / 2 - 1]);
    QCOMPARE(search.durations().maxNs(), lengths.back());
    // countUntil must not add to the durations.
    search.countUntil(all[10'000].span.startNs);
    QCOMPARE(search.durations().count(), std::uint64_t(lengths.size()));
}

void TestTimelineSearch::discardsWhatTheTraceDiscards()
{
    Trace trace(2 * Trace::kSegmentSpans);
    trace.setLanes({{0, LaneRole::Pipeline, "a", ""}});
    const TraceName name = trace.names().intern("sobel", Category::Kernel);
    NameSearch search(trace);
    search.setText("sobel");
    for (std::int64_t i = 0; trace.droppedSpans() == 0; ++i) {
        trace.add(0, 0, TraceSpan{i * 10, 5, 0, kNoFrame, name});
        if (i == 1000)
            while (!search.advance(1000)) {}
    }
    QCOMPARE(search.count(), std::uint64_t(1001));
    while (!search.advance(100'000)) {}
    QCOMPARE(search.count(), trace.spanCount());
    QCOMPARE(search.durations().totalNs(), static_cast<std::int64_t>(trace.spanCount()) * 5);
    QCOMPARE(search.countUntil(trace.newestNs()), trace.spanCount());
}

void TestTimelineSearch::countsInSteps()
{
    QRandomGenerator random(6);
    Trace trace;
    fill(trace, 60'000, random);
    NameSearch search(trace);
    search.setText("draw");
    int steps = 1;
    std::uint64_t before = 0;
    while (!search.advance(5000)) {
        QVERIFY(search.count() >= before);
        before = search.count();
        ++steps;
    }
    QVERIFY2(steps >= 8, qPrintable(QString::number(steps))); // The work was spread over several steps.
}

void TestTimelineSearch::countsWhatComesLater()
{
    Trace trace;
    trace.setLanes({{0, LaneRole::Pipeline, "a", ""}});
    const TraceName name = trace.names().intern("sobel", Category::Kernel);
    NameSearch search(trace);
    search.setText("sobel");
    for (int i = 0; i < 10'000; ++i) {
        TraceSpan span;
        span.startNs = 10 + i * 10;
        span.durationNs = 5;
        span.name = name;
        trace.add(0, 0, span);
        if (i % 777 == 0) {
            while (!search.advance(100)) {}
            QCOMPARE(search.count(), static_cast<std::uint64_t>(i + 1));
        }
    }
}

void TestTimelineSearch::emptyTextFindsNothing()
{
    QRandomGenerator random(7);
    Trace trace;
    fill(trace, 100, random);
    NameSearch search(trace);
    QVERIFY(search.advance(10));
    QVERIFY(!search.next(0, 1));
    search.setText("nothing has this name");
    while (!search.advance(10)) {}
    QCOMPARE(search.count(), std::uint64_t(0));
    QVERIFY(!search.next(0, 1));
}

void TestTimelineSearch::neighboursEqualBruteForce()
{
    QRandomGenerator random(8);
    Trace trace;
    const std::vector<Placed> all = fill(trace, 400, random);
    const TimelineLayout layout = layoutTimeline(trace);
    for (int i = 0; i < 2000; ++i) {
        const std::int64_t at = random.bounded(static_cast<int>(all.back().span.startNs + 60));
        const auto found = nearestSpan(trace, 0, at);
        std::int64_t least = std::numeric_limits<std::int64_t>::max();
        for (const Placed &placed : all)
            if (placed.lane == 0)
                least =
                    std::min(least, std::max<std::int64_t>({0, placed.span.startNs - at, at - placed.span.endNs()}));
        QVERIFY(found.has_value());
        const TraceSpan &span = found->bar.span;
        const std::int64_t distance = std::max<std::int64_t>({0, span.startNs - at, at - span.endNs()});
        QVERIFY(distance <= least + 1);
        const auto below = spanBeyond(trace, layout, *found, 1);
        QVERIFY(below && below->track == 1);
        QVERIFY(!spanBeyond(trace, layout, *found, -1)); // It is on the topmost lane.
    }
}

void TestTimelineSearch::lengthsAreAPartOfTheSearch_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("over"); // In microseconds; -1 for none.
    QTest::newRow("name") << QStringLiteral("sobel") << QStringLiteral("sobel") << -1;
    QTest::newRow("name and length") << QStringLiteral("SOBEL >2ms") << QStringLiteral("sobel") << 2000;
    QTest::newRow("fraction") << QStringLiteral("sobel > 0.5 ms") << QStringLiteral("sobel") << 500;
    QTest::newRow("length alone") << QStringLiteral("> 1500 µs") << QString() << 1500;
    QTest::newRow("template") << QStringLiteral("f<2>") << QStringLiteral("f<2>") << -1;
}

void TestTimelineSearch::lengthsAreAPartOfTheSearch()
{
    QFETCH(QString, text);
    QFETCH(QString, name);
    QFETCH(int, over);
    Trace trace;
    trace.setLanes({{0, LaneRole::Pipeline, "a", ""}});
    std::uint64_t expected = 0;
    std::int64_t at = 0;
    for (const char *each : {"sobel", "f<2>", "other"})
        for (const int us : {100, 500, 501, 1500, 2000, 2001, 9000}) {
            trace.add(0, 0, {at, us * 1000, 0, kNoFrame, trace.names().intern(each, Category::Kernel)});
            at += us * 1000;
            expected += QString::fromLatin1(each).contains(name) && us > over ? 1 : 0;
        }
    QVERIFY(expected > 0 && expected < 21);
    NameSearch search(trace);
    search.setText(text.toStdString());
    QVERIFY(!search.isEmpty() && search.advance(1000));
    QCOMPARE(search.count(), expected);
    std::uint64_t stepped = 0;
    for (auto hit = search.next(-1, 1); hit; hit = search.next(*hit, 1)) {
        QVERIFY(search.matches(hit->bar.span));
        ++stepped;
    }
    QCOMPARE(stepped, expected);
}

/// As of threads that begin the same at one time, of a span in one of its name, and of spans without a length.
void TestTimelineSearch::noHitIsSteppedOver()
{
    Trace trace;
    trace.setLanes(
        {{0, LaneRole::Pipeline, "a", ""}, {1, LaneRole::CpuStage, "b", ""}, {2, LaneRole::CpuStage, "c", ""}});
    const TraceName event = trace.names().intern("event", Category::CpuStage);
    const TraceName other = trace.names().intern("other", Category::CpuStage);
    for (const std::int64_t ns : {0, 0, 100, 100, 300}) {
        trace.add(0, 0, {ns, 0, 0, kNoFrame, event});
        trace.add(1, 0, {ns, ns == 0 ? 0 : 50, 0, kNoFrame, ns == 0 ? other : event});
        trace.add(1, 1, {ns, 10, 0, kNoFrame, event});
        trace.add(2, 0, {ns + 20, 10, 0, kNoFrame, ns == 300 ? other : event});
    }
    NameSearch search(trace);
    search.setText("event");
    while (!search.advance(100)) {}
    QVERIFY(search.count() > 10);
    for (const int direction : {1, -1}) {
        std::set<std::pair<std::size_t, std::uint64_t>> seen;
        std::uint64_t position = direction > 0 ? 0 : search.count() + 1;
        for (auto hit = search.next(direction > 0 ? -1 : 1000, direction); hit; hit = search.next(*hit, direction)) {
            QVERIFY(seen.insert({hit->track, hit->bar.index}).second);
            position += static_cast<std::uint64_t>(direction);
            QCOMPARE(search.positionOf(*hit), position);
        }
        QCOMPARE(seen.size(), static_cast<std::size_t>(search.count()));
    }
}

void TestTimelineSearch::theLongestAreKept()
{
    QRandomGenerator random(9);
    Trace trace;
    trace.setLanes({{0, LaneRole::Pipeline, "a", ""}});
    const TraceName name = trace.names().intern("sobel", Category::Kernel);
    std::vector<std::int64_t> lengths;
    for (std::int64_t i = 0; i < 5000; ++i) {
        lengths.push_back(random.bounded(1'000'000));
        trace.add(0, 0, {i * 1'000'000, lengths.back(), 0, kNoFrame, name});
    }
    NameSearch search(trace);
    search.setText("sobel");
    while (!search.advance(100)) {}
    std::sort(lengths.begin(), lengths.end(), std::greater<>());
    QCOMPARE(search.longest().size(), NameSearch::kMostListed);
    std::vector<std::int64_t> listed;
    for (const SpanPlace &hit : search.longest())
        listed.push_back(trace.tracks()[hit.track].at(hit.bar.index).durationNs);
    std::sort(listed.begin(), listed.end(), std::greater<>());
    lengths.resize(listed.size());
    QVERIFY(listed == lengths);
}

JETSCOPE_TEST(TestTimelineSearch)
#include "tst_timelinesearch.moc"
