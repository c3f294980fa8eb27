// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/gstreamer/streambounds.h"

#include "core/imagelayout.h"

#include <array>
#include <atomic>
#include <cstring>
#include <gst/gst.h>
#include <gst/video/video.h>
#include <string_view>

namespace jetscope {

namespace {

void postError(GstElement *element, const std::string &text)
{
    GError *error = g_error_new_literal(GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED, text.c_str());
    gst_element_post_message(element, gst_message_new_error(GST_OBJECT(element), error, nullptr));
    g_error_free(error);
}

/// The bytes that one element holds. Its pads share this object; the element owns it.
struct Held {
    std::atomic<std::uint64_t> bytes{0};
    std::atomic<bool> told{false};
};

std::uint64_t bytesOf(GstPadProbeInfo *info)
{
    if (GST_PAD_PROBE_INFO_TYPE(info) & GST_PAD_PROBE_TYPE_BUFFER_LIST)
        return gst_buffer_list_calculate_size(GST_PAD_PROBE_INFO_BUFFER_LIST(info));
    return gst_buffer_get_size(GST_PAD_PROBE_INFO_BUFFER(info));
}

GstPadProbeReturn countIn(GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
    auto &held = *static_cast<Held *>(data);
    if (held.bytes += bytesOf(info); held.bytes <= kMaxEncodedFrameBytes)
        return GST_PAD_PROBE_OK;
    GstElement *element = gst_pad_get_parent_element(pad);
    if (element && !held.told.exchange(true))
        postError(element, "a frame of it is larger than " + std::to_string(kMaxEncodedFrameBytes >> 20U) + " MiB");
    if (element)
        gst_object_unref(element);
    return GST_PAD_PROBE_DROP;
}

GstPadProbeReturn countOut(GstPad *, GstPadProbeInfo *, gpointer data)
{
    static_cast<Held *>(data)->bytes = 0;
    return GST_PAD_PROBE_OK;
}

void watchPad(GstElement *, GstPad *pad, gpointer held)
{
    constexpr auto kBuffers = static_cast<GstPadProbeType>(GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST);
    gst_pad_add_probe(pad, kBuffers, GST_PAD_IS_SINK(pad) ? countIn : countOut, held, nullptr);
}

/// Decides by the element's class metadata, which GStreamer uses too.
bool putsFramesTogether(GstElement *element)
{
    const gchar *kind = gst_element_get_metadata(element, GST_ELEMENT_METADATA_KLASS);
    if (!kind || GST_IS_BIN(element))
        return false;
    constexpr std::array<std::string_view, 3> kKinds{"Demux", "Depayloader", "Parser"};
    for (const std::string_view wanted : kKinds)
        if (std::string_view(kind).find(wanted) != std::string_view::npos)
            return true;
    return false;
}

void watchElement(GstElement *element)
{
    constexpr const char *kHeld = "jetscope-held";
    if (!putsFramesTogether(element) || g_object_get_data(G_OBJECT(element), kHeld))
        return;
    auto *held = new Held;
    g_object_set_data_full(G_OBJECT(element), kHeld, held, [](gpointer data) { delete static_cast<Held *>(data); });
    g_signal_connect(element, "pad-added", G_CALLBACK(watchPad), held);
    gst_element_foreach_pad(
        element,
        [](GstElement *owner, GstPad *pad, gpointer data) -> gboolean {
            watchPad(owner, pad, data);
            return TRUE;
        },
        held);
}

void elementAdded(GstBin *, GstBin *, GstElement *element, gpointer)
{
    watchElement(element);
}

int sideOf(const GstCaps *caps, const char *name)
{
    int side = 0;
    return gst_structure_get_int(gst_caps_get_structure(caps, 0), name, &side) ? side : 0;
}

/// 0 if the caps do not say.
std::uint64_t bytesOf(const GstCaps *caps)
{
    GstVideoInfo info;
    return gst_caps_is_fixed(caps) && gst_video_info_from_caps(&info, caps) ? info.size : 0;
}

/// 0 if the system does not say.
std::uint64_t availableBytes()
{
    gchar *text = nullptr;
    if (!g_file_get_contents("/proc/meminfo", &text, nullptr, nullptr))
        return 0;
    const char *line = std::strstr(text, "MemAvailable:");
    const std::uint64_t kilobytes = line ? g_ascii_strtoull(line + std::strlen("MemAvailable:"), nullptr, 10) : 0;
    g_free(text);
    return kilobytes * 1024;
}

/// Decoders send an accept-caps query before they allocate their pictures.
GstPadProbeReturn judgePictures(GstPad *pad, GstPadProbeInfo *info, gpointer)
{
    GstQuery *query = GST_PAD_PROBE_INFO_QUERY(info);
    if (GST_QUERY_TYPE(query) != GST_QUERY_ACCEPT_CAPS)
        return GST_PAD_PROBE_OK;
    GstCaps *caps = nullptr;
    gst_query_parse_accept_caps(query, &caps);
    if (!caps || gst_caps_get_size(caps) == 0)
        return GST_PAD_PROBE_OK;
    const int width = sideOf(caps, "width");
    const int height = sideOf(caps, "height");
    const std::string size = std::to_string(width) + "×" + std::to_string(height);
    std::string reason;
    if (width > kMaxImageSide || height > kMaxImageSide)
        reason = "its pictures have " + size + " pixels, and more than " + std::to_string(kMaxImageSide)
            + " on a side cannot be shown";
    else
        reason = tooLargeForMemory(bytesOf(caps), availableBytes());
    if (reason.empty())
        return GST_PAD_PROBE_OK;
    if (GstElement *sink = gst_pad_get_parent_element(pad)) {
        postError(sink, reason);
        gst_object_unref(sink);
    }
    gst_query_set_accept_caps_result(query, FALSE);
    return GST_PAD_PROBE_HANDLED;
}

} // namespace

std::string tooLargeForMemory(std::uint64_t pictureBytes, std::uint64_t availableBytes)
{
    if (availableBytes == 0 || pictureBytes <= availableBytes / kPicturesAtOnce)
        return {};
    return "a picture of it takes " + std::to_string(pictureBytes >> 20U) + " MiB, and this machine has "
        + std::to_string(availableBytes >> 20U) + " MiB left for " + std::to_string(kPicturesAtOnce)
        + " of them: take a smaller size, or close other programs";
}

void boundEncodedFrames(GstElement *pipeline)
{
    g_signal_connect(pipeline, "deep-element-added", G_CALLBACK(elementAdded), nullptr);
    GstIterator *elements = gst_bin_iterate_recurse(GST_BIN(pipeline));
    while (gst_iterator_foreach(
               elements, [](const GValue *item, gpointer) { watchElement(GST_ELEMENT(g_value_get_object(item))); },
               nullptr)
           == GST_ITERATOR_RESYNC)
        gst_iterator_resync(elements);
    gst_iterator_free(elements);
}

void boundPictures(GstElement *sink)
{
    GstPad *pad = gst_element_get_static_pad(sink, "sink");
    gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM, judgePictures, nullptr, nullptr);
    gst_object_unref(pad);
}

} // namespace jetscope
