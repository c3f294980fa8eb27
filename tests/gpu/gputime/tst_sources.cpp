// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/time/clock.h"
#include "gpu/sources/framepacer.h"
#include "gpu/sources/framesource.h"
#include "gpu/sources/sourceuri.h"
#include "gpu/sources/testcard.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <thread>
#include <vector>

using namespace jetscope;
using namespace std::chrono_literals;

namespace {

std::unique_ptr<FrameSource> mustOpen(const std::string &uri, Pacing pacing = Pacing::Unpaced)
{
    Result<std::unique_ptr<FrameSource>> source = openSource(uri, pacing);
    if (!source.ok())
        qFatal("%s", source.error().message().c_str());
    return std::move(source).value();
}

/// Reads to the end; returns each frame's bytes in order.
std::vector<std::vector<std::byte>> readAll(FrameSource &source)
{
    std::vector<std::vector<std::byte>> frames;
    while (true) {
        std::vector<std::byte> bytes(source.info().layout.bytes);
        const auto read = source.read(bytes.data());
        if (!read.ok())
            qFatal("%s", read.error().message().c_str());
        if (!read.value())
            return frames;
        if (read.value()->index != frames.size())
            qFatal("frame %zu has index %llu", frames.size(), static_cast<unsigned long long>(read.value()->index));
        frames.push_back(std::move(bytes));
    }
}

std::vector<std::uint8_t> drawn(PixelFormat format, int width, int height, std::uint64_t index)
{
    const ImageLayout layout = makeImageLayout(format, width, height);
    std::vector<std::uint8_t> bytes(layout.bytes);
    TestCard(layout, 60).draw(index, reinterpret_cast<std::byte *>(bytes.data()));
    return bytes;
}

struct Yuv {
    double y, u, v;
};

/// Converts one BGR pixel to BT.601, limited range, in floating point.
Yuv yuvOf(const std::uint8_t *bgr)
{
    const double b = bgr[0], g = bgr[1], r = bgr[2];
    return {16 + (65.481 * r + 128.553 * g + 24.966 * b) / 255, 128 + (-37.797 * r - 74.203 * g + 112.0 * b) / 255,
            128 + (112.0 * r - 93.786 * g - 18.214 * b) / 255};
}

bool near(double expected, std::uint8_t actual)
{
    return std::abs(expected - actual) <= 1.5;
}

} // namespace

class TestSources : public QObject {
    Q_OBJECT

private slots:
    void hostileUrisAreRefusedInOneSentence_data();
    void hostileUrisAreRefusedInOneSentence();
    void filesAreReadOrRefusedAsTheBuildHasIt();
    void optionsAreTaken();
    void defaultsFollowThePacingAsked();

    void everySizeAndFormatIsDrawnWithinItsMemory_data();
    void everySizeAndFormatIsDrawnWithinItsMemory();
    void formatsShowTheSamePicture_data();
    void formatsShowTheSamePicture();
    void framesDependOnTheirIndexAlone();
    void everyFrameShowsItsNumber();
    void timeCodesCountMilliseconds();
    void hugeIndicesAreDrawn();

    void framesEndTheTestCard();
    void loopRepeatsTheTestCard();

    void deadlinesDoNotDrift();
    void aLateReaderCatchesUpButNeverBursts();
    void schedulesWithAPhaseAreInStep();
    void pacedFramesAreNeverEarly();
    void cancelWakesAWaitingRead();
    void cancelledSourcesStayCancelled();
};

void TestSources::hostileUrisAreRefusedInOneSentence_data()
{
    QTest::addColumn<QByteArray>("uri");
    QTest::addColumn<QByteArray>("hint"); ///< A part of the sentence with the remedy.
    QTest::newRow("empty") << QByteArray("") << QByteArray("synthetic:");
    QTest::newRow("nul") << QByteArray("synthetic:\0?fps=3", 17) << QByteArray("NUL");
    QTest::newRow("endless") << QByteArray(1 << 20, 'a') << QByteArray("longer");
    QTest::newRow("unknown scheme") << QByteArray("camera:0") << QByteArray("\"camera\"");
    QTest::newRow("missing file") << QByteArray("no/such/file.avi") << QByteArray("file");
    QTest::newRow("file without path") << QByteArray("file:") << QByteArray("file:");
    QTest::newRow("test card with path") << QByteArray("synthetic:street") << QByteArray("synthetic:?size=1280x720");
    QTest::newRow("unknown key") << QByteArray("synthetic:?sise=3x3")
                                 << QByteArray("size, fps, format, rate, frames, loop, via or phase");
    QTest::newRow("no value") << QByteArray("synthetic:?size") << QByteArray("key=value");
    QTest::newRow("no key") << QByteArray("synthetic:?=3") << QByteArray("key=value");
    QTest::newRow("empty pair") << QByteArray("synthetic:?fps=3&&rate=max") << QByteArray("key=value");
    QTest::newRow("twice") << QByteArray("synthetic:?fps=3&fps=4") << QByteArray("twice");
    for (const char *size : {"", "x", "0x1", "1x0", "-1x5", "5x-1", "+5x5", "5 x5", "8193x1", "1x8193", "5x5x5", "5X5",
                             "1e2x5", "99999999999999999999x1", "0x", "640"})
        QTest::addRow("size %s", size) << QByteArray("synthetic:?size=") + size << QByteArray("from 1x1 to 8192x8192");
    for (const char *fps :
         {"", "0", "-1", "0.01", "1000.5", "1e999", "nan", "inf", "-inf", "60fps", "0x10", "+5", " 5"})
        QTest::addRow("fps %s", fps) << QByteArray("synthetic:?fps=") + fps << QByteArray("from 0.1 to 1000");
    for (const char *format : {"", "rgba", "NV12", "nv21"})
        QTest::addRow("format %s", format)
            << QByteArray("synthetic:?format=") + format << QByteArray("bgr, nv12, yuyv or grey");
    for (const char *rate : {"", "fast", "realmax"})
        QTest::addRow("rate %s", rate) << QByteArray("synthetic:?rate=") + rate << QByteArray("real");
    for (const char *frames : {"", "0", "-1", "1.5", "18446744073709551616", "1000000000001"})
        QTest::addRow("frames %s", frames) << QByteArray("synthetic:?frames=") + frames << QByteArray("1000000000000");
    for (const char *loop : {"", "2", "yes"})
        QTest::addRow("loop %s", loop) << QByteArray("synthetic:?loop=") + loop << QByteArray("1 (start again");
    for (const char *via : {"", "nvbuf", "EGLStream"})
        QTest::addRow("via %s", via) << QByteArray("synthetic:?via=") + via << QByteArray("memory, or eglstream");
}

void TestSources::hostileUrisAreRefusedInOneSentence()
{
    QFETCH(QByteArray, uri);
    QFETCH(QByteArray, hint);
    const std::string text(uri.constData(), static_cast<std::size_t>(uri.size()));
    const auto source = openSource(text, Pacing::Unpaced);
    QVERIFY(!source.ok());
    const QByteArray message = QByteArray::fromStdString(source.error().message());
    QVERIFY2(message.contains(hint) || qstrcmp(QTest::currentDataTag(), "missing file") == 0, message.constData());
    QVERIFY2(!message.contains('\n') && !message.contains('\0') && message.size() < 600, message.constData());
    // Errors that depend on the file system are failures; all others are wrong usage and detected before opening.
    const bool needsTheFile = qstrcmp(QTest::currentDataTag(), "missing file") == 0;
    QCOMPARE(checkSourceUri(text).ok(), needsTheFile && bool(JETSCOPE_READS_FILES));
}

void TestSources::filesAreReadOrRefusedAsTheBuildHasIt()
{
    const Status checked = checkSourceUri("file:any");
    QCOMPARE(checked.ok(), bool(JETSCOPE_READS_FILES));
    if (!checked.ok())
        QVERIFY2(checked.error().text.find("-DJETSCOPE_FILES=ON") != std::string::npos,
                 checked.error().message().c_str());
}

void TestSources::optionsAreTaken()
{
    const auto source = mustOpen("synthetic:?size=641x479&fps=29.97&format=yuyv&rate=real");
    const SourceInfo &info = source->info();
    QCOMPARE(info.layout.width, 641);
    QCOMPARE(info.layout.height, 479);
    QCOMPARE(info.layout.format, PixelFormat::Yuyv);
    QCOMPARE(info.fps, 29.97);
    QVERIFY(info.live);
    QCOMPARE(info.description, std::string("Synthetic test card · 641×479 YUYV · 29.97 fps"));
    QVERIFY(checkSourceUri("SYNTHETIC:?size=641x479").ok());
}

void TestSources::defaultsFollowThePacingAsked()
{
    QVERIFY(mustOpen("synthetic:", Pacing::Real)->info().live);
    QVERIFY(!mustOpen("synthetic:", Pacing::Unpaced)->info().live);
    QVERIFY(!mustOpen("synthetic:?rate=max", Pacing::Real)->info().live);
    const auto source = mustOpen("synthetic:");
    QCOMPARE(source->info().layout, makeImageLayout(PixelFormat::Nv12, 1280, 720));
    QCOMPARE(source->info().fps, 60.0);
}

void TestSources::everySizeAndFormatIsDrawnWithinItsMemory_data()
{
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("height");
    QTest::addColumn<int>("format");
    for (const auto &[width, height] :
         {std::pair(1, 1), std::pair(2, 1), std::pair(1, 7), std::pair(3, 3), std::pair(33, 17), std::pair(641, 479),
          std::pair(8192, 2), std::pair(2, 8192), std::pair(8192, 4320)})
        for (const PixelFormat format : {PixelFormat::Bgr8, PixelFormat::Nv12, PixelFormat::Yuyv, PixelFormat::Grey8})
            QTest::addRow("%dx%d %s", width, height, pixelFormatName(format).data())
                << width << height << static_cast<int>(format);
}

void TestSources::everySizeAndFormatIsDrawnWithinItsMemory()
{
    QFETCH(int, width);
    QFETCH(int, height);
    QFETCH(int, format);
    constexpr std::size_t kGuard = 4096;
    constexpr std::byte kUntouched{0xa5};
    const ImageLayout layout = makeImageLayout(static_cast<PixelFormat>(format), width, height);
    std::vector<std::byte> memory(layout.bytes + 2 * kGuard, kUntouched);
    TestCard(layout, 60).draw(123, memory.data() + kGuard);
    const auto untouched = [](std::byte byte) { return byte == kUntouched; };
    QVERIFY(std::all_of(memory.begin(), memory.begin() + kGuard, untouched));
    QVERIFY(std::all_of(memory.end() - kGuard, memory.end(), untouched));
}

void TestSources::formatsShowTheSamePicture_data()
{
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("height");
    QTest::newRow("720p") << 1280 << 720;
    QTest::newRow("odd") << 641 << 479;
    QTest::newRow("tiny") << 5 << 3;
}

void TestSources::formatsShowTheSamePicture()
{
    QFETCH(int, width);
    QFETCH(int, height);
    constexpr std::uint64_t kIndex = 777;
    const auto bgr = drawn(PixelFormat::Bgr8, width, height, kIndex);
    const auto nv12 = drawn(PixelFormat::Nv12, width, height, kIndex);
    const auto yuyv = drawn(PixelFormat::Yuyv, width, height, kIndex);
    const auto grey = drawn(PixelFormat::Grey8, width, height, kIndex);
    const ImageLayout bgrLayout = makeImageLayout(PixelFormat::Bgr8, width, height);
    const ImageLayout nv12Layout = makeImageLayout(PixelFormat::Nv12, width, height);
    const ImageLayout yuyvLayout = makeImageLayout(PixelFormat::Yuyv, width, height);
    const ImageLayout greyLayout = makeImageLayout(PixelFormat::Grey8, width, height);
    for (int y = 0; y < height; ++y) {
        const auto line = static_cast<std::size_t>(y);
        const std::uint8_t *yuyvRow = yuyv.data() + line * yuyvLayout.planes[0].pitch;
        const std::uint8_t *chroma = nv12.data() + nv12Layout.planes[1].offset + line / 2 * nv12Layout.planes[1].pitch;
        for (int x = 0; x < width; ++x) {
            const std::uint8_t *pixel = bgr.data() + line * bgrLayout.planes[0].pitch + 3 * x;
            const Yuv yuv = yuvOf(pixel);
            const double luma = 0.299 * pixel[2] + 0.587 * pixel[1] + 0.114 * pixel[0];
            bool same = near(yuv.y, nv12[line * nv12Layout.planes[0].pitch + static_cast<std::size_t>(x)])
                && near(yuv.y, yuyvRow[2 * x])
                && near(luma, grey[line * greyLayout.planes[0].pitch + static_cast<std::size_t>(x)]);
            if (x % 2 == 0)
                same = same && near(yuv.u, yuyvRow[2 * x + 1]) && near(yuv.v, yuyvRow[2 * x + 3]);
            if (x % 2 == 0 && y % 2 == 0)
                same = same && near(yuv.u, chroma[x]) && near(yuv.v, chroma[x + 1]);
            QVERIFY2(same, qPrintable(QStringLiteral("pixel %1, %2").arg(x).arg(y)));
        }
    }
}

void TestSources::framesDependOnTheirIndexAlone()
{
    const auto source = mustOpen("synthetic:?size=321x181&frames=40");
    const auto frames = readAll(*source);
    QCOMPARE(frames.size(), std::size_t(40));
    // Drawn alone, in another order, into used memory: the bytes are the same, padding included.
    const ImageLayout &layout = source->info().layout;
    const TestCard card(layout, 60);
    std::vector<std::byte> bytes(layout.bytes, std::byte{0x5a});
    for (std::uint64_t index = 40; index-- > 0;) {
        card.draw(index, bytes.data());
        QVERIFY(bytes == frames[index]);
    }
}

void TestSources::everyFrameShowsItsNumber()
{
    // At this size the sign covers the rows 28 to 148; its lamps, cars and dashes are below.
    constexpr std::size_t kSignRows = 150;
    const ImageLayout layout = makeImageLayout(PixelFormat::Grey8, 1280, 720);
    const auto sign = [&](std::uint64_t index) {
        auto bytes = drawn(PixelFormat::Grey8, 1280, 720, index);
        bytes.resize(kSignRows * layout.planes[0].pitch);
        return bytes;
    };
    std::vector<std::vector<std::uint8_t>> signs;
    for (const std::uint64_t index : {0u, 1u, 2u, 9u, 10u, 11u, 99u, 100u, 999999u, 1000000u})
        signs.push_back(sign(index));
    for (std::size_t a = 0; a < signs.size(); ++a)
        for (std::size_t b = a + 1; b < signs.size(); ++b)
            QVERIFY(signs[a] != signs[b]);
}

void TestSources::timeCodesCountMilliseconds()
{
    QCOMPARE(timeCode(0, 60), std::string("00:00:00.000"));
    QCOMPARE(timeCode(1, 60), std::string("00:00:00.016"));
    QCOMPARE(timeCode(60 * 3600, 60), std::string("01:00:00.000"));
    QCOMPARE(timeCode(299, 29.97), std::string("00:00:09.976"));
    QCOMPARE(timeCode(86400 * 5, 1), std::string("120:00:00.000"));
}

void TestSources::hugeIndicesAreDrawn()
{
    const auto one = drawn(PixelFormat::Bgr8, 64, 48, UINT64_MAX);
    const auto same = drawn(PixelFormat::Bgr8, 64, 48, UINT64_MAX);
    QVERIFY(one == same);
}

void TestSources::framesEndTheTestCard()
{
    const auto source = mustOpen("synthetic:?size=8x8&frames=3");
    QCOMPARE(readAll(*source).size(), std::size_t(3));
    std::vector<std::byte> bytes(source->info().layout.bytes);
    const auto after = source->read(bytes.data());
    QVERIFY(after.ok() && !after.value());
}

void TestSources::loopRepeatsTheTestCard()
{
    const auto source = mustOpen("synthetic:?size=64x64&frames=3&loop=1");
    std::vector<std::vector<std::byte>> frames;
    for (std::uint64_t i = 0; i < 7; ++i) {
        std::vector<std::byte> bytes(source->info().layout.bytes);
        const auto read = source->read(bytes.data());
        QVERIFY(read.ok() && read.value());
        QCOMPARE(read.value()->index, i);
        frames.push_back(bytes);
    }
    QVERIFY(frames[0] == frames[3] && frames[0] == frames[6] && frames[2] == frames[5]);
    QVERIFY(frames[0] != frames[1]);
}

void TestSources::deadlinesDoNotDrift()
{
    constexpr double kFps = 59.94;
    FrameSchedule schedule(kFps);
    const FrameSchedule::Time start{1h};
    for (int frame = 0; frame < 100'000; ++frame) {
        const auto exact = std::chrono::duration<double, std::nano>(frame * 1e9 / kFps);
        const auto ask = start + std::chrono::duration_cast<std::chrono::nanoseconds>(exact) - (frame % 3) * 1ms;
        const auto due = schedule.next(frame == 0 ? start : ask);
        QVERIFY(std::abs(std::chrono::duration<double, std::nano>(due - start).count() - exact.count()) < 1000);
    }
}

void TestSources::aLateReaderCatchesUpButNeverBursts()
{
    FrameSchedule schedule(100);
    const FrameSchedule::Time start{1h};
    QCOMPARE((schedule.next(start) - start).count(), 0);
    // 50 ms late: the missed deadlines are kept, and so is the rate.
    QVERIFY(schedule.next(start + 60ms) == start + 10ms);
    QVERIFY(schedule.next(start + 60ms) == start + 20ms);
    // After a pause of ten seconds the frame is due now and the next one a whole period later.
    QVERIFY(schedule.next(start + 10s) == start + 10s);
    QVERIFY(schedule.next(start + 10s) == start + 10s + 10ms);
}

void TestSources::schedulesWithAPhaseAreInStep()
{
    FrameSchedule one(50, 0ms);
    FrameSchedule other(50, 8ms);
    const FrameSchedule::Time start{1h + 3ms};
    QVERIFY(one.next(start) == FrameSchedule::Time{1h + 20ms});
    QVERIFY(other.next(start) == FrameSchedule::Time{1h + 8ms});
    // The same after a pause.
    QVERIFY(one.next(start + 10s) == FrameSchedule::Time{1h + 10s + 20ms});
    QVERIFY(other.next(start + 10s) == FrameSchedule::Time{1h + 10s + 8ms});
}

void TestSources::pacedFramesAreNeverEarly()
{
    constexpr double kFps = 200;
    const auto source = mustOpen("synthetic:?size=16x16&fps=200&rate=real");
    std::vector<std::byte> bytes(source->info().layout.bytes);
    const std::int64_t origin = nowNs(); // Before the first deadline, however late this thread starts.
    for (int frame = 0; frame < 30; ++frame) {
        const std::int64_t before = nowNs();
        const auto read = source->read(bytes.data());
        QVERIFY(read.ok() && read.value());
        const std::int64_t stamp = read.value()->captureNs;
        QVERIFY(stamp >= before && stamp <= nowNs());
        // Deadlines use the kernel's clock, stamps use ours, which follows it within microseconds.
        const std::int64_t elapsed = stamp - origin;
        QVERIFY2(elapsed + 100'000 > static_cast<std::int64_t>(frame * 1e9 / kFps),
                 qPrintable(QString::number(elapsed)));
    }
}

void TestSources::cancelWakesAWaitingRead()
{
    const auto source = mustOpen("synthetic:?size=16x16&fps=0.1&rate=real");
    std::vector<std::byte> bytes(source->info().layout.bytes);
    QVERIFY(source->read(bytes.data()).value().has_value());
    const std::int64_t start = nowNs();
    std::thread canceller([&] { source->cancel(); });
    const auto read = source->read(bytes.data()); // Due in ten seconds.
    canceller.join();
    QVERIFY(read.ok() && !read.value());
    QVERIFY(nowNs() - start < 5'000'000'000);
}

void TestSources::cancelledSourcesStayCancelled()
{
    const auto source = mustOpen("synthetic:?size=16x16");
    std::vector<std::byte> bytes(source->info().layout.bytes);
    source->cancel();
    for (int i = 0; i < 3; ++i) {
        const auto read = source->read(bytes.data());
        QVERIFY(read.ok() && !read.value());
    }
}

JETSCOPE_TEST(TestSources)
#include "tst_sources.moc"
