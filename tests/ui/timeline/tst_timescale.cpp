// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testprogram.h"
#include "ui/timeline/rulertext.h"
#include "ui/timeline/timescale.h"

#include <QRandomGenerator>
#include <QTest>

#include <cmath>

using namespace jetscope;

class TestTimeScale : public QObject {
    Q_OBJECT
private slots:
    void pixelsAndTimesAreInverse();
    void zoomKeepsTheTimeUnderTheCursor();
    void zoomIsClamped();
    void panMovesByPixels();
    void fittedShowsTheWindow();
    void rulerStepsAreRoundAndWideEnough();
    void farFromZeroRulersCountFromAnOrigin();
    void rulerTextsStayShortAndDiffer();
    void rulerTextsTellNeighboursApart();
};

void TestTimeScale::pixelsAndTimesAreInverse()
{
    QRandomGenerator random(1);
    for (int i = 0; i < 1000; ++i) {
        const TimeScale scale{random.bounded(1'000'000'000) * 1'000'000LL, random.generateDouble(),
                              1 + random.generateDouble() * 1e6};
        const double pixel = random.bounded(4000.0) - 1000;
        QVERIFY(std::abs(pixelAt(scale, timeAt(scale, pixel)) - pixel) <= 1 / scale.nsPerPixel + 1e-6);
    }
}

void TestTimeScale::zoomKeepsTheTimeUnderTheCursor()
{
    // A monotonic clock after a year of uptime, when doubles in nanoseconds are coarse.
    TimeScale scale{31'536'000'000'000'000, 0, 20'000};
    const double cursor = 733;
    const std::int64_t fixed = timeAt(scale, cursor);
    QRandomGenerator random(2);
    for (int step = 0; step < 1000; ++step) {
        scale = zoomedAt(scale, cursor, random.bounded(2) ? 1.2 : 1 / 1.2);
        QVERIFY2(std::abs(pixelAt(scale, fixed) - cursor) <= 1, qPrintable(QString::number(step)));
    }
    for (int step = 0; step < 1000; ++step)
        scale = zoomedAt(scale, cursor, step < 500 ? 1 / 1.2 : 1.2);
    QVERIFY(std::abs(pixelAt(scale, fixed) - cursor) <= 1);
}

void TestTimeScale::zoomIsClamped()
{
    TimeScale scale{0, 0, 1000};
    for (int i = 0; i < 200; ++i)
        scale = zoomedAt(scale, 100, 0.5);
    QCOMPARE(scale.nsPerPixel, kMinNsPerPixel);
    for (int i = 0; i < 200; ++i)
        scale = zoomedAt(scale, 100, 2);
    QCOMPARE(scale.nsPerPixel, kMaxNsPerPixel);
}

void TestTimeScale::panMovesByPixels()
{
    const TimeScale scale{5'000'000, 0.25, 333.3};
    const std::int64_t time = timeAt(scale, 200);
    QVERIFY(std::abs(pixelAt(panned(scale, 37), time) - 237) < 0.01);
    // A thousand pans back and forth have no drift.
    TimeScale moved = scale;
    for (int i = 0; i < 1000; ++i)
        moved = panned(moved, i % 2 ? -7.3 : 7.3);
    QVERIFY(std::abs(pixelAt(moved, time) - 200) < 0.01);
}

void TestTimeScale::fittedShowsTheWindow()
{
    const TimeScale scale = fitted(1000, 2'001'000, 1000);
    QCOMPARE(pixelAt(scale, 1000), 0.0);
    QCOMPARE(pixelAt(scale, 2'001'000), 1000.0);
    QCOMPARE(fitted(5, 5, 1000).nsPerPixel, kMinNsPerPixel); // An empty interval must not cause a division by zero.
}

void TestTimeScale::rulerStepsAreRoundAndWideEnough()
{
    for (double nsPerPixel = kMinNsPerPixel; nsPerPixel <= kMaxNsPerPixel; nsPerPixel *= 1.37) {
        const std::int64_t step = rulerStepNs(nsPerPixel, 100);
        QVERIFY(static_cast<double>(step) >= nsPerPixel * 100);
        QVERIFY(static_cast<double>(step) <= nsPerPixel * 250 + 1);
        std::int64_t digit = step;
        while (digit % 10 == 0)
            digit /= 10;
        QVERIFY(digit == 1 || digit == 2 || digit == 5);
    }
}

void TestTimeScale::farFromZeroRulersCountFromAnOrigin()
{
    constexpr std::int64_t kFar = 689'082'000'000;
    const RulerTexts far(kFar - 20'000, kFar + 80'000, 10'000);
    QVERIFY(far.hasOrigins());
    QCOMPARE(far.tickText(kFar), QStringLiteral("689.082 s"));
    QCOMPARE(far.tickText(kFar + 10'000), QStringLiteral("+10 µs"));
    QCOMPARE(far.tickText(kFar - 10'000), QStringLiteral("+990 µs")); // Relative to the previous origin.
    QCOMPARE(far.originText(far.originOf(kFar - 10'000)), QStringLiteral("689.081 s"));
    QCOMPARE(far.wholeText(kFar + 12'345, 100), QStringLiteral("689.082 s + 12.3 µs"));
    QCOMPARE(RulerTexts(kFar, kFar + 100, 5).tickText(kFar + 345'005), QStringLiteral("+5 ns"));
    QCOMPARE(RulerTexts(kFar, kFar + 100, 5).tickText(kFar + 345'000), QStringLiteral("689.082345 s"));
    QCOMPARE(RulerTexts(kFar, kFar + 9'000'000, 1'000'000).tickText(kFar + 1'000'000), QStringLiteral("+83 ms"));
    QCOMPARE(RulerTexts(kFar, kFar, 1'000'000).originText(689'000'000'000), QStringLiteral("689 s"));
    QCOMPARE(RulerTexts(60'000'000, 60'001'000, 100).tickText(60'000'000), QStringLiteral("60.000 ms"));
    // Offsets are positive before 0 as well.
    QCOMPARE(RulerTexts(-kFar, -kFar + 50'000, 10'000).tickText(-kFar + 10'000), QStringLiteral("+10 µs"));
    QCOMPARE(RulerTexts(-kFar, 0, 10'000).tickText(-10'000), QStringLiteral("+990 µs"));
    QCOMPARE(RulerTexts(-kFar, 0, 10'000).tickText(0), QStringLiteral("0 s"));
    // No origins near 0 and for steps of seconds.
    QCOMPARE(RulerTexts(0, 80'000'000, 10'000'000).tickText(70'000'000), QStringLiteral("70 ms"));
    QCOMPARE(RulerTexts(0, 900'000'000'000'000, 5'000'000'000).tickText(70'000'000'000), QStringLiteral("70 s"));
    QCOMPARE(momentText(1'234'567), QStringLiteral("1235 µs"));
    QCOMPARE(momentText(kFar + 123'000), QStringLiteral("689.082 s + 123 µs"));
}

void TestTimeScale::rulerTextsStayShortAndDiffer()
{
    for (double nsPerPixel = kMinNsPerPixel; nsPerPixel < 1e7; nsPerPixel *= 1.7)
        for (const std::int64_t zero : {0LL, 123'456'789LL, 86'400'000'000'000LL, -689'082'123'456LL}) {
            const std::int64_t step = rulerStepNs(nsPerPixel, 130);
            const auto width = static_cast<std::int64_t>(nsPerPixel * 1400);
            const RulerTexts texts(zero, zero + width, step);
            QStringList seen;
            std::int64_t origin = texts.originOf(zero);
            for (std::int64_t at = zero / step * step; at < zero + width; at += step) {
                if (texts.originOf(at) != origin)
                    seen.clear();
                origin = texts.originOf(at);
                QVERIFY2(!seen.contains(texts.tickText(at)), qPrintable(texts.tickText(at)));
                seen.append(texts.tickText(at));
                QVERIFY2(texts.tickText(at).size() <= (at == origin ? 16 : 10), qPrintable(texts.tickText(at)));
            }
        }
}

void TestTimeScale::rulerTextsTellNeighboursApart()
{
    QCOMPARE(rulerText(5'000'000, 5'000'000), QStringLiteral("5 ms"));
    QCOMPARE(rulerText(1'500'000, 500'000), QStringLiteral("1.5 ms"));
    QCOMPARE(rulerText(2'000, 1'000), QStringLiteral("2 µs"));
    QCOMPARE(rulerText(3'000'000'000, 1'000'000'000), QStringLiteral("3 s"));
    for (const std::int64_t step : {100LL, 5'000LL, 20'000LL, 5'000'000LL, 2'000'000'000LL})
        QVERIFY(rulerText(7 * step, step) != rulerText(8 * step, step));
}

JETSCOPE_TEST(TestTimeScale)
#include "tst_timescale.moc"
