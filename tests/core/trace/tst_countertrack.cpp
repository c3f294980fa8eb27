// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/countertrack.h"
#include "core/trace/spantrack.h"
#include "tests/support/testprogram.h"

#include <QRandomGenerator>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace jetscope;

namespace {

using Sample = std::pair<std::int64_t, double>;

std::vector<Sample> randomSamples(QRandomGenerator &random, std::size_t count)
{
    std::vector<Sample> samples;
    std::int64_t at = -300;
    for (std::size_t i = 0; i < count; ++i) {
        at += random.bounded(20U) == 0 ? random.bounded(5000) : random.bounded(10);
        samples.emplace_back(at, random.bounded(12U) == 0 ? std::nan("") : random.bounded(1000) - 500);
    }
    return samples;
}

CounterTrack trackOf(const std::vector<Sample> &samples)
{
    CounterTrack track(CounterInfo{4, "power", "W", {}});
    for (const auto &[ns, value] : samples)
        if (!track.append(ns, value))
            qFatal("a sample of the test was refused");
    return track;
}

/// Reference implementation: the samples within the column and the value at its start.
CounterColumn columnOf(const std::vector<Sample> &samples, std::int64_t fromNs, std::int64_t toNs)
{
    CounterColumn column{1, 0, std::nan("")};
    const auto take = [&column](double value) {
        if (std::isnan(value))
            return;
        const bool none = column.low > column.high;
        column.low = none ? value : std::min(column.low, value);
        column.high = none ? value : std::max(column.high, value);
    };
    double before = std::nan("");
    bool beginsWithSample = false;
    for (const auto &[ns, value] : samples) {
        if (ns < fromNs)
            before = value;
        beginsWithSample |= ns == fromNs && ns < toNs;
        if (ns >= fromNs && ns < toNs)
            take(value);
        if (ns < toNs)
            column.last = value;
    }
    if (!beginsWithSample)
        take(before);
    return column;
}

bool isSameColumn(const CounterColumn &a, const CounterColumn &b)
{
    const bool sameLast = a.last == b.last || (std::isnan(a.last) && std::isnan(b.last));
    return sameLast && a.low == b.low && a.high == b.high;
}

/// Whether the range of `inner` lies in the range of `outer`.
bool isWithin(const CounterColumn &inner, const CounterColumn &outer)
{
    return inner.low > inner.high || (outer.low <= inner.low && outer.high >= inner.high);
}

/// Whether the counter had this value at some time in [fromNs, toNs).
bool wasInForce(const std::vector<Sample> &samples, double value, std::int64_t fromNs, std::int64_t toNs)
{
    const auto isValue = [value](double other) { return value == other || (std::isnan(value) && std::isnan(other)); };
    double before = std::nan("");
    bool found = false;
    for (const auto &[ns, other] : samples) {
        if (ns <= fromNs)
            before = other;
        else if (ns <= toNs)
            found |= isValue(other);
    }
    return found || isValue(before);
}

/// The shortest duration of 16 consecutive samples: below half a column, they may be combined.
std::int64_t densest(const std::vector<Sample> &samples)
{
    std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
    for (std::size_t i = 15; i < samples.size(); ++i)
        shortest = std::min(shortest, samples[i].first - samples[i - 15].first);
    return shortest;
}

void compare(const CounterTrack &track, const std::vector<Sample> &samples, const ColumnWindow &window)
{
    std::vector<CounterColumn> columns;
    track.query(window, columns);
    QCOMPARE(columns.size(), static_cast<std::size_t>(window.count));
    const auto edge = [&](int column) {
        return window.startNs + static_cast<std::int64_t>(std::floor(window.nsPerColumn * column));
    };
    const auto half = static_cast<std::int64_t>(window.nsPerColumn / 2);
    const bool exact = densest(samples) > half;
    for (int column = 0; column < window.count; ++column) {
        const CounterColumn &shown = columns[static_cast<std::size_t>(column)];
        const std::int64_t from = edge(column);
        const std::int64_t to = edge(column + 1);
        const CounterColumn expected = columnOf(samples, from, to);
        const bool right = exact
            ? isSameColumn(shown, expected)
            : isWithin(expected, shown) && isWithin(shown, columnOf(samples, from - half, to + half))
                && wasInForce(samples, shown.last, to - 1, to + half);
        QVERIFY2(right, qPrintable(QString("column %1 of %2").arg(column).arg(window.count)));
    }
}

} // namespace

class TestCounterTrack : public QObject {
    Q_OBJECT
private slots:
    void queryEqualsBruteForce();
    void valuesHoldUntilTheNext();
    void droppingKeepsTheValueInForce();
    void refusesWhatIsOlder();
    void whatIsNoNumberIsUnknown();
};

void TestCounterTrack::queryEqualsBruteForce()
{
    QRandomGenerator random(1);
    for (int round = 0; round < 120; ++round) {
        std::vector<Sample> samples = randomSamples(random, random.bounded(3000U) + 1);
        CounterTrack track = trackOf(samples);
        for (int i = 0; i < 5; ++i) {
            const auto length = static_cast<double>(samples.back().first - samples.front().first + 3);
            const int count = 1 + static_cast<int>(random.bounded(80U));
            const double share = std::pow(10.0, -3 * random.generateDouble()) * 1.3;
            const auto start = samples.front().first + static_cast<std::int64_t>(random.generateDouble() * length) - 20;
            compare(track, samples, {start, std::max(1.0, length * share / count), count});
            if (QTest::currentTestFailed())
                return;
        }
        const std::int64_t cut = samples[samples.size() / 2].first;
        track.dropBefore(cut);
        const auto kept = std::partition_point(samples.begin(), samples.end(),
                                               [cut](const Sample &sample) { return sample.first <= cut; });
        samples.erase(samples.begin(), kept - 1);
        compare(track, samples, {samples.front().first - 5, 50, 100});
        QCOMPARE(track.endIndex() - track.firstIndex(), static_cast<std::uint64_t>(samples.size()));
    }
}

void TestCounterTrack::valuesHoldUntilTheNext()
{
    const CounterTrack track = trackOf({{10, 1.5}, {20, -2}, {20, 3}, {30, std::nan("")}, {40, 7}});
    QVERIFY(!track.valueAt(9));
    QCOMPARE(track.valueAt(10), std::optional(1.5));
    QCOMPARE(track.valueAt(19), std::optional(1.5));
    QCOMPARE(track.valueAt(20), std::optional(3.0));
    QVERIFY(!track.valueAt(35));
    QCOMPARE(track.valueAt(1000), std::optional(7.0));
    QCOMPARE(track.extremes(), std::optional(std::pair(-2.0, 7.0)));
    QCOMPARE(track.at(2), Sample(20, 3.0));
    QCOMPARE(track.info().name, std::string("power"));
}

void TestCounterTrack::droppingKeepsTheValueInForce()
{
    CounterTrack track = trackOf({{10, 1}, {20, 2}, {30, 3}});
    track.dropBefore(25);
    QCOMPARE(track.firstIndex(), std::uint64_t{1});
    QCOMPARE(track.valueAt(26), std::optional(2.0));
    track.dropBefore(5);
    QCOMPARE(track.firstIndex(), std::uint64_t{1});
    track.dropBefore(1000);
    QCOMPARE(track.valueAt(1000), std::optional(3.0));
}

void TestCounterTrack::refusesWhatIsOlder()
{
    CounterTrack track = trackOf({{10, 1}});
    QVERIFY(!track.append(9, 1));
    QVERIFY(!track.append(std::numeric_limits<std::int64_t>::max(), 1));
    QVERIFY(!track.append(std::numeric_limits<std::int64_t>::min(), 1));
    QVERIFY(track.append(10, 2));
    QCOMPARE(track.endIndex(), std::uint64_t{2});
}

void TestCounterTrack::whatIsNoNumberIsUnknown()
{
    const double inf = std::numeric_limits<double>::infinity();
    const CounterTrack track = trackOf({{10, inf}, {20, -inf}, {30, std::nan("")}});
    QVERIFY(!track.valueAt(15));
    QVERIFY(!track.extremes());
    std::vector<CounterColumn> columns;
    track.query({0, 10, 5}, columns);
    for (const CounterColumn &column : columns)
        QVERIFY(column.low > column.high && std::isnan(column.last));
    track.query({0, 0, 5}, columns);
    QCOMPARE(columns.size(), std::size_t{5});
}

JETSCOPE_TEST(TestCounterTrack)
#include "tst_countertrack.moc"
