// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gst/gst.h>
#include <gst/rtsp-server/rtsp-server.h> // Before Qt, whose keywords are names in it.

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>

namespace jetscope::testing {

/// Pictures of one colour, coded: the end of a description for RtspServer.
struct RtspCoding {
    std::string encoder;   ///< Empty for JPEG's.
    std::string payloader; ///< Without its name.
};
/// Of "H.264" (by "x264enc" or "openh264enc"), "H.265" or "MJPEG".
inline RtspCoding rtspCoding(const std::string &codec, const std::string &encoder = "x264enc")
{
    if (codec == "H.265")
        return {"x265enc speed-preset=ultrafast tune=zerolatency key-int-max=10 option-string=log-level=none",
                "rtph265pay pt=96 config-interval=-1"};
    if (codec == "H.264" && encoder == "openh264enc")
        return {"openh264enc gop-size=10 complexity=low", "rtph264pay pt=96 config-interval=-1"};
    if (codec == "H.264")
        return {"x264enc speed-preset=ultrafast tune=zerolatency key-int-max=10",
                "rtph264pay pt=96 config-interval=-1"};
    return {"jpegenc", "rtpjpegpay pt=26"};
}

/// Serves /good from construction to destruction, in its own main loop, on the loopback interface.
class RtspServer {
public:
    struct Setup {
        std::string launch;     ///< "( SOURCE ! ENCODER ! PAYLOADER name=pay0 )"
        int port = 0;           ///< 0: any.
        std::string password{}; ///< Asks for the user "me" with this password, if there is one.
    };

    explicit RtspServer(const Setup &setup) : m_context(g_main_context_new()), m_loop(g_main_loop_new(m_context, FALSE))
    {
        m_server = gst_rtsp_server_new();
        gst_rtsp_server_set_address(m_server, "127.0.0.1");
        gst_rtsp_server_set_service(m_server, std::to_string(setup.port).c_str());
        GstRTSPMediaFactory *factory = gst_rtsp_media_factory_new();
        gst_rtsp_media_factory_set_launch(factory, setup.launch.c_str());
        g_signal_connect(factory, "media-configure", G_CALLBACK(configured), this);
        if (!setup.password.empty())
            askForLogin(factory, setup.password);
        GstRTSPMountPoints *mounts = gst_rtsp_server_get_mount_points(m_server);
        gst_rtsp_mount_points_add_factory(mounts, "/good", factory);
        g_object_unref(mounts);
        m_attached = gst_rtsp_server_attach(m_server, m_context);
        m_port = gst_rtsp_server_get_bound_port(m_server);
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
    RtspServer(const RtspServer &) = delete;
    RtspServer &operator=(const RtspServer &) = delete;

    bool listens() const { return m_attached != 0; }
    int port() const { return m_port; }
    std::string url(const char *path = "/good", const std::string &login = {}) const
    {
        return "rtsp://" + login + "127.0.0.1:" + std::to_string(m_port) + path;
    }

    /// From now on, the link swallows what is sent, or not.
    void cut(bool on) { m_link->cut = on; }
    /// Swallows one of so many packets; 0 for none.
    void loseOneOf(int packets) { m_link->loseOneOf = packets; }
    /// When the last packet went out (CLOCK_MONOTONIC).
    std::int64_t lastSentNs() const { return m_link->lastSentNs; }

private:
    /// What the threads of the media use: they may end after the server.
    struct Link {
        std::atomic<bool> cut{false};
        std::atomic<int> loseOneOf{0};
        std::atomic<int> packets{0};
        std::atomic<std::int64_t> lastSentNs{0};
    };

    static GstPadProbeReturn send(GstPad *, GstPadProbeInfo *, gpointer data)
    {
        Link &link = **static_cast<std::shared_ptr<Link> *>(data);
        const int lose = link.loseOneOf;
        if (link.cut || (lose > 0 && ++link.packets % lose == 0))
            return GST_PAD_PROBE_DROP;
        link.lastSentNs = g_get_monotonic_time() * 1000;
        return GST_PAD_PROBE_OK;
    }
    static void configured(GstRTSPMediaFactory *, GstRTSPMedia *media, gpointer self)
    {
        GstElement *element = gst_rtsp_media_get_element(media);
        for (const char *name : {"pay0", "pay1"}) {
            GstElement *payloader = gst_bin_get_by_name(GST_BIN(element), name);
            GstPad *pad = payloader ? gst_element_get_static_pad(payloader, "src") : nullptr;
            constexpr auto kData =
                static_cast<GstPadProbeType>(GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST);
            if (pad)
                gst_pad_add_probe(pad, kData, send, new std::shared_ptr<Link>(static_cast<RtspServer *>(self)->m_link),
                                  [](gpointer link) { delete static_cast<std::shared_ptr<Link> *>(link); });
            gst_clear_object(&pad);
            gst_clear_object(&payloader);
        }
        gst_object_unref(element);
    }
    void askForLogin(GstRTSPMediaFactory *factory, const std::string &password)
    {
        GstRTSPAuth *auth = gst_rtsp_auth_new();
        GstRTSPToken *token = gst_rtsp_token_new(GST_RTSP_TOKEN_MEDIA_FACTORY_ROLE, G_TYPE_STRING, "user", nullptr);
        gchar *basic = gst_rtsp_auth_make_basic("me", password.c_str());
        gst_rtsp_auth_add_basic(auth, basic, token);
        g_free(basic);
        gst_rtsp_token_unref(token);
        gst_rtsp_server_set_auth(m_server, auth);
        g_object_unref(auth);
        gst_rtsp_media_factory_add_role(factory, "user", GST_RTSP_PERM_MEDIA_FACTORY_ACCESS, G_TYPE_BOOLEAN, TRUE,
                                        GST_RTSP_PERM_MEDIA_FACTORY_CONSTRUCT, G_TYPE_BOOLEAN, TRUE, nullptr);
    }

    GMainContext *m_context;
    GMainLoop *m_loop;
    GstRTSPServer *m_server = nullptr;
    guint m_attached = 0;
    int m_port = 0;
    const std::shared_ptr<Link> m_link = std::make_shared<Link>();
    std::thread m_thread;
};

} // namespace jetscope::testing
