// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
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
    // A monotonic clock after a year of uptime, where doubles of nanoseconds would be coarse.
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
    // A thousand pans there and back end where they began.
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
    QCOMPARE(fitted(5, 5, 1000).nsPerPixel, kMinNsPerPixel); // An empty window is no division by zero.
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

void TestTimeScale::rulerTextsTellNeighboursApart()
{
    QCOMPARE(rulerText(5'000'000, 5'000'000), QStringLiteral("5 ms"));
    QCOMPARE(rulerText(1'500'000, 500'000), QStringLiteral("1.5 ms"));
    QCOMPARE(rulerText(2'000, 1'000), QStringLiteral("2 µs"));
    QCOMPARE(rulerText(3'000'000'000, 1'000'000'000), QStringLiteral("3 s"));
    for (const std::int64_t step : {100LL, 5'000LL, 20'000LL, 5'000'000LL, 2'000'000'000LL})
        QVERIFY(rulerText(7 * step, step) != rulerText(8 * step, step));
}

QTEST_GUILESS_MAIN(TestTimeScale)
#include "tst_timescale.moc"
