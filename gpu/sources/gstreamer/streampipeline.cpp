// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/gstreamer/streampipeline.h"

#include "gpu/sources/gstreamer/pipelinestate.h"
#include "gpu/sources/gstreamer/streambounds.h"
#include "gpu/sources/gstreamer/streamproblem.h"

#include <gst/app/gstappsink.h>
#include <gst/gst.h>

namespace jetscope {

namespace {

constexpr const char *kStreamCall = "GStreamer";
constexpr std::chrono::seconds kStartPatience{5};

/// Nothing is dropped before the first picture was taken, so that it is the first one.
constexpr const char *kSink =
    " appsink name=jetscope max-buffers=2 sync=false caps=\"video/x-raw,format={NV12,I420,Y42B,YUY2,"
    "UYVY,BGR,RGB,GRAY8}\"";

/// A camera has only a few such buffers, and the camera lacks those held here; so only one is queued.
constexpr const char *kHardwareSink =
    " appsink name=jetscope max-buffers=1 sync=false caps=\"video/x-raw(memory:NVMM),format=NV12\"";

/// The capture time on the system's clock, which is also the pipeline's clock.
std::int64_t captureTimeOf(GstElement *pipeline, GstSample *sample)
{
    const GstBuffer *buffer = gst_sample_get_buffer(sample);
    const GstSegment *segment = gst_sample_get_segment(sample);
    if (!buffer || !segment || segment->format != GST_FORMAT_TIME || !GST_BUFFER_PTS_IS_VALID(buffer))
        return -1;
    const GstClockTime running = gst_segment_to_running_time(segment, GST_FORMAT_TIME, GST_BUFFER_PTS(buffer));
    const GstClockTime base = gst_element_get_base_time(pipeline);
    if (!GST_CLOCK_TIME_IS_VALID(running) || !GST_CLOCK_TIME_IS_VALID(base) || running > G_MAXINT64 / 2
        || base > G_MAXINT64 / 2)
        return -1;
    return static_cast<std::int64_t>(base + running);
}

} // namespace

StreamPipeline::StreamPipeline(GstElement *pipeline, int port)
    : m_pipeline(pipeline), m_port(port), m_sink(gst_bin_get_by_name(GST_BIN(pipeline), "jetscope"))
{
}

StreamPipeline::~StreamPipeline()
{
    gst_object_unref(m_sink);
    closePipeline(m_pipeline, m_port);
}

Result<std::unique_ptr<StreamPipeline>> StreamPipeline::start(const StreamRecipe &recipe)
{
    const bool network = recipe.origin == StreamOrigin::Network;
    JETSCOPE_TRY_ASSIGN(GstElement * launched,
                        launchPipeline(recipe.text + (network ? "" : " !")
                                       + (recipe.memory == StreamMemory::Cpu ? kSink : kHardwareSink)));
    std::unique_ptr<StreamPipeline> pipeline(new StreamPipeline(launched, recipe.port));
    pipeline->m_numbers = PictureNumbers::watch(pipeline->m_sink);
    pipeline->m_decoder = DecoderWatch::watch(launched);
    boundPictures(pipeline->m_sink);
    if (network) {
        boundEncodedFrames(launched);
        GstElement *decoder = gst_bin_get_by_name(GST_BIN(launched), "jetscopesource");
        pipeline->m_link = DecodedLink::watch(decoder, pipeline->m_sink, recipe.memory, recipe.login);
        gst_object_unref(decoder);
    }
    if (const Status started = startPipeline(launched, kStartPatience); !started.ok()) {
        const Error error = pipeline->failure();
        return error.text.empty() ? started.error() : error;
    }
    return pipeline;
}

Result<std::optional<StreamPicture>> StreamPipeline::next(std::chrono::milliseconds timeout)
{
    const auto nanoseconds = static_cast<GstClockTime>(std::chrono::nanoseconds(timeout).count());
    if (GstSample *sample = gst_app_sink_try_pull_sample(GST_APP_SINK(m_sink), nanoseconds)) {
        g_object_set(m_sink, "drop", TRUE, nullptr);
        return std::optional<StreamPicture>(StreamPicture(sample, captureTimeOf(m_pipeline, sample),
                                                          m_numbers->arrivalOf(gst_sample_get_buffer(sample))));
    }
    const Error error = failure();
    if (error.code == 0 && error.text.empty())
        return std::optional<StreamPicture>();
    return error;
}

/// The error that the pipeline's elements have reported; empty if there is none.
Error StreamPipeline::failure() const
{
    if (const std::optional<Error> failed = failureOf(m_pipeline))
        return *failed;
    return gst_app_sink_is_eos(GST_APP_SINK(m_sink)) ? Error{kStreamCall, kEnded, "the stream ended"}
                                                     : Error{kStreamCall, 0, ""};
}

StreamFacts StreamPipeline::facts() const
{
    StreamFacts facts = m_decoder->facts();
    facts.measuredFps = m_numbers->measuredFps();
    if (!decodedMemory().empty())
        facts.decoderKind = "hardware";
    return facts;
}

Error StreamPipeline::silence() const
{
    if (const std::uint64_t frames = m_decoder->framesIn(); frames > 0)
        return streamProblem(StreamLayer::Codec,
                             std::to_string(frames) + " frames of " + m_decoder->facts().codec
                                 + " came, and the decoder " + m_decoder->facts().decoder + " made no picture of them",
                             "check the camera's encoder, or install another decoder, gstreamer1.0-libav");
    if (hasNoPictures())
        return streamProblem(StreamLayer::Container, "the stream has sound and no pictures",
                             "check the address: it is that of another stream of the camera");
    if (m_link && m_link->picturesOffered())
        return streamProblem(StreamLayer::Network, "the server plays the stream, but no data of it arrive",
                             "check that the network and its firewalls let UDP and TCP through, and the address");
    return Error{kStreamCall, 0, ""};
}

} // namespace jetscope
