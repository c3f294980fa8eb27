// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/gstreamer/gstlaunch.h"

#include <cstdio>
#include <cstdlib>
#include <gst/gst.h>
#include <mutex>
#include <string_view>

namespace jetscope {

namespace {

constexpr const char *kCall = "GStreamer";

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

std::optional<Error> failureOf(GstElement *pipeline)
{
    GstBus *bus = gst_element_get_bus(pipeline);
    GstMessage *message = gst_bus_pop_filtered(bus, static_cast<GstMessageType>(GST_MESSAGE_ERROR | GST_MESSAGE_EOS));
    gst_object_unref(bus);
    if (!message)
        return std::nullopt;
    Error failed{kCall, kStreamEnded, "the stream ended"};
    if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR) {
        GError *error = nullptr;
        gst_message_parse_error(message, &error, nullptr);
        failed = {kCall, 0, reasonOf(error)};
        g_clear_error(&error);
    }
    gst_message_unref(message);
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
