// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/gstreamer/streampipeline.h"

#include "gpu/sources/gstreamer/gstlaunch.h"
#include "gpu/sources/gstreamer/streambounds.h"

#include <array>
#include <cstring>
#include <gst/app/gstappsink.h>
#include <gst/gst.h>
#include <gst/video/video.h>

namespace jetscope {

namespace {

constexpr const char *kStreamCall = "GStreamer";

struct Format {
    GstVideoFormat theirs;
    PixelFormat ours;
};

constexpr std::array<Format, 8> kStreamFormats{{
    {GST_VIDEO_FORMAT_NV12, PixelFormat::Nv12},
    {GST_VIDEO_FORMAT_I420, PixelFormat::Yu12},
    {GST_VIDEO_FORMAT_Y42B, PixelFormat::Yu16},
    {GST_VIDEO_FORMAT_YUY2, PixelFormat::Yuyv},
    {GST_VIDEO_FORMAT_UYVY, PixelFormat::Uyvy},
    {GST_VIDEO_FORMAT_BGR, PixelFormat::Bgr8},
    {GST_VIDEO_FORMAT_RGB, PixelFormat::Rgb8},
    {GST_VIDEO_FORMAT_GRAY8, PixelFormat::Grey8},
}};

constexpr const char *kSink =
    " ! appsink name=jetscope max-buffers=2 drop=true sync=false caps=\"video/x-raw,format={NV12,I420,Y42B,YUY2,"
    "UYVY,BGR,RGB,GRAY8}\"";

/// A camera has only a few such buffers, and the camera lacks those held here; so only one is queued.
constexpr const char *kHardwareSink =
    " ! appsink name=jetscope max-buffers=1 drop=true sync=false caps=\"video/x-raw(memory:NVMM),format=NV12\"";

YuvColour colourOf(const GstVideoColorimetry &colour)
{
    const bool full = colour.range == GST_VIDEO_COLOR_RANGE_0_255;
    if (colour.matrix == GST_VIDEO_COLOR_MATRIX_BT709)
        return full ? YuvColour::Bt709Full : YuvColour::Bt709Limited;
    return full ? YuvColour::Bt601Full : YuvColour::Bt601Limited;
}

/// By default a network source buffers two seconds of pictures and waits five for the first; this shortens both.
void shortenQueue(GstElement *, GstElement *source, gpointer)
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
}

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

// --- a picture

void StreamPicture::Deleter::operator()(GstSample *sample) const
{
    gst_sample_unref(sample);
}

Result<ImageLayout> StreamPicture::layout() const
{
    GstVideoInfo info;
    GstCaps *caps = gst_sample_get_caps(m_sample.get());
    if (!caps || !gst_video_info_from_caps(&info, caps))
        return Error{kStreamCall, 0, "the stream does not report the format of its pictures"};
    if (info.width < 1 || info.height < 1 || info.width > kMaxImageSide || info.height > kMaxImageSide)
        return Error{kStreamCall, 0, "the stream's pictures are larger than anything can show"};
    for (const Format &format : kStreamFormats)
        if (format.theirs == GST_VIDEO_INFO_FORMAT(&info))
            return makeImageLayout(format.ours, info.width, info.height, colourOf(info.colorimetry));
    return Error{kStreamCall, 0, "the stream's pictures are of a format that Jetscope does not read"};
}

double StreamPicture::rate() const
{
    GstVideoInfo info;
    GstCaps *caps = gst_sample_get_caps(m_sample.get());
    if (!caps || !gst_video_info_from_caps(&info, caps) || info.fps_n <= 0 || info.fps_d <= 0)
        return 0;
    return static_cast<double>(info.fps_n) / info.fps_d;
}

Status StreamPicture::copyTo(const ImageLayout &layout, std::byte *into) const
{
    GstVideoInfo info;
    GstVideoFrame frame;
    if (!gst_video_info_from_caps(&info, gst_sample_get_caps(m_sample.get()))
        || !gst_video_frame_map(&frame, &info, gst_sample_get_buffer(m_sample.get()), GST_MAP_READ))
        return Error{kStreamCall, 0, "a picture of the stream cannot be read: it is shorter than its format requires"};
    for (int i = 0; i < layout.planeCount; ++i) {
        const PlaneLayout &plane = layout.planes[static_cast<std::size_t>(i)];
        const auto *from = static_cast<const std::byte *>(GST_VIDEO_FRAME_PLANE_DATA(&frame, i));
        const auto pitch = static_cast<std::size_t>(GST_VIDEO_FRAME_PLANE_STRIDE(&frame, i));
        for (std::size_t y = 0; y < static_cast<std::size_t>(plane.rows); ++y)
            std::memcpy(into + plane.offset + y * plane.pitch, from + y * pitch, plane.rowBytes);
    }
    gst_video_frame_unmap(&frame);
    return {};
}

namespace {

class MappedSample final : public MappedPicture {
public:
    MappedSample(GstSample *sample, const GstMapInfo &map)
        : MappedPicture(map.data, map.size), m_sample(gst_sample_ref(sample)), m_map(map)
    {
    }
    ~MappedSample() override
    {
        gst_buffer_unmap(gst_sample_get_buffer(m_sample), &m_map);
        gst_sample_unref(m_sample);
    }

private:
    GstSample *m_sample;
    GstMapInfo m_map;
};

} // namespace

Result<std::shared_ptr<MappedPicture>> StreamPicture::map() const
{
    GstBuffer *buffer = gst_sample_get_buffer(m_sample.get());
    GstMapInfo map;
    if (!buffer || !gst_buffer_map(buffer, &map, GST_MAP_READ))
        return Error{kStreamCall, 0, "a picture of the stream cannot be read"};
    return std::shared_ptr<MappedPicture>(std::make_shared<MappedSample>(m_sample.get(), map));
}

// --- the pipeline

void StreamPipeline::Deleter::operator()(GstElement *element) const
{
    gst_object_unref(element);
}

StreamPipeline::StreamPipeline(GstElement *pipeline)
    : m_pipeline(pipeline), m_sink(gst_bin_get_by_name(GST_BIN(pipeline), "jetscope"))
{
}

StreamPipeline::~StreamPipeline()
{
    gst_element_set_state(m_pipeline.get(), GST_STATE_NULL);
}

Result<std::unique_ptr<StreamPipeline>> StreamPipeline::start(const std::string &text, StreamMemory memory,
                                                              StreamOrigin origin)
{
    JETSCOPE_TRY_ASSIGN(GstElement * launched,
                        launchPipeline(text + (memory == StreamMemory::Cpu ? kSink : kHardwareSink)));
    GstElement *parsed = launched;
    std::unique_ptr<StreamPipeline> pipeline(new StreamPipeline(parsed));
    boundPictures(pipeline->m_sink.get());
    if (origin == StreamOrigin::Network)
        boundEncodedFrames(parsed);
    if (GstElement *source = gst_bin_get_by_name(GST_BIN(parsed), "jetscopesource")) {
        g_signal_connect(source, "source-setup", G_CALLBACK(shortenQueue), nullptr);
        gst_object_unref(source);
    }
    if (gst_element_set_state(parsed, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE)
        return pipeline->failure();
    return pipeline;
}

Result<std::optional<StreamPicture>> StreamPipeline::next(std::chrono::milliseconds timeout)
{
    const auto nanoseconds = static_cast<GstClockTime>(std::chrono::nanoseconds(timeout).count());
    if (GstSample *sample = gst_app_sink_try_pull_sample(GST_APP_SINK(m_sink.get()), nanoseconds))
        return std::optional<StreamPicture>(StreamPicture(sample, captureTimeOf(m_pipeline.get(), sample)));
    const Error error = failure();
    if (error.code == 0 && error.text.empty())
        return std::optional<StreamPicture>();
    return error;
}

/// The error that the pipeline's elements have reported; empty if there is none.
Error StreamPipeline::failure() const
{
    if (const std::optional<Error> failed = failureOf(m_pipeline.get()))
        return *failed;
    return gst_app_sink_is_eos(GST_APP_SINK(m_sink.get())) ? Error{kStreamCall, kEnded, "the stream ended"}
                                                           : Error{kStreamCall, 0, ""};
}

} // namespace jetscope
