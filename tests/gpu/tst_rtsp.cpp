// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// RTSP streams from a server on the loopback interface that works, stops and comes back.
#include <gst/gst.h>
#include <gst/rtsp-server/rtsp-server.h> // Before Qt, whose keywords are names in it.

#include "core/time/clock.h"
#include "gpu/sources/framesource.h"

#include <QElapsedTimer>
#include <QTest>

#include <atomic>
#include <memory>
#include <thread>

using namespace jetscope;

namespace {

/// Serves /good, a white picture, from construction to destruction, in its own main loop.
class RtspServer {
public:
    explicit RtspServer(int port = 0, const char *pattern = "white")
        : m_context(g_main_context_new()), m_loop(g_main_loop_new(m_context, FALSE))
    {
        m_server = gst_rtsp_server_new();
        gst_rtsp_server_set_address(m_server, "127.0.0.1");
        gst_rtsp_server_set_service(m_server, std::to_string(port).c_str());
        GstRTSPMediaFactory *factory = gst_rtsp_media_factory_new();
        const std::string launch = std::string("( videotestsrc is-live=true pattern=") + pattern
            + " ! video/x-raw,format=I420,width=64,height=48,framerate=25/1 ! jpegenc ! rtpjpegpay name=pay0 pt=26 )";
        gst_rtsp_media_factory_set_launch(factory, launch.c_str());
        GstRTSPMountPoints *mounts = gst_rtsp_server_get_mount_points(m_server);
        gst_rtsp_mount_points_add_factory(mounts, "/good", factory);
        g_object_unref(mounts);
        m_attached = gst_rtsp_server_attach(m_server, m_context);
        m_thread = std::thread([this] {
            g_main_context_push_thread_default(m_context);
            g_main_loop_run(m_loop);
            g_main_context_pop_thread_default(m_context);
        });
    }
    ~RtspServer()
    {
        gst_rtsp_server_client_filter(
            m_server, [](GstRTSPServer *, GstRTSPClient *, gpointer) { return GST_RTSP_FILTER_REMOVE; }, nullptr);
        // From inside the loop: a quit before the loop runs would be lost.
        GSource *quit = g_idle_source_new();
        g_source_set_callback(
            quit,
            [](gpointer loop) -> gboolean {
                g_main_loop_quit(static_cast<GMainLoop *>(loop));
                return G_SOURCE_REMOVE;
            },
            m_loop, nullptr);
        g_source_attach(quit, m_context);
        g_source_unref(quit);
        m_thread.join();
        g_source_destroy(g_main_context_find_source_by_id(m_context, m_attached));
        g_object_unref(m_server);
        g_main_loop_unref(m_loop);
        g_main_context_unref(m_context);
    }
    bool listens() const { return m_attached != 0; }
    int port() const { return gst_rtsp_server_get_bound_port(m_server); }
    std::string url(const char *path) const { return "rtsp://127.0.0.1:" + std::to_string(port()) + path; }

private:
    GMainContext *m_context;
    GMainLoop *m_loop;
    GstRTSPServer *m_server = nullptr;
    guint m_attached = 0;
    std::thread m_thread;
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

} // namespace

class TestRtsp : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { gst_init(nullptr, nullptr); }

    void aStreamIsShown()
    {
        const RtspServer server;
        QVERIFY(server.listens());
        const auto source = openSource(server.url("/good"), Pacing::Real);
        QVERIFY2(source.ok(), source.ok() ? "" : source.error().message().c_str());
        QVERIFY(source.value()->info().layout
                == makeImageLayout(source.value()->info().layout.format, 64, 48, YuvColour::Bt601Full));
        std::int64_t last = 0;
        for (int i = 0; i < 10; ++i) {
            CapturedFrame captured;
            QVERIFY(lumaOfNext(*source.value(), &captured) > 230);
            QVERIFY(captured.captureNs > last && captured.captureNs <= nowNs());
            last = captured.captureNs;
        }
    }

    void whatIsNotThereIsAnErrorInTime_data()
    {
        QTest::addColumn<bool>("server");
        QTest::newRow("no such stream") << true;
        QTest::newRow("no server") << false;
    }

    void whatIsNotThereIsAnErrorInTime()
    {
        QFETCH(bool, server);
        auto listening = std::make_unique<RtspServer>();
        const std::string url = listening->url("/none");
        if (!server)
            listening.reset();
        QElapsedTimer timer;
        timer.start();
        const auto source = openSource(url, Pacing::Real);
        QVERIFY(!source.ok());
        QVERIFY2(timer.elapsed() < 7000,
                 qPrintable(QString::number(timer.elapsed()))); // Five seconds, plus slack for a busy machine.
        QVERIFY2(source.error().text.find("check the address") != std::string::npos, source.error().message().c_str());
    }

    void aServerThatDiesIsFoundAgain()
    {
        auto server = std::make_unique<RtspServer>();
        const int port = server->port();
        const auto opened = openSource(server->url("/good"), Pacing::Real);
        QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().message().c_str());
        FrameSource &source = *opened.value();
        for (int i = 0; i < 3; ++i)
            QVERIFY(lumaOfNext(source) > 230);
        server.reset();
        std::thread reviver([&] {
            while (source.state().trouble.empty())
                std::this_thread::yield();
            server = std::make_unique<RtspServer>(port, "black");
        });
        int luma = 255;
        while (luma > 60 && luma >= 0)
            luma = lumaOfNext(source);
        reviver.join();
        QVERIFY(luma >= 0);
        QVERIFY(source.state().trouble.empty());
    }
};

QTEST_GUILESS_MAIN(TestRtsp)
#include "tst_rtsp.moc"
