// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Pictures that mix several times of the clock say when they were exposed.
#include "core/lab/clockcamera.h"
#include "core/lab/clockfinder.h"
#include "core/lab/shownlog.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <random>

using namespace jetscope;

namespace {

constexpr double kFitMs = 1e6;
constexpr int kFitWidth = 640;
constexpr int kFitHeight = 480;

std::int64_t fitNs(double ms)
{
    return static_cast<std::int64_t>(ms * kFitMs);
}

ClockReading seenAt(const CameraLook &look, double endMs, std::uint64_t seed)
{
    LumaPicture picture{kFitWidth, kFitHeight, std::vector<std::uint8_t>(std::size_t{kFitWidth} * kFitHeight)};
    ClockCamera(look, kFitWidth, kFitHeight, seed).see(endMs, picture);
    const FoundClock found = findClock(picture.view());
    return found.reader ? found.reader->read(picture.view()) : ClockReading{found.sight};
}

} // namespace

class TestExposureFit : public QObject {
    Q_OBJECT

private slots:
    void longExposuresAreFound_data();
    void longExposuresAreFound();
    void aSlowPanelIsPartOfTheDelay();
    void nothingIsFoundInWhatWasNotShown();
    void aCoveredCellIsNoMixture();
    void nothingShownGivesNothing();
};

void TestExposureFit::longExposuresAreFound_data()
{
    QTest::addColumn<CameraLook>("look");
    QTest::newRow("a webcam indoors") << CameraLook{.exposureMs = 33.3};
    QTest::newRow("rolling shutter") << CameraLook{.exposureMs = 33.3, .readoutMs = 25};
    QTest::newRow("a fast screen") << CameraLook{.exposureMs = 16, .readoutMs = 10, .screenHz = 144};
    QTest::newRow("a poor picture") << CameraLook{
        .turnDegrees = 10, .tiltDegrees = 10, .blurPixels = 2, .noise = 0.3, .exposureMs = 25};
}

void TestExposureFit::longExposuresAreFound()
{
    QFETCH(const CameraLook, look);
    const SteadyTimes clock(look.screenHz);
    std::mt19937 random(5);
    std::uniform_real_distribution<> time(10'000, 20'000);
    int mixed = 0;
    int found = 0;
    for (int i = 0; i < 30; ++i) {
        const double endMs = time(random);
        const ClockReading reading = seenAt(look, endMs, static_cast<std::uint64_t>(i) + 1);
        if (reading.sight != ClockSight::Changing && reading.sight != ClockSight::Contradicts)
            continue;
        ++mixed;
        // The frame arrives 60 ms later.
        const auto fit = fitExposure(reading.cells, clock.between(fitNs(endMs - 3800), fitNs(endMs + 60)));
        if (!fit)
            continue;
        ++found;
        const double middle = endMs - look.readoutMs / 2 - look.exposureMs / 2;
        const double off = std::abs(static_cast<double>(fit->middleNs) / kFitMs - middle);
        QVERIFY2(off <= static_cast<double>(fit->boundNs) / kFitMs + 2, qPrintable(QString::number(off)));
        QVERIFY(static_cast<double>(fit->boundNs) / kFitMs < 1000 / look.screenHz / 2);
    }
    QVERIFY(mixed >= 20);
    QVERIFY2(found >= mixed - 2, qPrintable(QString::number(found)));
}

/// Its light is late, so the picture is of earlier times; it is read all the same, also a short exposure, which such a
/// panel mixes, too.
void TestExposureFit::aSlowPanelIsPartOfTheDelay()
{
    const SteadyTimes clock(60);
    for (const double exposure : {4.0, 33.3}) {
        const CameraLook look{.exposureMs = exposure, .responseMs = 6};
        int known = 0;
        for (int i = 0; i < 30; ++i) {
            const double endMs = 20'000 + 7.3 * i;
            const ClockReading reading = seenAt(look, endMs, static_cast<std::uint64_t>(i) + 1);
            const auto fit = fitExposure(reading.cells, clock.between(fitNs(endMs - 3000), fitNs(endMs + 60)));
            const auto shown = reading.sight == ClockSight::Read ? clock.of(reading.ms, fitNs(endMs)) : std::nullopt;
            if (!fit && !shown)
                continue;
            ++known;
            const std::int64_t middle = shown ? shown->middleNs() : fit->middleNs;
            const double late = endMs - exposure / 2 - static_cast<double>(middle) / kFitMs;
            QVERIFY2(late > -10 && late < 6 + 10, qPrintable(QString::number(late)));
        }
        QVERIFY2(known >= 27, qPrintable(QString::number(known)));
    }
}

void TestExposureFit::nothingIsFoundInWhatWasNotShown()
{
    const SteadyTimes clock(60);
    for (int i = 0; i < 20; ++i) {
        const double endMs = 20'000 + 13.7 * i;
        const ClockReading reading = seenAt({.exposureMs = 30}, endMs, 1);
        QVERIFY(!fitExposure(reading.cells, clock.between(fitNs(endMs - 3000), fitNs(endMs - 500))));
    }
    std::mt19937 random(1);
    std::uniform_real_distribution<float> cell(-1, 1);
    for (int i = 0; i < 50; ++i) {
        ClockCells cells;
        std::generate(cells.begin(), cells.end(), [&] { return cell(random); });
        QVERIFY(!fitExposure(cells, clock.between(fitNs(10'000), fitNs(13'900))));
    }
}

void TestExposureFit::aCoveredCellIsNoMixture()
{
    const SteadyTimes clock(60);
    for (int covered = 1; covered < 24; covered += 4) {
        ClockReading reading = seenAt({}, 20'000, 1);
        QCOMPARE(reading.sight, ClockSight::Read);
        for (int i = 0; i < covered; ++i)
            reading.cells[static_cast<std::size_t>(i)] = 0;
        const auto fit = fitExposure(reading.cells, clock.between(fitNs(17'000), fitNs(20'100)));
        QVERIFY2(!fit || std::abs(fit->middleNs - fitNs(20'000)) < fitNs(20), qPrintable(QString::number(covered)));
    }
}

void TestExposureFit::nothingShownGivesNothing()
{
    const ClockCells cells{};
    QVERIFY(!fitExposure(cells, {}));
    const std::vector<ShownStretch> dark{{-1, 0, fitNs(1000)}};
    QVERIFY(!fitExposure(cells, dark));
    ClockCells nan;
    nan.fill(std::numeric_limits<float>::quiet_NaN());
    QVERIFY(!fitExposure(nan, SteadyTimes(100).between(0, fitNs(1000))));
}

JETSCOPE_TEST(TestExposureFit)
#include "tst_exposurefit.moc"
