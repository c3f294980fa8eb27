// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/gstreamer/gstlaunch.h"

#include "gpu/sources/gstreamer/decoderwatch.h"
#include "gpu/sources/gstreamer/streamproblem.h"

#include <cstdio>
#include <cstdlib>
#include <gst/gst.h>
#include <gst/pbutils/pbutils.h>
#include <mutex>
#include <string_view>

namespace jetscope {

namespace {

constexpr const char *kCall = "GStreamer";
constexpr const char *kMissingCodec = "jetscope-missing-codec"; ///< Data of a pipeline.
constexpr auto kFailures = static_cast<GstMessageType>(GST_MESSAGE_ERROR | GST_MESSAGE_EOS | GST_MESSAGE_ELEMENT);

std::string_view textOf(const GLogField *fields, gsize count)
{
    for (gsize i = 0; i < count; ++i)
        if (fields[i].key == std::string_view("MESSAGE") && fields[i].value)
            return fields[i].length < 0 ? std::string_view(static_cast<const char *>(fields[i].value))
                                        : std::string_view(static_cast<const char *>(fields[i].value),
                                                           static_cast<std::size_t>(fields[i].length));
    return {};
}

/// Replaces GLib's log output. A GLib error ends the process in any case, for example when a thread cannot be created.
GLogWriterOutput keepToItself(GLogLevelFlags level, const GLogField *fields, gsize count, gpointer)
{
    if ((level & (G_LOG_LEVEL_ERROR | G_LOG_FLAG_FATAL)) == 0)
        return G_LOG_WRITER_HANDLED;
    const std::string_view text = textOf(fields, count);
    std::fprintf(stderr,
                 "jetscope: GStreamer cannot continue (%.*s): close other programs, or allow this one more memory and "
                 "threads.\n",
                 static_cast<int>(text.size()), text.data());
    std::_Exit(1);
}

/// Runs once per process. Silences messages of plug-ins and libraries unless the user enabled them.
Status initialise()
{
    static std::once_flag once;
    static bool ready = false;
    std::call_once(once, [] {
        gst_debug_set_default_threshold(GST_LEVEL_NONE);
        if (!g_getenv("G_MESSAGES_DEBUG"))
            g_log_set_writer_func(keepToItself, nullptr, nullptr);
        ready = gst_init_check(nullptr, nullptr, nullptr) == TRUE;
        if (ready)
            gst_pb_utils_init();
    });
    return ready ? Status() : Error{kCall, 0, "GStreamer could not be started: its installation is broken"};
}

/// GStreamer reports whole sentences; this returns a part of a sentence.
std::string reasonOf(const GError *error)
{
    // The generic message of a source that reports no cause.
    if (g_error_matches(error, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED)
        && std::string_view(error->message).starts_with("Internal data stream error"))
        return "nothing can be read from it";
    std::string text = error->message;
    while (!text.empty() && (text.back() == '.' || text.back() == '\n' || text.back() == ' '))
        text.pop_back();
    return text;
}

} // namespace

Result<GstElement *> launchPipeline(const std::string &text)
{
    JETSCOPE_TRY(initialise());
    GError *error = nullptr;
    GstElement *parsed = gst_parse_launch_full(text.c_str(), nullptr, GST_PARSE_FLAG_FATAL_ERRORS, &error);
    if (!parsed || !GST_IS_BIN(parsed)) {
        const std::string reason = error ? reasonOf(error) : "it is not a pipeline";
        g_clear_error(&error);
        if (parsed)
            gst_object_unref(parsed);
        return Error{kCall, 0, reason};
    }
    gst_object_ref_sink(parsed);
    GstClock *clock = gst_system_clock_obtain();
    gst_pipeline_use_clock(GST_PIPELINE(parsed), clock);
    gst_object_unref(clock);
    return parsed;
}

namespace {

/// The codec for which the pipeline lacks a decoder is told in a message of its own, before the error.
void noteMissing(GstElement *pipeline, GstMessage *message)
{
    const GstStructure *structure = gst_message_get_structure(message);
    const char *kind = gst_structure_get_string(structure, "type");
    const GValue *detail = gst_structure_get_value(structure, "detail");
    if (!kind || std::string_view(kind) != "decoder" || !detail || !GST_VALUE_HOLDS_CAPS(detail))
        return;
    const std::string codec = codecName(gst_value_get_caps(detail));
    if (!codec.empty())
        g_object_set_data_full(G_OBJECT(pipeline), kMissingCodec, g_strdup(codec.c_str()), g_free);
}

/// The status of an RTSP or HTTP server that the message contains; 0 for none.
int statusOf(GstMessage *message, std::string &reason)
{
    const GstStructure *details = nullptr;
    gst_message_parse_error_details(message, &details);
    guint status = 0;
    if (!details
        || (!gst_structure_get_uint(details, "rtsp-status-code", &status)
            && !gst_structure_get_uint(details, "http-status-code", &status)))
        return 0;
    const char *said = gst_structure_get_string(details, "rtsp-status-reason");
    said = said ? said : gst_structure_get_string(details, "http-status-reason");
    reason = said ? said : "";
    return static_cast<int>(status);
}

/// Whether the address of the element that reports an error has a name and a password.
bool hasLogin(GstMessage *message)
{
    GObject *source = G_OBJECT(GST_MESSAGE_SRC(message));
    gchar *location = nullptr;
    gchar *user = nullptr;
    if (source && g_object_class_find_property(G_OBJECT_GET_CLASS(source), "location"))
        g_object_get(source, "location", &location, nullptr);
    if (source && g_object_class_find_property(G_OBJECT_GET_CLASS(source), "user-id"))
        g_object_get(source, "user-id", &user, nullptr);
    const bool has = user || (location && std::string_view(location).find('@') != std::string_view::npos);
    g_free(location);
    g_free(user);
    return has;
}

Error errorOf(GstElement *pipeline, GstMessage *message)
{
    GError *error = nullptr;
    gst_message_parse_error(message, &error, nullptr);
    std::string reason;
    Error failed{kCall, 0, reasonOf(error)};
    const int status = statusOf(message, reason);
    if (status >= 400)
        failed = statusProblem(status, reason, "rtsp", hasLogin(message));
    else if (const auto *codec = static_cast<const char *>(g_object_get_data(G_OBJECT(pipeline), kMissingCodec)))
        failed = streamProblem(StreamLayer::Codec, std::string("this machine has no decoder for ") + codec,
                               "install gstreamer1.0-libav");
    else if (g_error_matches(error, GST_STREAM_ERROR, GST_STREAM_ERROR_DECODE) && error->message
             && std::string_view(error->message).starts_with(phraseOf(StreamLayer::Codec)))
        failed = streamProblem(error->message);
    g_clear_error(&error);
    return failed;
}

} // namespace

std::optional<Error> failureOf(GstElement *pipeline)
{
    GstBus *bus = gst_element_get_bus(pipeline);
    std::optional<Error> failed;
    while (GstMessage *message = failed ? nullptr : gst_bus_pop_filtered(bus, kFailures)) {
        if (gst_is_missing_plugin_message(message))
            noteMissing(pipeline, message);
        if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR)
            failed = errorOf(pipeline, message);
        if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_EOS)
            failed = Error{kCall, kStreamEnded, "the stream ended"};
        gst_message_unref(message);
    }
    gst_object_unref(bus);
    return failed;
}

bool hasElement(const char *name)
{
    if (!initialise().ok())
        return false;
    GstElementFactory *factory = gst_element_factory_find(name);
    if (factory)
        gst_object_unref(factory);
    return factory != nullptr;
}

} // namespace jetscope
