// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/frametable.h"
#include "core/trace/spantrack.h"
#include "tests/core/storedfigures.h"
#include "tests/support/testprogram.h"

#include <QRandomGenerator>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace jetscope;

namespace {

FrameFigures frameAt(std::int64_t startNs, std::int64_t periodNs, std::uint32_t number)
{
    FrameFigures figures;
    figures.frame = number;
    figures.startNs = startNs;
    figures.overlap.periodNs = periodNs;
    return figures;
}

std::vector<FrameFigures> randomFrames(QRandomGenerator &random, std::size_t count)
{
    std::vector<FrameFigures> frames;
    std::int64_t at = -500;
    for (std::size_t i = 0; i < count; ++i) {
        at += random.bounded(4U) == 0 ? random.bounded(1000) : 0;
        const int period = random.bounded(50);
        FrameFigures figures = frameAt(at, period, static_cast<std::uint32_t>(i));
        const auto part = [&] { return static_cast<std::int64_t>(random.bounded(period + 1)); };
        const std::int64_t cpu = part();
        const std::int64_t gpu = part();
        const std::int64_t both = std::max<std::int64_t>(std::min(cpu, gpu) / 2, cpu + gpu - period);
        // Normally the idle time follows from the others, but a file may contain any value.
        const bool follows = random.bounded(5U) > 0;
        figures.overlap = {period, cpu, gpu, both, follows ? period - (cpu + gpu - both) : part()};
        if (random.bounded(3U) == 0) {
            figures.overlap.gpuBoundedNs = random.bounded(static_cast<quint32>(gpu) + 1);
            figures.overlap.bothBoundedNs =
                random.bounded(static_cast<quint32>(std::min(both, figures.overlap.gpuBoundedNs)) + 1);
        }
        figures.waitSyncNs = part();
        figures.waitMemoryNs = part();
        figures.waitSlotNs = part();
        figures.waitInputNs = part();
        figures.frameNs = random.bounded(10U) > 0 ? random.bounded(1000) : std::int64_t{1} << 40;
        figures.latencyNs = random.bounded(1000);
        figures.bytesCopied = random.bounded(1000U);
        frames.push_back(figures);
        at += period;
    }
    return frames;
}

FrameTable tableOf(const std::vector<FrameFigures> &frames)
{
    FrameTable table;
    for (const FrameFigures &figures : frames)
        if (!table.append(figures))
            qFatal("a frame of the test was refused");
    return table;
}

void compareSum(const FrameSum &sum, const std::vector<FrameFigures> &frames, std::size_t first, std::size_t last)
{
    const auto total = [&](auto figure) {
        std::int64_t ns = 0;
        for (std::size_t i = first; i < last; ++i)
            ns += static_cast<std::int64_t>(figure(frames[i]));
        return ns;
    };
    QCOMPARE(sum.frames, static_cast<std::uint64_t>(last - first));
    QCOMPARE(sum.overlap.periodNs, total([](const FrameFigures &f) { return f.periodNs(); }));
    QCOMPARE(sum.overlap.cpuNs, total([](const FrameFigures &f) { return f.overlap.cpuNs; }));
    QCOMPARE(sum.overlap.gpuNs, total([](const FrameFigures &f) { return f.overlap.gpuNs; }));
    QCOMPARE(sum.overlap.bothNs, total([](const FrameFigures &f) { return f.overlap.bothNs; }));
    QCOMPARE(sum.overlap.idleNs, total([](const FrameFigures &f) { return f.overlap.idleNs; }));
    QCOMPARE(sum.overlap.gpuBoundedNs, total([](const FrameFigures &f) { return f.overlap.gpuBoundedNs; }));
    QCOMPARE(sum.overlap.bothBoundedNs, total([](const FrameFigures &f) { return f.overlap.bothBoundedNs; }));
    QCOMPARE(sum.blockedNs(), total([](const FrameFigures &f) { return f.blockedNs(); }));
    QCOMPARE(sum.waitSyncNs, total([](const FrameFigures &f) { return f.waitSyncNs; }));
    QCOMPARE(sum.waitSlotNs, total([](const FrameFigures &f) { return f.waitSlotNs; }));
    QCOMPARE(sum.waitInputNs, total([](const FrameFigures &f) { return f.waitInputNs; }));
    QCOMPARE(static_cast<std::int64_t>(sum.bytesCopied), total([](const FrameFigures &f) { return f.bytesCopied; }));
    if (first == last)
        return;
    const auto longest = std::max_element(frames.begin() + static_cast<std::ptrdiff_t>(first),
                                          frames.begin() + static_cast<std::ptrdiff_t>(last),
                                          [](const auto &a, const auto &b) { return a.periodNs() < b.periodNs(); });
    QCOMPARE(sum.longestPeriodNs, longest->periodNs());
    QCOMPARE(sum.longest, static_cast<std::uint64_t>(longest - frames.begin()));
}

bool isSameFrame(const FrameFigures &a, const FrameFigures &b)
{
    return test::storedFigures(a) == test::storedFigures(b);
}

/// Sum of a figure before a time, distributed evenly over each period.
template <class Figure>
double before(const std::vector<FrameFigures> &frames, std::int64_t ns, Figure figure)
{
    double sum = 0;
    for (const FrameFigures &frame : frames) {
        const std::int64_t within = std::clamp<std::int64_t>(ns - frame.startNs, 0, frame.periodNs());
        if (within > 0)
            sum += static_cast<double>(figure(frame)) * static_cast<double>(within)
                / static_cast<double>(frame.periodNs());
    }
    return sum;
}

std::vector<std::uint64_t> longestOf(const std::vector<FrameFigures> &frames, std::size_t first, std::size_t last,
                                     std::size_t count)
{
    std::vector<std::uint64_t> indices(last - first);
    std::iota(indices.begin(), indices.end(), first);
    std::stable_sort(indices.begin(), indices.end(),
                     [&](std::uint64_t a, std::uint64_t b) { return frames[a].periodNs() > frames[b].periodNs(); });
    indices.resize(std::min(indices.size(), count));
    return indices;
}

} // namespace

class TestFrameTable : public QObject {
    Q_OBJECT
private slots:
    void givesBackWhatItGot();
    void columnsEqualBruteForce();
    void aFrameTakes62Bytes();
    void sumsAndLongestEqualBruteForce();
    void framesAfterDropsEqualBruteForce();
    void findsTheNewestFrameOfANumber();
    void rangeTakesFramesThatTouch();
    void refusesImpossibleFigures();
    void emptyTable();
};

void TestFrameTable::givesBackWhatItGot()
{
    QRandomGenerator random(3);
    auto frames = randomFrames(random, 5000);
    QVERIFY(test::everyFigureOccurs(frames));
    constexpr std::int64_t kMinute = 60'000'000'000; // Too long for 32 bits.
    for (std::size_t i = 2500; i < frames.size(); ++i)
        frames[i].startNs += static_cast<std::int64_t>(i) * kMinute;
    frames.back().overlap = {2 * kMinute, kMinute, kMinute, 0, 0};
    FrameTable table = tableOf(frames);
    for (std::size_t i = 0; i < frames.size(); ++i)
        QVERIFY2(isSameFrame(table.at(i), frames[i]), qPrintable(QString::number(i)));
    table.dropBefore(2490);
    for (std::size_t i = 2490; i < frames.size(); ++i) {
        QVERIFY2(isSameFrame(table.at(i), frames[i]), qPrintable(QString::number(i)));
        const auto [first, last] = table.range(frames[i].startNs, frames[i].startNs + 1);
        QVERIFY(first <= i && i < last);
    }
}

void TestFrameTable::columnsEqualBruteForce()
{
    QRandomGenerator random(4);
    std::vector<FrameColumn> columns;
    for (int round = 0; round < 60; ++round) {
        const auto frames = randomFrames(random, random.bounded(2000U) + 1);
        const FrameTable table = tableOf(frames);
        const std::int64_t length = frames.back().startNs + frames.back().periodNs() - frames.front().startNs + 2;
        ColumnWindow window;
        window.count = 1 + random.bounded(60);
        window.nsPerColumn = std::max(0.5, static_cast<double>(length) * random.generateDouble() / window.count);
        window.startNs = frames.front().startNs - 20 + static_cast<std::int64_t>(random.generateDouble() * 30);
        table.query(window, columns);
        QCOMPARE(columns.size(), static_cast<std::size_t>(window.count));
        const auto edge = [&](int column) {
            const int at = std::clamp(column, 0, window.count);
            return window.startNs + static_cast<std::int64_t>(window.nsPerColumn * at);
        };
        const auto busy = [&](int column) {
            const auto both = [](const FrameFigures &frame) { return frame.overlap.bothNs; };
            return before(frames, edge(column), both) - before(frames, edge(0), both);
        };
        double sum = 0;
        for (int column = 0; column < window.count; ++column) {
            // All time is in its own column or a neighbouring one.
            sum += columns[static_cast<std::size_t>(column)].bothNs;
            QVERIFY(sum >= busy(column) - 1e-3 && sum <= busy(column + 2) + 1e-3);
        }
        QVERIFY2(std::abs(sum - busy(window.count)) < 1e-3, qPrintable(QString::number(sum - busy(window.count))));
    }
}

void TestFrameTable::aFrameTakes62Bytes()
{
    constexpr std::uint64_t kCount = 200'000;
    FrameTable table;
    for (std::uint64_t i = 0; i < kCount; ++i) {
        FrameFigures figures =
            frameAt(static_cast<std::int64_t>(i) * 17'000'000, 16'000'000, static_cast<std::uint32_t>(i));
        figures.overlap.idleNs = 16'000'000;
        figures.latencyNs = 30'000'000 + static_cast<std::int64_t>(i);
        QVERIFY(table.append(figures));
    }
    QVERIFY2(table.memoryBytes() <= kCount * 62, qPrintable(QString::number(table.memoryBytes())));
}

void TestFrameTable::sumsAndLongestEqualBruteForce()
{
    QRandomGenerator random(1);
    for (int round = 0; round < 60; ++round) {
        const auto frames = randomFrames(random, random.bounded(3000U) + 1);
        const FrameTable table = tableOf(frames);
        for (int i = 0; i < 20; ++i) {
            const std::size_t last = random.bounded(static_cast<quint32>(frames.size()) + 1);
            const std::size_t first = random.bounded(static_cast<quint32>(last) + 1);
            compareSum(table.sum(first, last), frames, first, last);
            if (QTest::currentTestFailed())
                return;
            const std::size_t count = random.bounded(40U);
            QCOMPARE(table.longest(first, last, count), longestOf(frames, first, last, count));
        }
    }
}

void TestFrameTable::framesAfterDropsEqualBruteForce()
{
    QRandomGenerator random(2);
    const auto frames = randomFrames(random, 10'000);
    FrameTable table = tableOf(frames);
    for (const std::size_t first : {1, 15, 16, 1000, 1024, 4097, 9999}) {
        table.dropBefore(first);
        QCOMPARE(table.firstIndex(), static_cast<std::uint64_t>(first));
        compareSum(table.sum(0, frames.size() + 5), frames, first, frames.size());
        if (QTest::currentTestFailed())
            return;
        QCOMPARE(table.longest(0, frames.size(), 7), longestOf(frames, first, frames.size(), 7));
        QCOMPARE(table.find(static_cast<std::uint32_t>(first)), std::optional<std::uint64_t>(first));
        QVERIFY(!table.find(static_cast<std::uint32_t>(first - 1)));
        QCOMPARE(table.at(first).startNs, frames[first].startNs);
    }
}

void TestFrameTable::findsTheNewestFrameOfANumber()
{
    FrameTable table;
    const std::uint32_t numbers[] = {5, 6, 9, 0, 1, 2, 2, 6, 7};
    std::int64_t at = 0;
    for (const std::uint32_t number : numbers)
        QVERIFY(table.append(frameAt(at++, 1, number)));
    QCOMPARE(table.find(5), std::optional<std::uint64_t>(0));
    QCOMPARE(table.find(6), std::optional<std::uint64_t>(7));
    QCOMPARE(table.find(2), std::optional<std::uint64_t>(6));
    QCOMPARE(table.find(9), std::optional<std::uint64_t>(2));
    QVERIFY(!table.find(3));
    QVERIFY(!table.find(kNoFrame));
}

void TestFrameTable::rangeTakesFramesThatTouch()
{
    const FrameTable table = tableOf({frameAt(0, 10, 0), frameAt(10, 10, 1), frameAt(50, 10, 2)});
    using Range = std::pair<std::uint64_t, std::uint64_t>;
    QCOMPARE(table.range(0, 10), Range(0, 1));
    QCOMPARE(table.range(9, 11), Range(0, 2));
    QCOMPARE(table.range(20, 50), Range(2, 2));
    QCOMPARE(table.range(-100, 1000), Range(0, 3));
    QCOMPARE(table.range(60, 1000), Range(3, 3));
}

void TestFrameTable::refusesImpossibleFigures()
{
    constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
    FrameTable table = tableOf({frameAt(100, 10, 0)});
    QVERIFY(!table.append(frameAt(109, 10, 1)));
    QVERIFY(!table.append(frameAt(200, -1, 1)));
    QVERIFY(!table.append(frameAt(200, kMax, 1)));
    QVERIFY(!table.append(frameAt(kMax, 0, 1)));
    FrameFigures busy = frameAt(200, 10, 1);
    busy.overlap.cpuNs = kMax;
    QVERIFY(!table.append(busy));
    FrameFigures waiting = frameAt(200, 10, 1);
    waiting.waitSlotNs = -1;
    QVERIFY(!table.append(waiting));
    QCOMPARE(table.endIndex(), std::uint64_t{1});
    FrameFigures large = frameAt(200, 10, 1);
    large.bytesCopied = std::numeric_limits<std::uint64_t>::max();
    QVERIFY(table.append(large));
    large.startNs = 300;
    QVERIFY(table.append(large));
    QCOMPARE(table.sum(0, 3).bytesCopied, std::numeric_limits<std::uint64_t>::max());
}

void TestFrameTable::emptyTable()
{
    FrameTable table;
    QVERIFY(table.empty());
    QCOMPARE(table.sum(0, 10).frames, std::uint64_t{0});
    QVERIFY(table.longest(0, 10, 5).empty());
    QVERIFY(!table.find(0));
    table.dropBefore(5);
    QCOMPARE(table.endIndex(), std::uint64_t{0});
}

JETSCOPE_TEST(TestFrameTable)
#include "tst_frametable.moc"
