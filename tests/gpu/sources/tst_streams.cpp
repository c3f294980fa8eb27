// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Streams from valid and invalid servers on the loopback interface, and the user's own pipelines.
#include "core/time/clock.h"
#include "gpu/sources/framesource.h"
#include "gpu/sources/gstreamer/streamtext.h"
#include "tests/support/mjpegserver.h"

#include <QFile>
#include <QTemporaryFile>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <random>
#include <thread>
#include <unistd.h>

using namespace jetscope;
using namespace std::chrono_literals;
using testing::jpegPicture;
using testing::MjpegClient;
using testing::MjpegServer;

namespace {

/// Sends pictures at about 50 per second until the client disconnects.
void play(MjpegClient &client, const std::string &jpeg, int frames = 1'000'000)
{
    for (int i = 0; i < frames && client.picture(jpeg); ++i)
        std::this_thread::sleep_for(20ms); // The server's rate, not a synchronization.
}

/// The next frame's first luma byte; negative at the end or at an error, which `error` returns.
int lumaOfNext(FrameSource &source, QString *error = nullptr)
{
    std::vector<std::byte> frame(source.info().layout.bytes);
    const auto read = source.read(frame.data());
    if (!read.ok() && error)
        *error = QString::fromStdString(read.error().message());
    return read.ok() && read.value() ? static_cast<int>(frame[0]) : -1;
}

} // namespace

class TestStreams : public QObject {
    Q_OBJECT

private slots:
    void addressesAreHeldToTheirForm_data();
    void addressesAreHeldToTheirForm();
    void addressesAsPeopleWriteThemAreTaken();
    void passwordsAreNotShown();
    void librariesKeepTheirRemarksToThemselves();
    void aGoodServerIsShown();
    void badServersAreAnErrorInTime_data();
    void badServersAreAnErrorInTime();
    void lostStreamsAreFetchedAgain_data();
    void lostStreamsAreFetchedAgain();
    void damagedPicturesAreOvercome();
    void framesWithoutEndAreALostStream();
    void picturesTooLargeAreAnError();
    void anotherSizeEndsInAnError();
    void cancelEndsAWait();
    void pipelinesOfTheUsersRunAndEnd();
    void badPipelinesAreAnError_data();
    void badPipelinesAreAnError();
    void everyFormatComesThrough_data();
    void everyFormatComesThrough();
};

void TestStreams::addressesAreHeldToTheirForm_data()
{
    QTest::addColumn<QByteArray>("uri");
    QTest::addColumn<QByteArray>("hint");
    const auto row = [](const char *uri, const char *hint) {
        QTest::newRow(uri) << QByteArray(uri) << QByteArray(hint);
    };
    row("http:", "http://HOST");
    row("http://", "http://HOST");
    row("http:///x", "http://HOST");
    row("rtsp:camera", "rtsp://HOST");
    row("rtsp://a b", "%20");
    row("https://x\ny", "%20");
    for (const char *uri :
         {"http://?", "http://#x", "http://[::1", "http://[::1]:99999/x", "http://%zz", "http://a\\b/c",
          "http://127.0.0.1:0/", "http://127.0.0.1:abc/x", "http://\"x\"/", "https://:80/", "http://me:secret@/"})
        row(uri, "http");
    for (const char *uri : {"rtsp://[::1", "rtsp://?x", "rtsp://h:abc/x", "rtsp://127.0.0.1:99999/x", "rtsp://a\\b"})
        row(uri, "rtsp://HOST");
    row("gst:", "gst:PIPELINE");
    row("gst:   ", "gst:PIPELINE");
    row("csi:", "csi:0");
    row("csi:x", "csi:0");
    row("csi:-1", "csi:0");
    row("csi:99999999999999", "csi:0");
    row("csi:0?mode=1", "csi:0");
}

void TestStreams::addressesAreHeldToTheirForm()
{
    QFETCH(QByteArray, uri);
    QFETCH(QByteArray, hint);
    const Status checked = checkSourceUri(uri.toStdString());
    QVERIFY(!checked.ok());
    const QByteArray message = QByteArray::fromStdString(checked.error().message());
    QVERIFY2(message.contains(hint) && !message.contains('\n'), message.constData());
    QVERIFY(!openSource(uri.toStdString(), Pacing::Real).ok());
}

void TestStreams::addressesAsPeopleWriteThemAreTaken()
{
    for (const char *uri : {"http://camera", "http://camera.local:8080/stream?quality=5&x=a b",
                            "rtsp://me:se@cret@host:554/x?y#z", "http://[::1]:80/", "rtsp://[fe80::1%25eth0]/live",
                            "https://user@10.0.0.2/%7Emjpeg", "http://kamera-ä.example/"}) {
        const Status checked = checkSourceUri(QByteArray(uri).replace(' ', "%20").toStdString());
        QVERIFY2(checked.ok(), checked.ok() ? "" : checked.error().message().c_str());
    }
}

void TestStreams::passwordsAreNotShown()
{
    QCOMPARE(withoutPassword("rtsp://me:secret@host/x"), std::string("rtsp://me:…@host/x"));
    QCOMPARE(withoutPassword("rtsp://me:se@cret@host:554/x"), std::string("rtsp://me:…@host:554/x"));
    QCOMPARE(withoutPassword("http://host:80/a@b:c"), std::string("http://host:80/a@b:c"));
    QCOMPARE(withoutPassword("http://me@host/"), std::string("http://me@host/"));
    QCOMPARE(withoutPassword("gst:videotestsrc"), std::string("gst:videotestsrc"));
    const auto source = openSource("http://me:secret@127.0.0.1:1/x", Pacing::Real);
    QVERIFY(!source.ok());
    QVERIFY2(source.error().message().find("secret") == std::string::npos, source.error().message().c_str());
}

void TestStreams::librariesKeepTheirRemarksToThemselves()
{
    QTemporaryFile heard;
    QVERIFY(heard.open());
    std::fflush(stderr);
    const int saved = dup(STDERR_FILENO);
    dup2(heard.handle(), STDERR_FILENO);
    const bool opened =
        openSource("gst:souphttpsrc location=http://? ! jpegdec", Pacing::Real).ok(); // libsoup prints a message.
    std::fflush(stderr);
    dup2(saved, STDERR_FILENO);
    ::close(saved);
    QVERIFY(!opened);
    QVERIFY(heard.seek(0));
    QCOMPARE(heard.readAll(), QByteArray());
}

void TestStreams::aGoodServerIsShown()
{
    const MjpegServer server([](MjpegClient &client, int) {
        client.begin();
        play(client, jpegPicture(64, 48, 200));
    });
    const auto source = openSource(server.url(), Pacing::Real);
    QVERIFY2(source.ok(), source.ok() ? "" : source.error().message().c_str());
    const SourceInfo &info = source.value()->info();
    QVERIFY2(
        info.layout == makeImageLayout(PixelFormat::Yu16, 64, 48, YuvColour::Bt601Full),
        qPrintable(QString::fromStdString(info.description + ", " + std::string(yuvColourName(info.layout.colour)))));
    QVERIFY(info.live);
    std::int64_t last = 0;
    for (std::uint64_t i = 0; i < 10; ++i) {
        std::vector<std::byte> frame(info.layout.bytes);
        const auto read = source.value()->read(frame.data());
        QVERIFY(read.ok() && read.value());
        QCOMPARE(read.value()->index, i);
        QVERIFY(read.value()->captureNs > last && read.value()->captureNs <= nowNs());
        last = read.value()->captureNs;
        QVERIFY(std::abs(static_cast<int>(frame[0]) - 200) <= 2);
    }
    QVERIFY(!source.value()->state().copies.empty());
}

void TestStreams::badServersAreAnErrorInTime_data()
{
    QTest::addColumn<QString>("behaviour");
    for (const char *behaviour : {"silent", "stalls before a picture", "not found", "garbage", "a web page",
                                  "closes at once", "endless header"})
        QTest::newRow(behaviour) << QString(behaviour);
}

void TestStreams::badServersAreAnErrorInTime()
{
    QFETCH(QString, behaviour);
    const MjpegServer server([&](MjpegClient &client, int) {
        if (behaviour == "silent")
            return client.hang();
        if (behaviour == "not found") {
            client.send("HTTP/1.0 404 Not Found\r\nContent-Length: 0\r\n\r\n");
            return;
        }
        if (behaviour == "a web page") {
            client.send("HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<html>no pictures</html>");
            return;
        }
        if (behaviour == "endless header") {
            while (client.send("HTTP/1.0 200 OK\r\nX-Padding: " + std::string(60'000, 'x')))
                ;
            return;
        }
        if (behaviour == "closes at once")
            return;
        client.begin();
        if (behaviour == "stalls before a picture")
            return client.hang();
        std::mt19937 random(3);
        std::string noise(50'000, 0);
        for (char &byte : noise)
            byte = static_cast<char>(random());
        while (client.picture(noise))
            std::this_thread::sleep_for(20ms); // The server's rate.
    });
    const auto source = openSource(server.url(), Pacing::Real); // Without a deadline: no end.
    QVERIFY(!source.ok());
    const QByteArray message = QByteArray::fromStdString(source.error().message());
    QVERIFY2(message.contains("check the address") && !message.contains('\n'), message.constData());
}

void TestStreams::lostStreamsAreFetchedAgain_data()
{
    QTest::addColumn<bool>("stalls");
    QTest::newRow("dies") << false;
    QTest::newRow("stalls") << true;
}

void TestStreams::lostStreamsAreFetchedAgain()
{
    QFETCH(bool, stalls);
    const MjpegServer server([&](MjpegClient &client, int number) {
        if (number == 1)
            return; // The first attempt to reconnect fails too.
        client.begin();
        play(client, jpegPicture(64, 48, number == 0 ? 50 : 200), number == 0 ? 4 : 1'000'000);
        if (number == 0 && stalls)
            client.hang();
    });
    const auto opened = openSource(server.url(), Pacing::Real);
    QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().message().c_str());
    FrameSource &source = *opened.value();
    std::atomic<bool> told{false};
    std::atomic<bool> done{false};
    std::thread watcher([&] {
        while (!done && !told) {
            told = source.state().trouble.find("connecting again") != std::string::npos;
            std::this_thread::yield();
        }
    });
    QString error;
    int luma = 50;
    while (luma >= 0 && luma < 150)
        luma = lumaOfNext(source, &error);
    done = true;
    watcher.join();
    QVERIFY2(error.isEmpty(), qPrintable(error));
    QVERIFY(std::abs(luma - 200) <= 2);
    QVERIFY(told);
    QVERIFY(source.state().trouble.empty());
    QVERIFY(server.clients() >= 3);
}

void TestStreams::damagedPicturesAreOvercome()
{
    const MjpegServer server([](MjpegClient &client, int) {
        const std::string good = jpegPicture(64, 48, 200);
        client.begin();
        while (client.picture(good) && client.picture(good.substr(0, good.size() / 3))
               && client.picture("not a picture"))
            std::this_thread::sleep_for(20ms); // The server's rate.
    });
    const auto source = openSource(server.url(), Pacing::Real);
    QVERIFY2(source.ok(), source.ok() ? "" : source.error().message().c_str());
    for (int i = 0; i < 10; ++i) {
        QString error;
        QVERIFY2(lumaOfNext(*source.value(), &error) >= 0, qPrintable(error));
    }
    QVERIFY(source.value()->state().faults.damaged > 0);
    QVERIFY(source.value()->state().faults.repeated > 0); // They are all the same.
}

/// The resident memory of this process in bytes.
std::uint64_t residentBytes()
{
    QFile file("/proc/self/statm");
    return file.open(QIODevice::ReadOnly)
        ? file.readAll().split(' ').at(1).toULongLong() * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE))
        : 0;
}

void TestStreams::framesWithoutEndAreALostStream()
{
    constexpr std::uint64_t kSent = std::uint64_t{3} << 30;
    constexpr std::uint64_t kMaxHeld =
        kSent / 3; // Far more than 64 MiB and its copies, even if a sanitizer keeps freed memory.
    const MjpegServer server([](MjpegClient &client, int number) {
        client.begin();
        const std::string good = jpegPicture(64, 48, number == 0 ? 50 : 200);
        if (number > 0)
            return play(client, good);
        play(client, good, 4);
        const std::string piece(1 << 20, 'x');
        client.send("--edge\r\nContent-Type: image/jpeg\r\nContent-Length: 4000000000\r\n\r\n");
        for (std::uint64_t sent = 0; sent < kSent && client.send(piece); sent += piece.size())
            ;
        client.hang();
    });
    const auto opened = openSource(server.url(), Pacing::Real);
    QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().message().c_str());
    FrameSource &source = *opened.value();
    const std::uint64_t before = residentBytes();
    std::uint64_t most = before;
    std::string reason;
    std::atomic<bool> done{false};
    std::thread watcher([&] {
        while (!done) {
            most = std::max(most, residentBytes());
            if (reason.empty())
                reason = source.state().trouble;
            std::this_thread::yield();
        }
    });
    QString error;
    int luma = 50;
    while (luma >= 0 && luma < 150)
        luma = lumaOfNext(source, &error);
    done = true;
    watcher.join();
    QVERIFY2(error.isEmpty(), qPrintable(error));
    QVERIFY2(reason.find("larger than 64 MiB") != std::string::npos, reason.c_str());
    QVERIFY2(most - before < kMaxHeld, qPrintable(QString::number((most - before) >> 20) + " MiB"));
}

void TestStreams::picturesTooLargeAreAnError()
{
    std::string jpeg = jpegPicture(64, 48, 100);
    // The size follows the frame's marker, length and depth: height, then width.
    const std::size_t frame = jpeg.find("\xff\xc0");
    QVERIFY(frame != std::string::npos);
    jpeg.replace(frame + 5, 4, "\x4e\x20\x4e\x20");
    const MjpegServer server([&](MjpegClient &client, int) {
        client.begin();
        play(client, jpeg);
    });
    const std::uint64_t before = residentBytes();
    const auto source = openSource(server.url(), Pacing::Real);
    QVERIFY(!source.ok());
    const QByteArray message = QByteArray::fromStdString(source.error().message());
    QVERIFY2(message.contains("20000×20000") && !message.contains('\n'), message.constData());
    QVERIFY(residentBytes() < before + (256 << 20));
}

void TestStreams::anotherSizeEndsInAnError()
{
    const MjpegServer server([](MjpegClient &client, int) {
        client.begin();
        play(client, jpegPicture(64, 48, 100), 10);
        play(client, jpegPicture(96, 64, 100));
    });
    const auto source = openSource(server.url(), Pacing::Real);
    QVERIFY2(source.ok(), source.ok() ? "" : source.error().message().c_str());
    QString error;
    while (lumaOfNext(*source.value(), &error) >= 0)
        ;
    QVERIFY2(error.contains("64×48") && error.contains("96×64") && error.contains("open it again"), qPrintable(error));
}

void TestStreams::cancelEndsAWait()
{
    const MjpegServer server([](MjpegClient &client, int number) {
        if (number > 0)
            return;
        client.begin();
        play(client, jpegPicture(64, 48, 100), 3);
    });
    const auto opened = openSource(server.url(), Pacing::Real);
    QVERIFY(opened.ok());
    FrameSource &source = *opened.value();
    std::thread canceller([&] {
        while (source.state().trouble.empty())
            std::this_thread::yield();
        source.cancel();
    });
    QString error;
    while (lumaOfNext(source, &error) >= 0)
        ;
    canceller.join();
    QVERIFY2(error.isEmpty(), qPrintable(error));
    QCOMPARE(lumaOfNext(source), -1);
}

void TestStreams::pipelinesOfTheUsersRunAndEnd()
{
    const auto source = openSource(
        "gst:videotestsrc num-buffers=5 pattern=white ! video/x-raw,format=GRAY8,width=48,height=32,framerate=30/1",
        Pacing::Real);
    QVERIFY2(source.ok(), source.ok() ? "" : source.error().message().c_str());
    QVERIFY(source.value()->info().layout == makeImageLayout(PixelFormat::Grey8, 48, 32));
    QCOMPARE(source.value()->info().fps, 30.0);
    int frames = 0;
    QString error;
    while (lumaOfNext(*source.value(), &error) >= 0)
        ++frames;
    QVERIFY2(error.isEmpty(), qPrintable(error));
    QVERIFY(frames >= 1 && frames <= 5); // The sink drops pictures that are not taken in time.
}

void TestStreams::badPipelinesAreAnError_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char *text : {"nosuchelement", "videotestsrc !", "!", "videotestsrc ! audioconvert",
                             "filesrc location=/nonexistent ! jpegdec", "fakesrc", "videotestsrc name=\"",
                             "audiotestsrc", "( videotestsrc", "appsink"})
        QTest::newRow(text) << QByteArray(text);
}

void TestStreams::badPipelinesAreAnError()
{
    QFETCH(QByteArray, text);
    const auto source = openSource("gst:" + text.toStdString(), Pacing::Real);
    QVERIFY(!source.ok());
    const QByteArray message = QByteArray::fromStdString(source.error().message());
    QVERIFY2(message.contains("gst-launch-1.0") && !message.contains('\n'), message.constData());
}

void TestStreams::everyFormatComesThrough_data()
{
    QTest::addColumn<QString>("theirs");
    QTest::addColumn<int>("ours");
    const auto row = [](const char *theirs, PixelFormat ours) {
        QTest::newRow(theirs) << QString(theirs) << static_cast<int>(ours);
    };
    row("NV12", PixelFormat::Nv12);
    row("I420", PixelFormat::Yu12);
    row("Y42B", PixelFormat::Yu16);
    row("YUY2", PixelFormat::Yuyv);
    row("UYVY", PixelFormat::Uyvy);
    row("BGR", PixelFormat::Bgr8);
    row("RGB", PixelFormat::Rgb8);
    row("GRAY8", PixelFormat::Grey8);
}

void TestStreams::everyFormatComesThrough()
{
    QFETCH(QString, theirs);
    QFETCH(int, ours);
    // An odd width, for which GStreamer's row padding differs.
    const auto source =
        openSource("gst:videotestsrc pattern=red ! video/x-raw,format=" + theirs.toStdString() + ",width=50,height=20",
                   Pacing::Real);
    QVERIFY2(source.ok(), source.ok() ? "" : source.error().message().c_str());
    const ImageLayout layout = source.value()->info().layout;
    QCOMPARE(static_cast<int>(layout.format), ours);
    std::vector<std::byte> frame(layout.bytes);
    QVERIFY(source.value()->read(frame.data()).ok());
    const auto last = [&](std::size_t plane, std::size_t offset) {
        const PlaneLayout &p = layout.planes[plane];
        return static_cast<int>(
            frame[p.offset + p.pitch * static_cast<std::size_t>(p.rows - 1) + p.rowBytes - 1 - offset]);
    };
    const auto near = [](int value, int wanted) { return std::abs(value - wanted) <= 2; };
    const bool bt709 = isYuv(layout.format) && layout.colour == YuvColour::Bt709Limited;
    const int y = bt709 ? 63 : 81, u = bt709 ? 102 : 90, v = 240; // For pure red.
    switch (layout.format) {
    case PixelFormat::Nv12:
        QVERIFY(near(last(1, 0), v) && near(last(1, 1), u) && near(last(0, 0), y));
        break;
    case PixelFormat::Yu12:
    case PixelFormat::Yu16:
        QVERIFY(near(last(2, 0), v) && near(last(1, 0), u) && near(last(0, 0), y));
        break;
    case PixelFormat::Yuyv:
        QVERIFY(near(last(0, 0), v) && near(last(0, 2), u) && near(last(0, 1), y));
        break;
    case PixelFormat::Uyvy:
        QVERIFY(near(last(0, 1), v) && near(last(0, 3), u) && near(last(0, 0), y));
        break;
    case PixelFormat::Bgr8:
        QVERIFY(near(last(0, 0), 255) && near(last(0, 2), 0));
        break;
    case PixelFormat::Rgb8:
        QVERIFY(near(last(0, 0), 0) && near(last(0, 2), 255));
        break;
    default:
        QVERIFY(last(0, 0) > 40 && last(0, 0) < 100);
    }
}

QTEST_GUILESS_MAIN(TestStreams)
#include "tst_streams.moc"
