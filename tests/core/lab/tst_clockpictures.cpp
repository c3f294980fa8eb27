// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The clock is read in pictures of it, or refused; it is never read as another time.
#include "core/lab/clockcamera.h"
#include "core/lab/clockfinder.h"
#include "tests/support/longrun.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <bit>
#include <map>
#include <random>
#include <set>

using namespace jetscope;

namespace {

constexpr int kClockPictureWidth = 1280;
constexpr int kClockPictureHeight = 720;

LumaPicture emptyPicture(int width = kClockPictureWidth, int height = kClockPictureHeight)
{
    return {width, height,
            std::vector<std::uint8_t>(static_cast<std::size_t>(width) * static_cast<std::size_t>(height))};
}

LumaPicture pictureOf(const CameraLook &look, double ms, std::uint64_t seed = 1, int width = kClockPictureWidth,
                      int height = kClockPictureHeight)
{
    LumaPicture picture = emptyPicture(width, height);
    ClockCamera(look, width, height, seed).see(ms, picture);
    return picture;
}

ClockReading readingOf(const LumaPicture &picture)
{
    const FoundClock found = findClock(picture.view());
    return found.reader ? found.reader->read(picture.view()) : ClockReading{found.sight};
}

/// All that the screen showed while a picture was exposed.
std::set<int> shownIn(const CameraLook &look, double endMs)
{
    const SteadyClock clock{1000 / look.screenHz};
    std::set<int> shown;
    for (double ms = endMs - look.exposureMs - look.readoutMs; ms < endMs; ms += clock.periodMs / 8)
        shown.insert(static_cast<int>(clock.shownAt(ms) % kClockMs));
    shown.insert(static_cast<int>(clock.shownAt(endMs) % kClockMs));
    return shown;
}

struct Tally {
    int pictures = 0;
    int read = 0;
    int wrong = 0;
    std::map<ClockSight, int> refused;
};

/// `change` is given each look and a random number for it.
template <class Change>
Tally tallyOf(int pictures, Change change)
{
    std::mt19937 random(20261128);
    std::uniform_real_distribution<> part(0, 1);
    Tally tally;
    for (; tally.pictures < pictures; ++tally.pictures) {
        CameraLook look;
        look.turnDegrees = 20 * part(random) - 10;
        look.tiltDegrees = 20 * part(random) - 10;
        look.blurPixels = 2;
        look.noise = 0.3;
        look.part = 0.5 + 0.3 * part(random);
        change(look, [&] { return part(random); });
        const double ms = 1e5 * (1 + part(random));
        const ClockReading reading = readingOf(pictureOf(look, ms, random() + 1U));
        if (reading.sight != ClockSight::Read)
            ++tally.refused[reading.sight];
        else if (shownIn(look, ms).count(reading.ms) != 0)
            ++tally.read;
        else
            ++tally.wrong;
    }
    return tally;
}

} // namespace

class TestClockPictures : public QObject {
    Q_OBJECT

private slots:
    void everyTimeHasItsCode();
    void everyTimeIsRead();
    void blurredNoisyTiltedPicturesAreRead();
    void picturesBetweenTwoTimesAreNeverMisread();
    void brokenPicturesAreRefused_data();
    void brokenPicturesAreRefused();
    void aMirrorIsReadAndSaid();
    void turnedAroundItIsRead();
    void picturesWithoutAClockShowNone();
    void aReaderNoticesThatTheClockMoved();
    void everyFormatHasItsBrightness();
};

void TestClockPictures::everyTimeHasItsCode()
{
    std::uint32_t last = 0;
    int least = 24;
    for (int ms = 0; ms < kClockMs; ++ms) {
        const ClockCode code = clockCode(ms);
        QCOMPARE(clockTime(code), std::optional(ms));
        for (int bit = 0; bit < 2 * kClockBits; ++bit) { // A wrong bit never goes unnoticed.
            ClockCode wrong = code;
            auto &word = bit < kClockBits ? wrong.data : wrong.check;
            word = static_cast<std::uint16_t>(word ^ 1U << bit % kClockBits);
            QVERIFY(!clockTime(wrong));
        }
        const std::uint32_t bits = static_cast<std::uint32_t>(code.data) << kClockBits | code.check;
        if (ms > 0)
            QCOMPARE(std::popcount(code.data ^ last >> kClockBits), 1); // Gray code.
        for (int other = 0; other < ms; other += 7) {
            const ClockCode apart = clockCode(other);
            least = std::min(
                least, std::popcount(bits ^ (static_cast<std::uint32_t>(apart.data) << kClockBits | apart.check)));
        }
        last = bits;
    }
    QVERIFY(least >= 8);
    QCOMPARE(clockCode(-1), clockCode(kClockMs - 1));
}

void TestClockPictures::everyTimeIsRead()
{
    const CameraLook look{.part = 0.9, .screenHz = 1000};
    LumaPicture picture = pictureOf(look, 0);
    const FoundClock found = findClock(picture.view());
    QVERIFY(found.reader);
    ClockCamera camera(look, kClockPictureWidth, kClockPictureHeight);
    for (int ms = 0; ms < kClockMs; ms += 5) {
        camera.see(ms + 0.5, picture);
        const ClockReading reading = found.reader->read(picture.view());
        QCOMPARE(reading.sight, ClockSight::Read);
        QCOMPARE(reading.ms, ms);
    }
}

void TestClockPictures::blurredNoisyTiltedPicturesAreRead()
{
    const Tally tally = tallyOf(testing::isLongRun() ? 10'000 : 150, [](CameraLook &, auto) {});
    QCOMPARE(tally.wrong, 0);
    QVERIFY2(tally.read >= 0.95 * tally.pictures, qPrintable(QString::number(tally.read)));
}

void TestClockPictures::picturesBetweenTwoTimesAreNeverMisread()
{
    const Tally tally = tallyOf(testing::isLongRun() ? 3'000 : 150, [](CameraLook &look, auto part) {
        look.exposureMs = 20 * part();
        look.readoutMs = 30 * part();
        look.noise = 0.6 * part();
        look.blurPixels = 4 * part();
        look.white = 0.4 + 1.2 * part();
        look.screenHz = part() < 0.5 ? 24 : 144;
    });
    QCOMPARE(tally.wrong, 0);
    QVERIFY(tally.read > 0);
    QVERIFY(tally.refused.at(ClockSight::Changing) > 0);
}

void TestClockPictures::brokenPicturesAreRefused_data()
{
    QTest::addColumn<CameraLook>("look");
    QTest::addColumn<std::set<ClockSight>>("sights");
    const std::set hidden{ClockSight::NotFound, ClockSight::Changing};
    QTest::newRow("absent") << CameraLook{.fault = ClockFault::Absent} << std::set{ClockSight::NotFound};
    QTest::newRow("two") << CameraLook{.part = 0.9, .fault = ClockFault::Two} << std::set{ClockSight::Several};
    QTest::newRow("covered") << CameraLook{.fault = ClockFault::Covered} << hidden;
    QTest::newRow("too far away") << CameraLook{.part = 0.08} << hidden;
    QTest::newRow("no contrast") << CameraLook{.black = 0.50, .white = 0.55}
                                 << std::set{ClockSight::NotFound, ClockSight::Faint};
    QTest::newRow("nothing but noise") << CameraLook{.noise = 2} << hidden;
    QTest::newRow("half of each time") << CameraLook{.exposureMs = 2000 / 60.0} << std::set{ClockSight::Changing};
}

void TestClockPictures::brokenPicturesAreRefused()
{
    QFETCH(const CameraLook, look);
    QFETCH(const std::set<ClockSight>, sights);
    for (int i = 0; i < 20; ++i) {
        const ClockReading reading =
            readingOf(pictureOf(look, 5000 + i * 1000 / 60.0 + 0.5, static_cast<std::uint64_t>(i) + 1));
        QVERIFY2(sights.count(reading.sight) != 0, clockSightText(reading.sight).data());
    }
}

void TestClockPictures::aMirrorIsReadAndSaid()
{
    for (const ClockFault fault : {ClockFault::None, ClockFault::Mirrored}) {
        const CameraLook look{.turnDegrees = 5, .fault = fault};
        const FoundClock found = findClock(pictureOf(look, 4321).view());
        QVERIFY(found.reader);
        QCOMPARE(found.reader->isMirrored(), fault == ClockFault::Mirrored);
        QVERIFY(shownIn(look, 4321).count(found.reader->read(pictureOf(look, 4321).view()).ms) != 0);
    }
}

void TestClockPictures::turnedAroundItIsRead()
{
    for (int turn = -180; turn < 180; turn += 15) {
        const CameraLook look{.part = 0.5, .turnDegrees = static_cast<double>(turn)};
        const LumaPicture picture = pictureOf(look, 777);
        const FoundClock found = findClock(picture.view());
        QVERIFY2(found.reader, qPrintable(QString::number(turn)));
        QVERIFY(shownIn(look, 777).count(found.reader->read(picture.view()).ms) != 0);
        QVERIFY(std::abs(std::remainder(found.reader->turnDegrees() - turn, 360)) < 1);
    }
}

void TestClockPictures::picturesWithoutAClockShowNone()
{
    std::mt19937 random(3);
    for (int i = 0; i < 40; ++i) { // Blocks of random brightness.
        LumaPicture picture = emptyPicture(320 + i, 240);
        const int block = 1 + i % 12;
        for (int y = 0; y < picture.height; ++y)
            for (int x = 0; x < picture.width; ++x)
                picture.pixels[picture.view().offset(x, y)] = x % block == 0 || y % block == 0
                    ? static_cast<std::uint8_t>(random())
                    : picture.view().at(x - x % block, y - y % block);
        QCOMPARE(readingOf(picture).sight, ClockSight::NotFound);
    }
    for (const auto &[width, height] : {std::pair(1, 1), std::pair(1, 600), std::pair(3, 2), std::pair(92, 52)})
        QCOMPARE(readingOf(emptyPicture(width, height)).sight, ClockSight::NotFound);
}

void TestClockPictures::aReaderNoticesThatTheClockMoved()
{
    const FoundClock found = findClock(pictureOf({.part = 0.6}, 1000).view());
    QVERIFY(found.reader);
    QCOMPARE(found.reader->read(pictureOf({.part = 0.6}, 1100).view()).sight, ClockSight::Read);
    QCOMPARE(found.reader->read(pictureOf({.part = 0.7}, 1100).view()).sight, ClockSight::NotFound);
    QCOMPARE(found.reader->read(emptyPicture().view()).sight, ClockSight::NotFound);
}

void TestClockPictures::everyFormatHasItsBrightness()
{
    for (const PixelFormat format :
         {PixelFormat::Rgba8, PixelFormat::Bgr8, PixelFormat::Nv12, PixelFormat::Yuyv, PixelFormat::Grey8,
          PixelFormat::Rgb8, PixelFormat::Uyvy, PixelFormat::Yu12, PixelFormat::Yu16}) {
        const ImageLayout layout = makeImageLayout(format, 6, 4);
        std::vector<std::byte> bytes(layout.bytes, std::byte{1});
        LumaView view = lumaOf(layout, bytes.data());
        QCOMPARE(view.at(3, 2), std::uint8_t{1});
        QVERIFY(view.offset(5, 3) < layout.planes[0].pitch * 4);
        // Green, or luma: bytes that are neither do not count.
        const std::size_t at =
            static_cast<std::size_t>(view.first - reinterpret_cast<const std::uint8_t *>(bytes.data()))
            + view.offset(5, 3);
        bytes[at] = std::byte{200};
        QCOMPARE(view.at(5, 3), std::uint8_t{200});
        QCOMPARE(at % layout.planes[0].pitch < layout.planes[0].rowBytes, true);
    }
}

JETSCOPE_TEST(TestClockPictures)
#include "tst_clockpictures.moc"
