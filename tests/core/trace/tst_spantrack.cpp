// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/spantrack.h"
#include "tests/core/randomtraces.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace jetscope;
using test::isSame;
using test::touches;

namespace {

constexpr TraceName kNames = 5;

SpanTrack trackOf(const std::vector<TraceSpan> &spans)
{
    SpanTrack track(3, 1);
    for (const TraceSpan &span : spans)
        if (!track.append(span))
            qFatal("a span of the test was refused");
    return track;
}

std::int64_t edgeOf(const ColumnWindow &window, int column)
{
    return window.startNs + static_cast<std::int64_t>(std::floor(window.nsPerColumn * column));
}

/// Conditions that every result must satisfy, regardless of the pyramid's structure.
class Expected {
public:
    Expected(const std::vector<TraceSpan> &spans, std::uint64_t first, const ColumnWindow &window) : m_window(window)
    {
        const Interval time{edgeOf(window, 0), edgeOf(window, window.count)};
        for (std::size_t i = first; i < spans.size(); ++i) {
            if (!touches(spans[i].startNs, spans[i].endNs(), time))
                continue;
            if (static_cast<double>(spans[i].durationNs) >= window.nsPerColumn)
                m_bars.push_back({i, spans[i]});
            else
                m_short.push_back(spans[i]);
        }
    }

    void compare(const TrackPicture &picture) const
    {
        QCOMPARE(picture.columns.size(), static_cast<std::size_t>(m_window.count));
        compareBars(picture);
        if (QTest::currentTestFailed())
            return;
        std::int64_t sum = 0;
        std::uint64_t count = 0;
        for (int column = 0; column < m_window.count; ++column) {
            const TraceColumn &shown = picture.columns[static_cast<std::size_t>(column)];
            sum += shown.busyNs;
            count += shown.count;
            // All time is in its own column or a neighbouring one, except for rounding.
            QVERIFY(sum + 1 >= busyIn(0, column));
            QVERIFY(sum - 1 <= busyIn(0, column + 2));
            QVERIFY(shown.busyNs >= 0 && shown.busyNs <= edgeOf(m_window, column + 1) - edgeOf(m_window, column) + 2);
            QVERIFY(shown.longestNs >= longestIn(column, column + 1));
            QVERIFY(shown.longestNs <= longestIn(column - 2, column + 3));
            QVERIFY(shown.busyNs == 0 || shown.longestNs > 0);
            QVERIFY(shown.longestNs == 0 || isNamed(shown, column));
        }
        QCOMPARE(sum, busyIn(0, m_window.count));
        QCOMPARE(count, static_cast<std::uint64_t>(m_short.size()));
    }

private:
    Interval columns(int first, int last) const
    {
        return {edgeOf(m_window, std::max(first, 0)), edgeOf(m_window, std::min(last, m_window.count))};
    }

    void compareBars(const TrackPicture &picture) const
    {
        QCOMPARE(picture.bars.size(), m_bars.size());
        for (std::size_t i = 0; i < m_bars.size(); ++i) {
            QCOMPARE(picture.bars[i].index, m_bars[i].index);
            QVERIFY(isSame(picture.bars[i].span, m_bars[i].span));
        }
    }

    std::int64_t busyIn(int first, int last) const
    {
        const Interval time = columns(first, last);
        std::int64_t sum = 0;
        for (const TraceSpan &span : m_short)
            sum += std::max<std::int64_t>(0, std::min(span.endNs(), time.endNs) - std::max(span.startNs, time.startNs));
        return sum;
    }

    std::int64_t longestIn(int first, int last) const
    {
        std::int64_t longest = 0;
        for (const TraceSpan &span : m_short)
            if (touches(span.startNs, span.endNs(), columns(first, last)))
                longest = std::max(longest, span.durationNs);
        return longest;
    }

    bool isNamed(const TraceColumn &shown, int column) const
    {
        return std::any_of(m_short.begin(), m_short.end(), [&](const TraceSpan &span) {
            return span.durationNs == shown.longestNs && span.name == shown.longest
                && touches(span.startNs, span.endNs(), columns(column - 2, column + 3));
        });
    }

    ColumnWindow m_window;
    std::vector<TraceBar> m_bars;
    std::vector<TraceSpan> m_short;
};

ColumnWindow randomWindow(QRandomGenerator &random, std::int64_t firstNs, std::int64_t lastNs)
{
    const auto length = static_cast<double>(lastNs - firstNs + 2);
    ColumnWindow window;
    window.count = 1 + static_cast<int>(random.bounded(60U));
    const double share = std::pow(10.0, -4 * random.generateDouble()) * 1.5;
    window.nsPerColumn = std::max(0.01, length * share / window.count);
    if (random.bounded(4U) == 0)
        window.nsPerColumn = std::ceil(window.nsPerColumn);
    window.startNs = firstNs - 50 + static_cast<std::int64_t>(random.generateDouble() * length);
    if (random.bounded(3U) == 0)
        window.startNs = firstNs;
    return window;
}

} // namespace

class TestSpanTrack : public QObject {
    Q_OBJECT
private slots:
    void givesBackWhatItGot();
    void rangeEqualsBruteForce();
    void queryEqualsBruteForce();
    void queryAfterDropsEqualsBruteForce();
    void emptyTrackAndStrangeWindows();
    void windowsEdgesCutShortSpans();
    void refusesWhatIsLateOrImpossible();
    void timesAtTheLimits();
    void longDurationsAndManyBytesFit();
    void costGrowsWithColumnsNotSpans();
    void droppingGivesMemoryBack();
    void smallTracksAreSmall();
};

void TestSpanTrack::givesBackWhatItGot()
{
    QRandomGenerator random(1);
    const std::vector<TraceSpan> spans = test::randomSpans(random, 5000, -1000, kNames);
    const SpanTrack track = trackOf(spans);
    QCOMPARE(track.lane(), LaneId{3});
    QCOMPARE(track.depth(), std::uint8_t{1});
    QCOMPARE(track.firstIndex(), std::uint64_t{0});
    QCOMPARE(track.endIndex(), std::uint64_t{5000});
    for (std::size_t i = 0; i < spans.size(); ++i)
        QVERIFY(isSame(track.at(i), spans[i]));
}

void TestSpanTrack::rangeEqualsBruteForce()
{
    QRandomGenerator random(2);
    for (int round = 0; round < 30; ++round) {
        const std::vector<TraceSpan> spans = test::randomSpans(random, random.bounded(200U), 0, kNames);
        const SpanTrack track = trackOf(spans);
        const std::int64_t end = spans.empty() ? 10 : spans.back().endNs();
        for (int window = 0; window < 50; ++window) {
            const std::int64_t from = test::randomLength(random, end) - 5;
            const std::int64_t to = from + test::randomLength(random, 300) - 3;
            std::vector<std::uint64_t> expected;
            for (std::size_t i = 0; i < spans.size(); ++i)
                if (touches(spans[i].startNs, spans[i].endNs(), {from, to}))
                    expected.push_back(i);
            const auto [first, last] = track.range(from, to);
            QCOMPARE(last - first, static_cast<std::uint64_t>(expected.size()));
            QVERIFY(expected.empty() || first == expected.front());
            std::uint64_t firstFrom = 0;
            while (firstFrom < spans.size() && spans[firstFrom].startNs < from)
                ++firstFrom;
            QCOMPARE(track.firstFrom(from), firstFrom);
        }
    }
}

void TestSpanTrack::queryEqualsBruteForce()
{
    QRandomGenerator random(3);
    TrackPicture picture;
    for (int round = 0; round < 150; ++round) {
        const std::vector<TraceSpan> spans = test::randomSpans(random, random.bounded(1500U) + 1, -20'000, kNames);
        const SpanTrack track = trackOf(spans);
        for (int i = 0; i < 8; ++i) {
            const ColumnWindow window = randomWindow(random, spans.front().startNs, spans.back().endNs());
            track.query(window, picture);
            Expected(spans, 0, window).compare(picture);
            if (QTest::currentTestFailed())
                return;
        }
    }
}

void TestSpanTrack::queryAfterDropsEqualsBruteForce()
{
    QRandomGenerator random(4);
    TrackPicture picture;
    for (int round = 0; round < 40; ++round) {
        const std::vector<TraceSpan> spans = test::randomSpans(random, random.bounded(6000U) + 100, 0, kNames);
        SpanTrack track(0, 0);
        std::uint64_t first = 0;
        for (std::size_t i = 0; i < spans.size(); ++i) {
            QVERIFY(track.append(spans[i]));
            if (random.bounded(700U) == 0)
                track.dropBefore(first += random.bounded(static_cast<quint32>(i + 2 - first)));
        }
        QCOMPARE(track.firstIndex(), first);
        QCOMPARE(track.endIndex(), static_cast<std::uint64_t>(spans.size()));
        for (std::uint64_t i = first; i < spans.size(); ++i)
            QVERIFY(isSame(track.at(i), spans[i]));
        const ColumnWindow all{-10, static_cast<double>(spans.back().endNs() + 20) / 40, 40};
        for (const ColumnWindow &window : {all, randomWindow(random, 0, spans.back().endNs())}) {
            track.query(window, picture);
            Expected(spans, first, window).compare(picture);
            if (QTest::currentTestFailed())
                return;
        }
    }
}

void TestSpanTrack::emptyTrackAndStrangeWindows()
{
    TrackPicture picture;
    SpanTrack track(0, 0);
    track.query({0, 10, 100}, picture);
    QCOMPARE(picture.columns.size(), std::size_t{100});
    QVERIFY(picture.bars.empty());
    QVERIFY(track.empty());
    track.dropBefore(1000);
    QCOMPARE(track.endIndex(), std::uint64_t{0});

    QVERIFY(track.append({0, 10, 0, 0, 0}));
    const double inf = std::numeric_limits<double>::infinity();
    constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
    constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
    for (const ColumnWindow &window :
         {ColumnWindow{0, 10, 0}, ColumnWindow{0, 10, -5}, ColumnWindow{0, 0, 10}, ColumnWindow{0, -1, 10},
          ColumnWindow{0, std::nan(""), 10}, ColumnWindow{0, inf, 10}, ColumnWindow{kMax, 1e300, 10},
          ColumnWindow{kMax, 1, 10}, ColumnWindow{0, 1e-300, 10}, ColumnWindow{100, 1, 10}}) {
        track.query(window, picture);
        QVERIFY(picture.bars.empty());
        for (const TraceColumn &column : picture.columns)
            QCOMPARE(column.busyNs, 0);
    }
    track.query({kMin, 1e18, 10}, picture);
    QCOMPARE(picture.bars.size() + picture.columns[4].count, std::size_t{1});
}

void TestSpanTrack::windowsEdgesCutShortSpans()
{
    const SpanTrack track = trackOf({{0, 8, 0, 0, 1}, {8, 9, 0, 0, 2}, {29, 4, 0, 0, 3}});
    TrackPicture picture;
    track.query({5, 10, 3}, picture);
    QVERIFY(picture.bars.empty());
    QCOMPARE(picture.columns[0].busyNs, 10); // 5..8 of the first and 8..15 of the second
    QCOMPARE(picture.columns[1].busyNs, 2);
    QCOMPARE(picture.columns[2].busyNs, 4);
    QCOMPARE(picture.columns[0].longestNs, 9);
    QCOMPARE(picture.columns[0].longest, TraceName{2});
    QCOMPARE(picture.columns[2].longest, TraceName{3});
    track.query({9, 5, 1}, picture); // Within a span that extends beyond both ends of the window: not cut.
    QCOMPARE(picture.bars.size(), std::size_t{1});
    QCOMPARE(picture.bars[0].span.startNs, 8);
}

void TestSpanTrack::refusesWhatIsLateOrImpossible()
{
    SpanTrack track(0, 0);
    QVERIFY(track.append({100, 50, 0, 0, 0}));
    QVERIFY(!track.append({149, 5, 0, 0, 0}));
    QVERIFY(!track.append({90, 1, 0, 0, 0}));
    QVERIFY(!track.append({200, -1, 0, 0, 0}));
    QVERIFY(!track.append({200, std::numeric_limits<std::int64_t>::max(), 0, 0, 0}));
    QVERIFY(!track.append({std::numeric_limits<std::int64_t>::max(), 0, 0, 0, 0}));
    QVERIFY(
        !track.append({std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::min(), 0, 0, 0}));
    QCOMPARE(track.endIndex(), std::uint64_t{1});
    QVERIFY(track.append({150, 0, 0, 0, 0}));
    QVERIFY(track.append({150, 0, 0, 0, 0}));
    QVERIFY(track.append({150, 5, 0, 0, 0}));
}

void TestSpanTrack::timesAtTheLimits()
{
    constexpr std::int64_t kMax = (std::int64_t{1} << 62) - 1;
    SpanTrack track(0, 0);
    QVERIFY(track.append({-kMax, kMax, 0, 0, 0}));
    for (int i = 0; i < 40; ++i)
        QVERIFY(track.append({i, 1, 0, 0, 1}));
    QVERIFY(track.append({1000, kMax - 1000, 0, 0, 2}));
    QVERIFY(!track.append({kMax, 1, 0, 0, 2}));
    TrackPicture picture;
    track.query({-kMax, static_cast<double>(kMax) / 50, 100}, picture);
    QCOMPARE(picture.bars.size(), std::size_t{2});
    std::int64_t sum = 0;
    for (const TraceColumn &column : picture.columns)
        sum += column.busyNs;
    QCOMPARE(sum, 40);
    track.query({std::numeric_limits<std::int64_t>::min(), 1e19, 3}, picture);
    QVERIFY(picture.bars.empty());
}

void TestSpanTrack::longDurationsAndManyBytesFit()
{
    constexpr std::int64_t kDay = 86'400'000'000'000;
    std::vector<TraceSpan> spans;
    for (std::int64_t i = 0; i < 3000; ++i) {
        TraceSpan span;
        span.startNs = i * kDay;
        span.durationNs = i % 7 == 0 ? 0xffffffff + i : 0xfffffffe;
        span.bytes = i % 5 == 0 ? (0xffffffff + static_cast<std::uint64_t>(i)) << 8 : 0xfffffffe;
        spans.push_back(span);
    }
    SpanTrack track = trackOf(spans);
    for (std::size_t i = 0; i < spans.size(); ++i)
        QVERIFY(isSame(track.at(i), spans[i]));
    track.dropBefore(2101);
    for (std::size_t i = 2101; i < spans.size(); ++i)
        QVERIFY(isSame(track.at(i), spans[i]));
    TrackPicture picture;
    const ColumnWindow window{0, 100.0 * kDay, 30};
    track.query(window, picture);
    Expected(spans, 2101, window).compare(picture);
}

void TestSpanTrack::costGrowsWithColumnsNotSpans()
{
    std::uint64_t worst[2] = {0, 0};
    const std::int64_t counts[2] = {100'000, 2'000'000};
    TrackPicture picture;
    for (int size = 0; size < 2; ++size) {
        SpanTrack track(0, 0);
        QRandomGenerator random(7);
        std::int64_t at = 0;
        for (std::int64_t i = 0; i < counts[size]; ++i) {
            at += random.bounded(1000);
            QVERIFY(track.append({at, random.bounded(1000), 0, 0, 0}));
            at += 1000;
        }
        for (double share = 1; share > 1e-5; share *= 0.95) {
            track.query({0, static_cast<double>(at) * share / 500, 500}, picture);
            worst[size] = std::max(worst[size], picture.visited);
        }
    }
    // Up to 16 steps per level for each column, plus the groups at both ends.
    QVERIFY2(worst[1] <= 500 * 18 + 500, qPrintable(QString::number(worst[1])));
    QVERIFY(worst[1] <= worst[0] * 5 / 4);
}

void TestSpanTrack::droppingGivesMemoryBack()
{
    SpanTrack track(0, 0);
    for (std::int64_t i = 0; i < 400'000; ++i)
        QVERIFY(track.append({i * 10, 5, 0, 0, 0}));
    const std::uint64_t full = track.memoryBytes();
    QVERIFY(full <= 400'000 * 28);
    track.dropBefore(300'000);
    QVERIFY(track.memoryBytes() <= full / 3);
    track.dropBefore(400'000);
    QVERIFY(track.empty());
    QVERIFY(track.append({5'000'000, 5, 0, 0, 0}));
    QCOMPARE(track.at(400'000).startNs, 5'000'000);
}

void TestSpanTrack::smallTracksAreSmall()
{
    SpanTrack track(0, 0);
    QVERIFY(track.append({0, 5, 0, 0, 0}));
    QVERIFY(track.memoryBytes() <= 2048);
}

JETSCOPE_TEST(TestSpanTrack)
#include "tst_spantrack.moc"
