// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/gstreamer/decodedlink.h"

#include "gpu/sources/gstreamer/gstlaunch.h"
#include "gpu/sources/gstreamer/pipelinestate.h"
#include "gpu/sources/gstreamer/streamproblem.h"

#include <array>
#include <gst/gst.h>
#include <string_view>
#include <utility>

namespace jetscope {

namespace {

/// Memory that the CPU does not read as it is, and the element that copies pictures out of it.
struct Converter {
    const char *memory;
    const char *element;
    const char *package;
};

constexpr std::array<Converter, 6> kConverters{{
    {"memory:NVMM", "nvvidconv", "nvidia-l4t-gstreamer"},
    {"memory:VAMemory", "vapostproc", "gstreamer1.0-plugins-bad"},
    {"memory:DMABuf", "vapostproc", "gstreamer1.0-plugins-bad"},
    {"memory:VASurface", "vaapipostproc", "gstreamer1.0-vaapi"},
    {"memory:CUDAMemory", "cudadownload", "gstreamer1.0-plugins-bad"},
    {"memory:GLMemory", "gldownload", "gstreamer1.0-gl"},
}};

const Converter *converterFor(const std::string &memory)
{
    for (const Converter &each : kConverters)
        if (memory == each.memory)
            return &each;
    return nullptr;
}

/// The feature that names the memory; empty for the CPU's.
std::string memoryOf(const GstCaps *caps)
{
    const GstCapsFeatures *features = gst_caps_get_features(caps, 0);
    for (guint i = 0; features && i < gst_caps_features_get_size(features); ++i) {
        const std::string_view feature = gst_caps_features_get_nth(features, i);
        if (feature.substr(0, 7) == "memory:" && feature != GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY)
            return std::string(feature);
    }
    return {};
}

void postProblem(GstElement *element, const Error &problem)
{
    GError *error = g_error_new_literal(GST_STREAM_ERROR, GST_STREAM_ERROR_DECODE, problem.text.c_str());
    gst_element_post_message(element, gst_message_new_error(GST_OBJECT(element), error, nullptr));
    g_error_free(error);
}

} // namespace

/// What GStreamer calls, on threads of its elements.
struct DecodedLink::Signals {
    static gboolean selectStream(GstElement *, guint, GstCaps *caps, gpointer data)
    {
        const GstStructure *structure = caps && gst_caps_get_size(caps) > 0 ? gst_caps_get_structure(caps, 0) : nullptr;
        const char *media = structure ? gst_structure_get_string(structure, "media") : nullptr;
        return Shared<DecodedLink>::of(data).select(media ? media : "");
    }

    /// Lost packets become an event, which is counted where it reaches the decoder.
    static void reportLosses(GstElement *, GstElement *manager, gpointer)
    {
        if (g_object_class_find_property(G_OBJECT_GET_CLASS(manager), "do-lost"))
            g_object_set(manager, "do-lost", TRUE, nullptr);
    }

    /// By default a source holds two seconds of pictures back and waits five for the first; this shortens both.
    static void sourceSetup(GstElement *, GstElement *source, gpointer data)
    {
        constexpr int kMilliseconds = 100;
        GObjectClass *kind = G_OBJECT_GET_CLASS(source);
        if (g_object_class_find_property(kind, "latency"))
            g_object_set(source, "latency", kMilliseconds, nullptr);
        if (g_object_class_find_property(kind, "drop-on-latency"))
            g_object_set(source, "drop-on-latency", TRUE, nullptr);
        // If UDP does not get through, the source falls back to TCP before the wait for the first picture ends.
        constexpr guint64 kMicroseconds = 1'500'000;
        if (g_object_class_find_property(kind, "timeout") && g_object_class_find_property(kind, "protocols"))
            g_object_set(source, "timeout", kMicroseconds, nullptr);
        const StreamLogin &login = Shared<DecodedLink>::of(data).m_login;
        if (!login.name.empty() && g_object_class_find_property(kind, "user-id"))
            g_object_set(source, "user-id", login.name.c_str(), "user-pw", login.password.c_str(), nullptr);
        if (g_signal_lookup("new-manager", G_OBJECT_TYPE(source)) != 0)
            g_signal_connect(source, "new-manager", G_CALLBACK(reportLosses), nullptr);
        if (g_signal_lookup("select-stream", G_OBJECT_TYPE(source)) != 0)
            g_signal_connect_data(source, "select-stream", G_CALLBACK(selectStream),
                                  Shared<DecodedLink>::data(Shared<DecodedLink>::pointer(data)),
                                  Shared<DecodedLink>::destroySignal<GClosure>, static_cast<GConnectFlags>(0));
    }

    static void padAdded(GstElement *decoder, GstPad *pad, gpointer data)
    {
        Shared<DecodedLink>::of(data).link(decoder, pad);
    }
};

std::shared_ptr<DecodedLink> DecodedLink::watch(GstElement *decoder, GstElement *sink, StreamMemory memory,
                                                StreamLogin login)
{
    auto self = std::make_shared<DecodedLink>();
    self->m_sink = sink;
    self->m_wanted = memory;
    self->m_login = std::move(login);
    const auto connect = [&](const char *signal, GCallback callback) {
        g_signal_connect_data(decoder, signal, callback, Shared<DecodedLink>::data(self),
                              Shared<DecodedLink>::destroySignal<GClosure>, static_cast<GConnectFlags>(0));
    };
    connect("source-setup", G_CALLBACK(Signals::sourceSetup));
    connect("pad-added", G_CALLBACK(Signals::padAdded));
    return self;
}

bool DecodedLink::select(const char *media)
{
    const std::lock_guard lock(m_mutex);
    ++m_offered;
    const bool wanted = !m_pictures && std::string_view(media) == "video";
    m_pictures = m_pictures || wanted;
    return wanted;
}

void DecodedLink::link(GstElement *decoder, GstPad *pad)
{
    GstCaps *caps = gst_pad_get_current_caps(pad);
    caps = caps ? caps : gst_pad_query_caps(pad, nullptr);
    const bool pictures =
        gst_caps_get_size(caps) > 0 && gst_structure_has_name(gst_caps_get_structure(caps, 0), "video/x-raw");
    const std::string memory = pictures ? memoryOf(caps) : std::string();
    gst_caps_unref(caps);
    {
        const std::lock_guard lock(m_mutex);
        if (!pictures || m_linked)
            return;
        m_linked = true;
        m_memory = memory;
    }
    if (m_wanted == StreamMemory::Hardware)
        return linkThrough(decoder, pad, "identity");
    if (memory.empty())
        return linkThrough(decoder, pad, "videoconvert");
    const Converter *converter = converterFor(memory);
    if (!converter)
        return postProblem(decoder,
                           streamProblem(StreamLayer::Codec,
                                         "the decoder leaves its pictures in " + memory + ", which nothing here reads",
                                         "install another decoder, gstreamer1.0-libav"));
    if (!hasElement(converter->element))
        return postProblem(decoder,
                           streamProblem(StreamLayer::Codec,
                                         "the decoder leaves its pictures in " + memory + ", and the element "
                                             + converter->element + " that fetches them is missing",
                                         std::string("install ") + converter->package));
    linkThrough(decoder, pad, std::string(converter->element) + " ! video/x-raw ! videoconvert");
}

void DecodedLink::linkThrough(GstElement *decoder, GstPad *pad, const std::string &converters)
{
    GstElement *chain =
        gst_parse_bin_from_description_full(converters.c_str(), TRUE, nullptr, GST_PARSE_FLAG_FATAL_ERRORS, nullptr);
    GstObject *pipeline = gst_object_get_parent(GST_OBJECT(m_sink));
    GstPad *into = nullptr;
    const bool linked = chain && pipeline && gst_bin_add(GST_BIN(pipeline), chain) && gst_element_link(chain, m_sink)
        && gst_element_sync_state_with_parent(chain) && (into = gst_element_get_static_pad(chain, "sink"))
        && GST_PAD_LINK_SUCCESSFUL(gst_pad_link(pad, into));
    gst_clear_object(&into);
    gst_clear_object(&pipeline);
    if (!linked)
        postProblem(decoder,
                    streamProblem(StreamLayer::Codec, "the decoder's pictures cannot be read",
                                  "install another decoder, gstreamer1.0-libav"));
}

std::string DecodedLink::memory() const
{
    const std::lock_guard lock(m_mutex);
    return m_memory;
}

int DecodedLink::streamsOffered() const
{
    const std::lock_guard lock(m_mutex);
    return m_offered;
}

bool DecodedLink::picturesOffered() const
{
    const std::lock_guard lock(m_mutex);
    return m_pictures;
}

} // namespace jetscope
