// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/gstreamer/gstlaunch.h"

#include <gst/gst.h>
#include <mutex>

namespace jetscope {

namespace {

constexpr const char *kCall = "GStreamer";

/// Once in a process. Whatever its plug-ins have to say stays with them.
Status initialise()
{
    static std::once_flag once;
    static bool ready = false;
    std::call_once(once, [] {
        gst_debug_set_default_threshold(GST_LEVEL_NONE);
        ready = gst_init_check(nullptr, nullptr, nullptr) == TRUE;
    });
    return ready ? Status() : Error{kCall, 0, "GStreamer could not be started: its installation is broken"};
}

} // namespace

Result<GstElement *> launchPipeline(const std::string &text)
{
    JETSCOPE_TRY(initialise());
    GError *error = nullptr;
    GstElement *parsed = gst_parse_launch_full(text.c_str(), nullptr, GST_PARSE_FLAG_FATAL_ERRORS, &error);
    if (!parsed || !GST_IS_BIN(parsed)) {
        const std::string reason = error ? error->message : "it is no pipeline";
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
        failed = {kCall, 0, error->message};
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
