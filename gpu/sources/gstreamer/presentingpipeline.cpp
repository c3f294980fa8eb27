// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/gstreamer/presentingpipeline.h"

#include "gpu/sources/gstreamer/pipelinestate.h"

#include <condition_variable>
#include <gst/gst.h>
#include <mutex>
#include <utility>

namespace jetscope {

namespace {
constexpr std::chrono::seconds kPresenterPatience{5};
} // namespace

struct PresentingPipeline::Passing {
    std::mutex mutex;
    std::condition_variable came;
    std::optional<GstClockTime> time; ///< Time of the newest picture that next() has not returned yet.

    static GstPadProbeReturn see(GstPad *, GstPadProbeInfo *info, gpointer data)
    {
        Passing &passing = Shared<Passing>::of(data);
        {
            const std::lock_guard lock(passing.mutex);
            passing.time = GST_BUFFER_PTS(GST_PAD_PROBE_INFO_BUFFER(info));
        }
        passing.came.notify_one();
        return GST_PAD_PROBE_OK;
    }
};

PresentingPipeline::PresentingPipeline(GstElement *pipeline)
    : m_pipeline(pipeline), m_passing(std::make_shared<Passing>())
{
}

PresentingPipeline::~PresentingPipeline()
{
    closePipeline(m_pipeline, 0);
}

Result<std::unique_ptr<PresentingPipeline>> PresentingPipeline::start(const std::string &text, void *display,
                                                                      void *stream)
{
    JETSCOPE_TRY_ASSIGN(GstElement * launched, launchPipeline(text + " ! nvvideosink name=jetscope sync=false"));
    std::unique_ptr<PresentingPipeline> pipeline(new PresentingPipeline(launched));
    GstElement *sink = gst_bin_get_by_name(GST_BIN(launched), "jetscope");
    // No queue: a newer picture replaces one that was not acquired.
    g_object_set(sink, "display", display, "stream", stream, "fifo", FALSE, nullptr);
    GstPad *pad = gst_element_get_static_pad(sink, "sink");
    gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, Passing::see, Shared<Passing>::data(pipeline->m_passing),
                      Shared<Passing>::destroy);
    gst_object_unref(pad);
    gst_object_unref(sink);
    if (const Status started = startPipeline(launched, kPresenterPatience); !started.ok())
        return failureOf(launched).value_or(started.error());
    return pipeline;
}

Result<std::optional<std::int64_t>> PresentingPipeline::next(std::chrono::milliseconds timeout)
{
    std::optional<GstClockTime> time;
    {
        std::unique_lock lock(m_passing->mutex);
        m_passing->came.wait_for(lock, timeout, [this] { return m_passing->time.has_value(); });
        time = std::exchange(m_passing->time, std::nullopt);
    }
    if (time) {
        const GstClockTime base = gst_element_get_base_time(m_pipeline);
        const bool known = GST_CLOCK_TIME_IS_VALID(*time) && GST_CLOCK_TIME_IS_VALID(base) && *time < G_MAXINT64 / 2
            && base < G_MAXINT64 / 2;
        return std::optional<std::int64_t>(known ? static_cast<std::int64_t>(base + *time) : -1);
    }
    if (const std::optional<Error> failed = failureOf(m_pipeline))
        return *failed;
    return std::optional<std::int64_t>();
}

} // namespace jetscope
