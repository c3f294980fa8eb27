// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// What the frames of a camera show and when they were worked on are put together.
#include "core/lab/latencymeter.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace jetscope;

namespace {

constexpr std::int64_t kMeterTestMs = 1'000'000;
constexpr std::int64_t kMeterTestStep = 10 * kMeterTestMs;

std::shared_ptr<ShownLog> clockOfASecond()
{
    auto log = std::make_shared<ShownLog>();
    for (std::int64_t at = 0; at <= 1000 * kMeterTestMs; at += kMeterTestStep)
        log->add(static_cast<int>(at / kMeterTestMs), at);
    return log;
}

FrameSighting seen(std::uint64_t number, int ms, std::int64_t stampNs, std::int64_t arrivedNs)
{
    return {number, stampNs, arrivedNs, {ClockSight::Read, ms}};
}

/// Started, then complete, then on the screen.
FrameFigures worked(std::int64_t stampNs, std::int64_t startNs, std::int64_t completeNs, std::int64_t endNs)
{
    FrameFigures figures;
    figures.startNs = startNs;
    figures.frameNs = completeNs - startNs;
    figures.latencyNs = endNs - stampNs;
    return figures;
}

} // namespace

class TestLatencyMeter : public QObject {
    Q_OBJECT

private slots:
    void aTimeIsFoundWhereItWasShown();
    void aSteadyClockNeedsNoLog();
    void thePartsAddUp();
    void stampsOfTheArrivalHaveNoPart();
    void everyFrameIsCounted();
    void percentilesAndBounds();
};

void TestLatencyMeter::aTimeIsFoundWhereItWasShown()
{
    ShownLog log;
    QVERIFY(!log.of(5, 100));
    log.add(5, 100);
    log.add(9, 300);
    QCOMPARE(log.of(5, 1000)->fromNs, 100);
    QCOMPARE(log.of(5, 1000)->untilNs, 300);
    QCOMPARE(log.of(9, 1000)->untilNs, 1000); // Still shown.
    QVERIFY(!log.of(9, 299));                 // Not shown yet.
    QVERIFY(!log.of(6, 1000));
    log.end(500);
    QCOMPARE(log.of(9, 1000)->untilNs, 500);
    QCOMPARE(log.stepNs(), 200);
    log.add(5, 10'000 * kMeterTestMs); // The first 5 is too long ago for a clock that begins anew every 4 seconds.
    QCOMPARE(log.of(5, 10'001 * kMeterTestMs)->fromNs, 10'000 * kMeterTestMs);
    QVERIFY(!log.of(9, 10'001 * kMeterTestMs));
}

void TestLatencyMeter::aSteadyClockNeedsNoLog()
{
    const SteadyTimes clock(100);
    const std::int64_t day = 86'400'000 * kMeterTestMs;
    for (const std::int64_t ago : {0, 20, 50, 120, 4000}) {
        const std::int64_t at = day + 123 * kMeterTestMs;
        const std::int64_t shownMs = (at / kMeterTestMs - ago) / 10 * 10;
        const auto shown = clock.of(static_cast<int>(shownMs % kClockMs), at);
        QCOMPARE(shown->fromNs, shownMs * kMeterTestMs);
        QCOMPARE(shown->untilNs - shown->fromNs, kMeterTestStep);
    }
}

void TestLatencyMeter::thePartsAddUp()
{
    LatencyMeter meter(clockOfASecond());
    meter.add(seen(7, 100, 120 * kMeterTestMs, 130 * kMeterTestMs));
    meter.add(worked(120 * kMeterTestMs, 133 * kMeterTestMs, 140 * kMeterTestMs, 152 * kMeterTestMs), 7);
    QCOMPARE(meter.frames().size(), std::size_t{1});
    const FrameLatency &frame = meter.frames().front();
    QVERIFY(meter.hasStamps());
    const LatencyParts parts = frame.parts(true);
    QCOMPARE(
        parts,
        (LatencyParts{15 * kMeterTestMs, 10 * kMeterTestMs, 3 * kMeterTestMs, 7 * kMeterTestMs, 12 * kMeterTestMs}));
    QCOMPARE(frame.totalNs(), 47 * kMeterTestMs);
    QCOMPARE(frame.parts(false),
             (LatencyParts{25 * kMeterTestMs, 0, 3 * kMeterTestMs, 7 * kMeterTestMs, 12 * kMeterTestMs}));
    const auto figures = meter.figures();
    QCOMPARE(figures->p50Ms, 47.0);
    QCOMPARE(figures->totalP50, 47.0);
    QCOMPARE(figures->boundMs, 5.0);
}

/// Also those that lie before the light, as of another clock.
void TestLatencyMeter::stampsOfTheArrivalHaveNoPart()
{
    for (const std::int64_t stamp : {130 * kMeterTestMs, 20 * kMeterTestMs}) {
        LatencyMeter meter(clockOfASecond());
        meter.add(seen(1, 100, stamp, 130 * kMeterTestMs));
        meter.add(worked(stamp, 131 * kMeterTestMs, 132 * kMeterTestMs, 140 * kMeterTestMs), 1);
        QVERIFY(!meter.hasStamps());
        const std::array<double, kLatencyParts> expected{25, 0, 1, 1, 8};
        for (std::size_t part = 0; part < kLatencyParts; ++part)
            QVERIFY(std::abs(meter.figures()->aroundP50[part] - expected[part]) < 1e-9);
    }
}

void TestLatencyMeter::everyFrameIsCounted()
{
    LatencyMeter meter(clockOfASecond());
    meter.add(seen(1, 100, 120 * kMeterTestMs, 130 * kMeterTestMs)); // Overtaken: only the next one is finished.
    meter.add(seen(2, 110, 130 * kMeterTestMs, 140 * kMeterTestMs));
    meter.add(FrameSighting{3, 0, 150 * kMeterTestMs, {ClockSight::Changing, 0}});
    meter.add(seen(4, 3000, 150 * kMeterTestMs, 160 * kMeterTestMs)); // Another clock.
    meter.add(seen(5, 150, 160 * kMeterTestMs, 170 * kMeterTestMs));
    meter.add(worked(130 * kMeterTestMs, 141 * kMeterTestMs, 142 * kMeterTestMs, 150 * kMeterTestMs), 2);
    meter.add(worked(130 * kMeterTestMs, 151 * kMeterTestMs, 152 * kMeterTestMs, 160 * kMeterTestMs), 3);
    meter.add(worked(130 * kMeterTestMs, 161 * kMeterTestMs, 162 * kMeterTestMs, 170 * kMeterTestMs), 4);
    FrameFigures notShown = worked(0, 171 * kMeterTestMs, 172 * kMeterTestMs, 0);
    meter.add(notShown, 5);
    const LatencyCounts &counts = meter.counts();
    QCOMPARE(counts.frames, std::uint64_t{5});
    QCOMPARE(counts.of(ClockSight::Read), std::uint64_t{4});
    QCOMPARE(counts.of(ClockSight::Changing), std::uint64_t{1});
    QCOMPARE(counts.notShown, std::uint64_t{1});
    QCOMPARE(counts.unfinished, std::uint64_t{2});
    QCOMPARE(counts.of(ClockSight::Read), meter.frames().size() + counts.notShown + counts.unfinished);
}

void TestLatencyMeter::percentilesAndBounds()
{
    LatencyMeter meter(clockOfASecond());
    QVERIFY(!meter.figures());
    for (int i = 0; i < 90; ++i) { // Every tenth is 40 ms late.
        const std::int64_t shown = i * kMeterTestStep;
        const std::int64_t end = shown + (i % 10 == 0 ? 65 : 25) * kMeterTestMs;
        meter.add(seen(static_cast<std::uint64_t>(i), i * 10, end - 5 * kMeterTestMs, end - 4 * kMeterTestMs));
        meter.add(worked(end - 5 * kMeterTestMs, end - 3 * kMeterTestMs, end - 2 * kMeterTestMs, end),
                  static_cast<std::uint64_t>(i));
    }
    const LatencyFigures figures = *meter.figures();
    QCOMPARE(figures.frames, std::size_t{90});
    QCOMPARE(figures.p50Ms, 20.0);
    QCOMPARE(figures.p99Ms, 60.0);
    QCOMPARE(figures.stepMs, 10.0);
    QCOMPARE(figures.leastMs, 20.0);
    QCOMPARE(figures.mostMs, 60.0);
    QCOMPARE(figures.totalP99 - figures.totalP50, 40.0);
    QCOMPARE(figures.aroundP99[0] - figures.aroundP50[0], 40.0); // It was the camera.
}

JETSCOPE_TEST(TestLatencyMeter)
#include "tst_latencymeter.moc"
