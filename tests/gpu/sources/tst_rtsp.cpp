// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// RTSP streams of a server on the loopback interface: each codec by each decoder, and a server that stops, comes back,
// refuses, or never comes to an end.
#include "tests/support/longrun.h"
#include "tests/support/rtspserver.h"

#include "core/time/clock.h"
#include "gpu/sources/framesource.h"
#include "gpu/sources/gstreamer/pipelinestate.h"
#include "gpu/sources/gstreamer/streamtext.h"
#include "tests/support/specialdecoders.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTest>

#include <arpa/inet.h>
#include <atomic>
#include <memory>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace jetscope;
using namespace std::chrono_literals;
using testing::RtspCoding;
using testing::rtspCoding;
using testing::RtspServer;
using testing::SpecialDecoders;

namespace {

std::string launchOf(const RtspCoding &coding, const std::string &pattern = "white", const std::string &before = {},
                     const std::string &format = "I420,width=64,height=48,framerate=25/1")
{
    return "( " + before + "videotestsrc is-live=true pattern=" + pattern + " ! video/x-raw,format=" + format + " ! "
        + coding.encoder + " ! " + coding.payloader + (before.empty() ? " name=pay0 )" : " name=pay1 )");
}

bool hasElements(std::initializer_list<QString> names)
{
    return std::all_of(names.begin(), names.end(), [](const QString &name) {
        GstElementFactory *factory = gst_element_factory_find(name.section(' ', 0, 0).toUtf8().constData());
        const bool has = factory != nullptr;
        gst_clear_object(&factory);
        return has;
    });
}

/// While it lives, GStreamer chooses this decoder only, and others for no codec of it.
class OnlyDecoder {
public:
    explicit OnlyDecoder(const char *wanted)
    {
        GList *all = gst_element_factory_list_get_elements(GST_ELEMENT_FACTORY_TYPE_DECODER
                                                               | GST_ELEMENT_FACTORY_TYPE_MEDIA_VIDEO
                                                               | GST_ELEMENT_FACTORY_TYPE_MEDIA_IMAGE,
                                                           GST_RANK_NONE);
        for (const GList *each = all; each; each = each->next) {
            auto *feature = GST_PLUGIN_FEATURE(each->data);
            m_ranks.emplace_back(GST_PLUGIN_FEATURE(gst_object_ref(feature)), gst_plugin_feature_get_rank(feature));
            const bool is = g_strcmp0(gst_plugin_feature_get_name(feature), wanted) == 0;
            gst_plugin_feature_set_rank(feature, is ? GST_RANK_PRIMARY : GST_RANK_NONE);
        }
        gst_plugin_feature_list_free(all);
    }
    ~OnlyDecoder()
    {
        for (const auto &[feature, rank] : m_ranks) {
            gst_plugin_feature_set_rank(feature, rank);
            gst_object_unref(feature);
        }
    }
    OnlyDecoder(const OnlyDecoder &) = delete;
    OnlyDecoder &operator=(const OnlyDecoder &) = delete;

private:
    std::vector<std::pair<GstPluginFeature *, guint>> m_ranks;
};

int lumaOfNext(FrameSource &source, CapturedFrame *captured = nullptr)
{
    std::vector<std::byte> frame(source.info().layout.bytes);
    const auto read = source.read(frame.data());
    if (!read.ok())
        qFatal("%s", read.error().message().c_str());
    if (read.value() && captured)
        *captured = *read.value();
    return read.value() ? static_cast<int>(frame[0]) : -1;
}

/// A server of which only the bytes count: it answers the first request with these, and then sends the others for ever.
class EndlessServer {
public:
    EndlessServer(std::string first, std::string again)
    {
        m_socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        if (::bind(m_socket, reinterpret_cast<sockaddr *>(&address), size) != 0 || ::listen(m_socket, 8) != 0
            || ::getsockname(m_socket, reinterpret_cast<sockaddr *>(&address), &size) != 0)
            qFatal("no socket");
        m_port = ntohs(address.sin_port);
        m_thread = std::thread([this, first = std::move(first), again = std::move(again)] { serve(first, again); });
    }
    ~EndlessServer()
    {
        m_stopping = true;
        m_thread.join();
        ::close(m_socket);
    }
    EndlessServer(const EndlessServer &) = delete;
    EndlessServer &operator=(const EndlessServer &) = delete;
    std::string url() const { return "rtsp://127.0.0.1:" + std::to_string(m_port) + "/x"; }

private:
    void serve(const std::string &first, const std::string &again)
    {
        while (!m_stopping) {
            pollfd file{m_socket, POLLIN, 0};
            if (::poll(&file, 1, 20) <= 0)
                continue;
            const int client = ::accept4(m_socket, nullptr, nullptr, SOCK_CLOEXEC);
            char request[4096];
            if (::recv(client, request, sizeof request, 0) > 0
                && ::send(client, first.data(), first.size(), MSG_NOSIGNAL) > 0)
                while (!m_stopping && ::send(client, again.data(), again.size(), MSG_NOSIGNAL) > 0)
                    std::this_thread::sleep_for(500us); // The server's rate.
            ::close(client);
        }
    }

    int m_socket = -1;
    int m_port = 0;
    std::atomic<bool> m_stopping{false};
    std::thread m_thread;
};

std::uint64_t residentBytes()
{
    QFile file("/proc/self/statm");
    return file.open(QIODevice::ReadOnly)
        ? file.readAll().split(' ').at(1).toULongLong() * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE))
        : 0;
}

} // namespace

class TestRtsp : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void eachCodecByEachDecoder_data();
    void eachCodecByEachDecoder();
    void coloursAreThoseOfTheStream_data();
    void coloursAreThoseOfTheStream();
    void decodersWithMemoryOfTheirOwnAreTaken_data();
    void decodersWithMemoryOfTheirOwnAreTaken();
    void buffersOfAJetsonAreHandedIn();
    void passwordsAreTakenAsTheyAre_data();
    void passwordsAreTakenAsTheyAre();
    void dataBeforeThePicturesIsNotAskedFor();
    void whatFailsNamesItsLayer_data();
    void whatFailsNamesItsLayer();
    void aServerThatDiesIsFoundAgain();
    void gapsCountFromTheLastFrame();
    void lostPacketsAreCounted();
    void aLongStreamTakesNoMoreMemory();
    void serversWithoutEndAreLeft_data();
    void serversWithoutEndAreLeft();

private:
    static void cutUntilNoticed(RtspServer &server, FrameSource &source, CapturedFrame &frame);
};

void TestRtsp::initTestCase()
{
    gst_init(nullptr, nullptr);
    SpecialDecoders::registerNvidia();
    SpecialDecoders::registerVa();
    SpecialDecoders::registerOther();
}

void TestRtsp::eachCodecByEachDecoder_data()
{
    QTest::addColumn<QString>("codec");
    QTest::addColumn<QString>("decoder");
    QTest::addColumn<QString>("encoder");
    QTest::addColumn<QString>("sound");
    const auto row = [](const char *codec, const char *decoder, const char *encoder, const char *sound = "") {
        QTest::addRow("%s by %s, made by %s%s", codec, decoder, encoder, *sound ? ", after sound" : "")
            << codec << decoder << encoder << sound;
    };
    row("MJPEG", "jpegdec", "jpegenc");
    row("MJPEG", "avdec_mjpeg", "jpegenc");
    row("H.264", "avdec_h264", "x264enc");
    row("H.264", "openh264dec", "x264enc");
    row("H.264", "avdec_h264", "openh264enc");
    row("H.264", "openh264dec", "openh264enc");
    row("H.265", "avdec_h265", "x265enc");
    row("H.265", "libde265dec", "x265enc");
    const char *sound = "audiotestsrc is-live=true ! audioconvert ! mulawenc ! rtppcmupay name=pay0 pt=0 ";
    row("MJPEG", "jpegdec", "jpegenc", sound);
    row("H.264", "avdec_h264", "x264enc", sound);
    row("H.264", "openh264dec", "openh264enc", sound);
}

void TestRtsp::eachCodecByEachDecoder()
{
    QFETCH(QString, codec);
    QFETCH(QString, decoder);
    QFETCH(QString, encoder);
    QFETCH(QString, sound);
    if (!hasElements({decoder, encoder}) || (!sound.isEmpty() && !hasElements({"mulawenc"})))
        QSKIP(qPrintable("GStreamer has no " + decoder + " or " + encoder + " here"));
    const OnlyDecoder only(qPrintable(decoder));
    const RtspServer server(
        {launchOf(rtspCoding(codec.toStdString(), encoder.toStdString()), "white", sound.toStdString())});
    QVERIFY(server.listens());
    QElapsedTimer timer;
    timer.start();
    const auto source = openSource(server.url(), Pacing::Real);
    QVERIFY2(source.ok(), source.ok() ? "" : source.error().message().c_str());
    qInfo("first picture after %lld ms", static_cast<long long>(timer.elapsed())); // The aim is 1.5 s.
    QCOMPARE(source.value()->info().layout.width, 64);
    std::int64_t last = 0;
    for (int i = 0; i < 10; ++i) {
        CapturedFrame captured;
        QVERIFY(lumaOfNext(*source.value(), &captured) > 220);
        QVERIFY(captured.captureNs > last && captured.captureNs <= nowNs());
        last = captured.captureNs;
    }
    const SourceState state = source.value()->state();
    QCOMPARE(QString::fromStdString(state.facts.codec), codec);
    QCOMPARE(QString::fromStdString(state.facts.decoder), decoder);
    QCOMPARE(state.facts.decoderKind, std::string("software"));
    QVERIFY(state.facts.decoderReason.find("the only one") == 0);
    QCOMPARE(state.facts.container, std::string("RTSP"));
    QVERIFY2(std::abs(state.facts.measuredFps - 25) < 5, qPrintable(QString::number(state.facts.measuredFps)));
    QCOMPARE(state.faults.damaged, std::uint64_t{0});
}

void TestRtsp::coloursAreThoseOfTheStream_data()
{
    QTest::addColumn<QString>("codec");
    QTest::addColumn<QString>("decoder");
    QTest::addColumn<QString>("colorimetry");
    QTest::addColumn<int>("wanted");
    struct Decoder {
        const char *codec, *name;
    };
    for (const Decoder &decoder : {Decoder{"H.264", "avdec_h264"},
                                   {"H.264", "openh264dec"},
                                   {"H.265", "avdec_h265"},
                                   {"H.265", "libde265dec"}}) {
        QTest::addRow("%s bt709", decoder.name)
            << decoder.codec << decoder.name << "bt709" << static_cast<int>(YuvColour::Bt709Limited);
        QTest::addRow("%s bt601", decoder.name)
            << decoder.codec << decoder.name << "bt601" << static_cast<int>(YuvColour::Bt601Limited);
        QTest::addRow("%s bt709 full", decoder.name)
            << decoder.codec << decoder.name << "1:3:5:1" << static_cast<int>(YuvColour::Bt709Full);
    }
}

void TestRtsp::coloursAreThoseOfTheStream()
{
    QFETCH(QString, codec);
    QFETCH(QString, decoder);
    QFETCH(QString, colorimetry);
    QFETCH(int, wanted);
    const RtspCoding coding = rtspCoding(codec.toStdString());
    if (!hasElements({decoder, QString::fromStdString(coding.encoder)}))
        QSKIP("GStreamer lacks the decoder or the encoder here");
    const OnlyDecoder only(qPrintable(decoder));
    const RtspServer server({launchOf(
        coding, "red", {}, "I420,width=64,height=48,framerate=25/1,colorimetry=" + colorimetry.toStdString())});
    const auto source = openSource(server.url(), Pacing::Real);
    QVERIFY2(source.ok(), source.ok() ? "" : source.error().message().c_str());
    QCOMPARE(std::string(yuvColourName(source.value()->info().layout.colour)),
             std::string(yuvColourName(static_cast<YuvColour>(wanted))));
    QVERIFY(!source.value()->state().facts.color.assumed);
}

void TestRtsp::decodersWithMemoryOfTheirOwnAreTaken_data()
{
    QTest::addColumn<QString>("decoder");
    QTest::addColumn<QString>("memory");
    QTest::newRow("a Jetson's") << "fakenvdec"
                                << "memory:NVMM";
    QTest::newRow("VA-API's") << "fakevadec"
                              << "memory:VAMemory";
}

void TestRtsp::decodersWithMemoryOfTheirOwnAreTaken()
{
    QFETCH(QString, decoder);
    QFETCH(QString, memory);
    const OnlyDecoder only(qPrintable(decoder));
    const RtspServer server({launchOf(rtspCoding("MJPEG"))});
    const auto source = openSource(server.url(), Pacing::Real);
    QVERIFY2(source.ok(), source.ok() ? "" : source.error().message().c_str());
    for (int i = 0; i < 5; ++i)
        QCOMPARE(lumaOfNext(*source.value()), 235);
    const SourceState state = source.value()->state();
    QCOMPARE(QString::fromStdString(state.facts.decoder), decoder);
    QCOMPARE(state.facts.decoderKind, std::string("hardware"));
    QCOMPARE(state.copies.size(), std::size_t{2});
    QVERIFY(QString::fromStdString(state.copies.front()).contains(memory));
}

/// With the memory kind nvbuf, the decoder's buffers are not copied.
void TestRtsp::buffersOfAJetsonAreHandedIn()
{
    const OnlyDecoder only("fakenvdec");
    const RtspServer server({launchOf(rtspCoding("MJPEG"))});
    const auto uri = parseSourceUri(server.url());
    QVERIFY(uri.ok());
    const auto opened = openStream(SpecialDecoders::nvBufApi(), uri.value());
    QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().message().c_str());
    FrameSource &source = *opened.value();
    QVERIFY(source.externalBuffers().ok() && source.externalBuffers().value() == ExternalBufferView::Picture);
    QCOMPARE(lumaOfNext(source), 235);
    std::uint64_t last = 0;
    for (int i = 0; i < 6; ++i) {
        const auto frame = source.readExternal();
        QVERIFY2(frame.ok(), frame.ok() ? "" : frame.error().message().c_str());
        QVERIFY(frame.value() && frame.value()->buffer && frame.value()->captured.index > last);
        last = frame.value()->captured.index;
        QVERIFY(frame.value()->buffer->eglImage(nullptr).ok());
    }
    QVERIFY(SpecialDecoders::eglImages() > 0 && SpecialDecoders::eglImages() <= 4);
    QVERIFY(source.state().externalCopies.empty());
    QCOMPARE(lumaOfNext(source), 235); // And back.
    QCOMPARE(SpecialDecoders::eglImages(), 0);
}

void TestRtsp::passwordsAreTakenAsTheyAre_data()
{
    QTest::addColumn<QString>("password");
    QTest::addColumn<QString>("written");
    QTest::newRow("plain") << "secret"
                           << "secret";
    QTest::newRow("with @") << "test@123"
                            << "test@123";
    QTest::newRow("with @, coded") << "test@123"
                                   << "test%40123";
    QTest::newRow("with /, ? and %") << "a/b?c%d"
                                     << "a%2Fb%3Fc%25d";
    QTest::newRow("with :") << "a:b"
                            << "a:b";
}

void TestRtsp::passwordsAreTakenAsTheyAre()
{
    QFETCH(QString, password);
    QFETCH(QString, written);
    const RtspServer server({launchOf(rtspCoding("MJPEG")), 0, password.toStdString()});
    const auto source = openSource(server.url("/good", "me:" + written.toStdString() + "@"), Pacing::Real);
    QVERIFY2(source.ok(), source.ok() ? "" : source.error().message().c_str());
    QVERIFY(lumaOfNext(*source.value()) > 220);
    QVERIFY(source.value()->info().uri.find(written.toStdString()) == std::string::npos);
}

/// Such as the metadata of ONVIF.
void TestRtsp::dataBeforeThePicturesIsNotAskedFor()
{
    const std::string data = "videotestsrc is-live=true ! video/x-raw,format=I420,width=16,height=16,framerate=2/1 ! "
                             "rtpgstpay name=pay0 pt=98 ";
    const RtspServer server({launchOf(rtspCoding("MJPEG"), "white", data)});
    const auto source = openSource(server.url(), Pacing::Real);
    QVERIFY2(source.ok(), source.ok() ? "" : source.error().message().c_str());
    QCOMPARE(source.value()->info().layout.width, 64);
}

void TestRtsp::whatFailsNamesItsLayer_data()
{
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("layer");
    QTest::addColumn<QString>("remedy");
    const auto row = [](const char *what, const char *layer, const char *remedy) {
        QTest::newRow(what) << what << layer << remedy;
    };
    row("no such stream", "the address leads nowhere", "the path of its stream");
    row("no server", "the network failed", "nothing accepts connections");
    row("no such name", "the address leads nowhere", "no host has the name");
    row("no login", "the login failed", "NAME:PASSWORD@");
    row("wrong password", "the login failed", "does not accept");
    row("no RTSP", "the container is not understood", "does not speak RTSP");
    row("sound only", "the container is not understood", "sound and no pictures");
    row("unknown memory", "the codec cannot be decoded", "memory:JetscopeOther");
    row("no decoder", "the codec cannot be decoded", "no decoder for MJPEG");
}

void TestRtsp::whatFailsNamesItsLayer()
{
    QFETCH(QString, what);
    QFETCH(QString, layer);
    QFETCH(QString, remedy);
    std::string launch = launchOf(rtspCoding("MJPEG"));
    if (what == "sound only")
        launch = "( audiotestsrc is-live=true ! audioconvert ! mulawenc ! rtppcmupay name=pay0 pt=0 )";
    auto listening = std::make_unique<RtspServer>(
        RtspServer::Setup{launch, 0, what == "no login" || what == "wrong password" ? "secret" : ""});
    std::string url =
        listening->url(what == "no such stream" ? "/none" : "/good", what == "wrong password" ? "me:wrong@" : "");
    if (what == "no server")
        listening.reset();
    if (what == "no such name")
        url = "rtsp://no-such-camera.invalid/x";
    const EndlessServer other("SSH-2.0-OpenSSH_9.2\r\n", "\r\n");
    if (what == "no RTSP")
        url = other.url();
    const OnlyDecoder only(what == "no decoder" ? "none" : what == "unknown memory" ? "fakeotherdec" : "jpegdec");
    const auto source = openSource(url, Pacing::Real);
    QVERIFY(!source.ok());
    const QString said = QString::fromStdString(source.error().message());
    QVERIFY2(said.contains(layer) && said.contains(remedy) && !said.contains("wrong@") && !said.contains('\n'),
             qPrintable(said));
}

void TestRtsp::aServerThatDiesIsFoundAgain()
{
    auto server = std::make_unique<RtspServer>(RtspServer::Setup{launchOf(rtspCoding("MJPEG"))});
    const int port = server->port();
    const auto opened = openSource(server->url(), Pacing::Real);
    QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().message().c_str());
    FrameSource &source = *opened.value();
    for (int i = 0; i < 3; ++i)
        QVERIFY(lumaOfNext(source) > 220);
    server.reset();
    std::thread reviver([&] {
        while (source.state().trouble.empty())
            std::this_thread::yield();
        server = std::make_unique<RtspServer>(RtspServer::Setup{launchOf(rtspCoding("MJPEG"), "black"), port});
    });
    int luma = 255;
    while (luma > 60 && luma >= 0)
        luma = lumaOfNext(source);
    reviver.join();
    QVERIFY(luma >= 0);
    QVERIFY(source.state().trouble.empty());
}

/// Cuts the link, mends it once that was said, and compares the gap with the arrivals around it.
void TestRtsp::cutUntilNoticed(RtspServer &server, FrameSource &source, CapturedFrame &frame)
{
    constexpr double kPeriodNs = 40e6;
    server.cut(true);
    std::atomic<bool> told{false};
    std::thread mender([&] {
        while (source.state().trouble.empty() && !told)
            std::this_thread::sleep_for(1ms);
        server.cut(false);
    });
    std::int64_t lastArrival = 0;
    do {
        lastArrival = frame.gaps.empty() && nowNs() - frame.captureNs < 1'000'000'000 ? nowNs() : lastArrival;
        QVERIFY(lumaOfNext(source, &frame) >= 0);
    } while (frame.gaps.empty());
    const std::int64_t firstArrival = nowNs();
    told = true;
    mender.join();
    QCOMPARE(frame.gaps.size(), std::size_t{1});
    const SourceGap &gap = frame.gaps.front();
    QVERIFY2(gap.untilNs - gap.fromNs > 4'900'000'000, qPrintable(QString::number(gap.untilNs - gap.fromNs)));
    const double begin = static_cast<double>(std::abs(gap.fromNs - lastArrival)) / kPeriodNs;
    const double end = static_cast<double>(std::abs(gap.untilNs - firstArrival)) / kPeriodNs;
    qInfo("gap of %.2f s: begin within %.2f frames, end within %.2f",
          static_cast<double>(gap.untilNs - gap.fromNs) / 1e9, begin, end);
    QVERIFY2(begin < 3 && end < 3, "not within one frame, with slack for a busy machine");
}

/// A cut of the link is noticed after seconds, but the pictures are missing since the last one.
void TestRtsp::gapsCountFromTheLastFrame()
{
    RtspServer server({launchOf(rtspCoding("MJPEG"))});
    const auto opened = openSource(server.url(), Pacing::Real);
    QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().message().c_str());
    FrameSource &source = *opened.value();
    CapturedFrame frame;
    for (int i = 0; i < 5; ++i)
        QVERIFY(lumaOfNext(source, &frame) > 220);
    const std::uint64_t cuts = testing::isLongRun() ? 10 : 1;
    for (std::uint64_t cut = 1; cut <= cuts; ++cut) {
        cutUntilNoticed(server, source, frame);
        QCOMPARE(source.state().faults.gaps, cut);
        for (int i = 0; i < 5; ++i)
            QVERIFY(lumaOfNext(source, &frame) > 220);
    }
}

void TestRtsp::lostPacketsAreCounted()
{
    if (!hasElements({"x264enc", "avdec_h264"}))
        QSKIP("GStreamer has no x264enc or avdec_h264 here");
    const OnlyDecoder only("avdec_h264");
    RtspServer server({launchOf(rtspCoding("H.264"), "snow", {}, "I420,width=320,height=240,framerate=50/1")});
    const auto opened = openSource(server.url(), Pacing::Real);
    QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().message().c_str());
    FrameSource &source = *opened.value();
    for (int i = 0; i < 10; ++i)
        QVERIFY(lumaOfNext(source) >= 0);
    server.loseOneOf(41);
    constexpr int kMaxFrames = 1000;
    const auto faulty = [&] { return source.state().faults.missed + source.state().faults.damaged; };
    for (int i = 0; faulty() < 5 && i < kMaxFrames; ++i)
        QVERIFY(lumaOfNext(source) >= 0);
    const SourceFaults faults = source.state().faults;
    QVERIFY2(faults.missed + faults.damaged >= 5, "no fault was counted");
}

/// In a long run ten minutes at a camera's rate, otherwise three seconds at a higher one.
void TestRtsp::aLongStreamTakesNoMoreMemory()
{
    const int rate = testing::isLongRun() ? 25 : 200;
    const int frames = testing::isLongRun() ? 10 * 60 * rate : 600;
    constexpr int kWarm = 200;
    const RtspServer server({launchOf(rtspCoding("MJPEG"), "ball", {},
                                      "I420,width=640,height=480,framerate=" + std::to_string(rate) + "/1")});
    const auto opened = openSource(server.url(), Pacing::Real);
    QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().message().c_str());
    for (int i = 0; i < kWarm; ++i)
        QVERIFY(lumaOfNext(*opened.value()) >= 0);
    const std::uint64_t before = residentBytes();
    for (int i = 0; i < frames; ++i)
        QVERIFY(lumaOfNext(*opened.value()) >= 0);
    const std::uint64_t after = residentBytes();
    qInfo("%d frames: %lld KiB more", frames, (static_cast<long long>(after) - static_cast<long long>(before)) / 1024);
    // Kept pictures would be at least 270 MB, kept frames of JPEG 12.
    QVERIFY2(after < before + (10 << 20), qPrintable(QString::number((after - before) >> 10) + " KiB"));
}

void TestRtsp::serversWithoutEndAreLeft_data()
{
    QTest::addColumn<QByteArray>("first");
    QTest::addColumn<QByteArray>("again");
    const auto row = [](const char *name, const QByteArray &first, const QByteArray &again, bool isShort = false) {
        if (isShort || testing::isLongRun()) // Each waits for the time limit.
            QTest::newRow(name) << first << again;
    };
    row("header lines", "RTSP/1.0 200 OK\r\n", "X: " + QByteArray(1000, 'a') + "\r\n");
    row("one header line", "RTSP/1.0 200 OK\r\nX: ", QByteArray(1000, 'a'));
    row("data frames", "$", QByteArray("\0\3\350", 3) + QByteArray(1000, 'a') + "$", true);
    row("a large body", "RTSP/1.0 200 OK\r\nContent-Length: 2000000000\r\n\r\n", QByteArray(60'000, 'a'), true);
}

void TestRtsp::serversWithoutEndAreLeft()
{
    QFETCH(QByteArray, first);
    QFETCH(QByteArray, again);
    const EndlessServer server(first.toStdString(), again.toStdString());
    const std::uint64_t before = residentBytes();
    const auto source = openSource(server.url(), Pacing::Real); // Without the deadline: no end.
    QVERIFY(!source.ok());
    QVERIFY2(residentBytes() < before + (256 << 20), "memory grows with what the server sends");
    QCOMPARE(abandonedPipelines(), 0);
}

QTEST_GUILESS_MAIN(TestRtsp)
#include "tst_rtsp.moc"
