// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Web cameras as they are: servers on the loopback interface that keep to the standards or do not.
#include "gpu/sources/framesource.h"
#include "gpu/sources/http/httpresponse.h"
#include "gpu/sources/http/partreader.h"
#include "tests/support/mjpegvariants.h"

#include <QElapsedTimer>
#include <QTest>

#include <chrono>
#include <random>
#include <thread>

#include <netdb.h>

using namespace jetscope;
using testing::MjpegClient;
using testing::MjpegServer;
using testing::mjpegVariants;

namespace {

std::uint64_t countedAs(const SourceFaults &faults, const QString &what)
{
    return what == "torn" ? faults.torn : what == "damaged" ? faults.damaged : faults.torn + faults.damaged;
}

/// Without one, a name that does not exist cannot be told from a network that does not work.
bool hasNameServer()
{
    addrinfo *found = nullptr;
    const int error = getaddrinfo("no-such-camera.invalid", nullptr, nullptr, &found);
    if (found)
        freeaddrinfo(found);
    return error != EAI_AGAIN;
}

/// What the parts of this body are, fed in pieces of random sizes.
QString reading(const std::string &body, unsigned seed, std::size_t longest)
{
    std::mt19937 random(seed);
    PartReader parts("edge");
    QString found;
    for (std::size_t at = 0; at < body.size();) {
        const std::size_t piece = 1 + random() % longest;
        parts.feed(std::string_view(body).substr(at, piece));
        at += piece;
        while (const std::optional<std::string> picture = parts.next())
            found += QString::number(picture->size()) + ' ';
    }
    parts.finish();
    return found
        + QString("damaged %1 torn %2 others %3")
              .arg(parts.counts().damaged)
              .arg(parts.counts().torn)
              .arg(parts.counts().others);
}

} // namespace

class TestMjpegVariants : public QObject {
    Q_OBJECT

private slots:
    void serversAsTheyAre_data();
    void serversAsTheyAre();
    void damagedPicturesOnlyAreTrouble();
    void nothingListensOrHasTheName_data();
    void nothingListensOrHasTheName();
    void piecesOfAnySizeGiveTheSame();
    void noiseIsNoPictureAndNoHarm();
};

void TestMjpegVariants::serversAsTheyAre_data()
{
    QTest::addColumn<std::size_t>("index");
    std::size_t index = 0;
    for (const testing::MjpegVariant &variant : mjpegVariants())
        QTest::newRow(variant.name.c_str()) << index++;
}

void TestMjpegVariants::serversAsTheyAre()
{
    QFETCH(std::size_t, index);
    const testing::MjpegVariant variant = mjpegVariants()[index];
    const MjpegServer server(variant.behaviour);
    const auto source = openSource(server.url(variant.login), Pacing::Real);
    if (!variant.fails.empty()) {
        QVERIFY(!source.ok());
        QVERIFY2(source.error().text.find(variant.fails) != std::string::npos, source.error().message().c_str());
        return;
    }
    QVERIFY2(source.ok(), source.ok() ? "" : source.error().message().c_str());
    const SourceInfo &info = source.value()->info();
    QCOMPARE(info.layout.width, 64);
    const QString what = variant.counted;
    constexpr int kFrames = 5;
    constexpr int kMaxFrames = 200;
    int frames = 0;
    for (; frames < kFrames || (!what.isEmpty() && countedAs(source.value()->state().faults, what) < 3); ++frames) {
        std::vector<std::byte> frame(info.layout.bytes);
        const auto read = source.value()->read(frame.data());
        QVERIFY2(read.ok(), read.ok() ? "" : read.error().message().c_str());
        QVERIFY(read.value() && frames < kMaxFrames);
        QVERIFY(std::abs(static_cast<int>(frame[0]) - 200) <= 2);
    }
    const SourceFaults faults = source.value()->state().faults;
    if (what.isEmpty())
        QCOMPARE(faults.damaged + faults.torn, std::uint64_t{0});
    else
        QCOMPARE(countedAs(faults, {}), countedAs(faults, what)); // And as nothing else.
    QCOMPARE(source.value()->state().facts.codec, std::string("MJPEG"));
}

/// They end where they should, but what is in them does not fit.
void TestMjpegVariants::damagedPicturesOnlyAreTrouble()
{
    const std::string good = testing::jpegPicture(64, 48, 200);
    std::string damaged = good;
    const std::size_t tables = good.find("\xff\xc4");
    QVERIFY(tables != std::string::npos);
    damaged.replace(tables + 5, 16, std::string(16, '\x7f')); // The lengths of codes.
    const MjpegServer server([&](MjpegClient &client, int) {
        client.begin();
        bool there = client.picture(good);
        while (there) {
            there = client.picture(damaged);
            std::this_thread::sleep_for(std::chrono::milliseconds(5)); // The server's rate.
        }
    });
    const auto opened = openSource(server.url(), Pacing::Real);
    QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().message().c_str());
    FrameSource &source = *opened.value();
    std::vector<std::byte> frame(source.info().layout.bytes);
    QVERIFY(source.read(frame.data()).ok());
    std::thread watcher([&] {
        QElapsedTimer timer;
        timer.start();
        while (source.state().trouble.find("damaged") == std::string::npos && timer.elapsed() < 30'000)
            std::this_thread::yield();
        source.cancel();
    });
    const auto read = source.read(frame.data());
    watcher.join();
    QVERIFY(read.ok() && !read.value());
    QVERIFY(source.state().faults.damaged > 20);
}

void TestMjpegVariants::nothingListensOrHasTheName_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("layer");
    QTest::newRow("no server") << "http://127.0.0.1:1/x"
                               << "the network failed";
    QTest::newRow("no such name") << "http://no-such-camera.invalid/x"
                                  << "the address leads nowhere";
    QTest::newRow("no TLS") << "https://127.0.0.1:%1/x"
                            << "the network failed";
}

void TestMjpegVariants::nothingListensOrHasTheName()
{
    QFETCH(QString, url);
    QFETCH(QString, layer);
    const MjpegServer server([](MjpegClient &client, int) { client.begin(); });
    const auto source = openSource(url.replace("%1", QString::number(server.port())).toStdString(), Pacing::Real);
    QVERIFY(!source.ok());
    if (QByteArray(QTest::currentDataTag()) == "no such name" && !hasNameServer())
        QSKIP("no name server answers here");
    QVERIFY2(QString::fromStdString(source.error().text).contains(layer), source.error().message().c_str());
}

void TestMjpegVariants::piecesOfAnySizeGiveTheSame()
{
    const std::string jpeg = testing::jpegPicture(64, 48, 120);
    const std::string good = "--edge\r\nContent-Type: image/jpeg\r\n\r\n" + jpeg + "\r\n";
    const std::string body = good + "--edge\r\n\r\n" + jpeg.substr(0, 200) + "\r\n" + good
        + "--edge\r\nContent-Type: audio/basic\r\n\r\n1234\r\n" + "--edge\r\n\r\n" + jpeg.substr(0, jpeg.size() - 9)
        + jpeg + "\r\n" + "--edge\r\nContent-Length: 0\r\n\r\n\r\n" + good;
    const QString size = QString::number(jpeg.size()) + ' ';
    const QString whole = size + size + size + size + "damaged 2 torn 1 others 1";
    for (unsigned seed = 0; seed < 40; ++seed)
        QCOMPARE(reading(body, seed, 1 + seed * seed), whole);
}

void TestMjpegVariants::noiseIsNoPictureAndNoHarm()
{
    std::mt19937 random(5);
    const std::string start = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n";
    for (int turn = 0; turn < 300; ++turn) {
        std::string noise(random() % 3000, '\0');
        for (char &byte : noise)
            byte = static_cast<char>(turn % 2 ? random() : "\xff\xd8\xd9\xda\r\n-:;a0"[random() % 12]);
        HttpResponse response;
        std::string body;
        std::string text = (turn % 3 ? start : std::string()) + noise;
        static_cast<void>(response.feed(text, body).ok());
        PartReader parts(turn % 5 ? "edge" : "");
        parts.feed(noise);
        while (const std::optional<std::string> picture = parts.next())
            QVERIFY(picture->substr(0, 2) == "\xff\xd8" && picture->size() >= 4);
        parts.finish();
    }
}

QTEST_GUILESS_MAIN(TestMjpegVariants)
#include "tst_mjpegvariants.moc"
