// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/gstreamer/streampicture.h"

#include <array>
#include <cstring>
#include <gst/gst.h>
#include <gst/video/video.h>

namespace jetscope {

namespace {

constexpr const char *kPictureCall = "GStreamer";

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

YuvColour colourOf(const GstVideoColorimetry &colour)
{
    const bool full = colour.range == GST_VIDEO_COLOR_RANGE_0_255;
    // Of the two that the conversion has, BT.709 is nearer to BT.2020.
    if (colour.matrix == GST_VIDEO_COLOR_MATRIX_BT709 || colour.matrix == GST_VIDEO_COLOR_MATRIX_BT2020)
        return full ? YuvColour::Bt709Full : YuvColour::Bt709Limited;
    return full ? YuvColour::Bt601Full : YuvColour::Bt601Limited;
}

std::string matrixName(GstVideoColorMatrix matrix)
{
    switch (matrix) {
    case GST_VIDEO_COLOR_MATRIX_BT709:
        return "BT.709";
    case GST_VIDEO_COLOR_MATRIX_BT601:
        return "BT.601";
    case GST_VIDEO_COLOR_MATRIX_BT2020:
        return "BT.2020";
    default:
        return {};
    }
}

std::string transferName(GstVideoTransferFunction transfer)
{
    switch (transfer) {
    case GST_VIDEO_TRANSFER_BT709:
    case GST_VIDEO_TRANSFER_BT601:
    case GST_VIDEO_TRANSFER_BT2020_10:
    case GST_VIDEO_TRANSFER_BT2020_12:
        return "BT.709"; // One curve of several names.
    case GST_VIDEO_TRANSFER_SRGB:
        return "sRGB";
    case GST_VIDEO_TRANSFER_SMPTE2084:
        return "PQ";
    case GST_VIDEO_TRANSFER_ARIB_STD_B67:
        return "HLG";
    default:
        return {};
    }
}

std::string fieldOrderOf(const GstVideoInfo &info)
{
    switch (info.interlace_mode) {
    case GST_VIDEO_INTERLACE_MODE_PROGRESSIVE:
        return "progressive";
    case GST_VIDEO_INTERLACE_MODE_ALTERNATE:
        return "alternating fields";
    default:
        break;
    }
    switch (GST_VIDEO_INFO_FIELD_ORDER(&info)) {
    case GST_VIDEO_FIELD_ORDER_TOP_FIELD_FIRST:
        return "top field first";
    case GST_VIDEO_FIELD_ORDER_BOTTOM_FIELD_FIRST:
        return "bottom field first";
    default:
        return "interlaced";
    }
}

} // namespace

void StreamPicture::Deleter::operator()(GstSample *sample) const
{
    gst_sample_unref(sample);
}

Result<ImageLayout> StreamPicture::layout() const
{
    GstVideoInfo info;
    GstCaps *caps = gst_sample_get_caps(m_sample.get());
    if (!caps || !gst_video_info_from_caps(&info, caps))
        return Error{kPictureCall, 0, "the stream does not report the format of its pictures"};
    if (info.width < 1 || info.height < 1 || info.width > kMaxImageSide || info.height > kMaxImageSide)
        return Error{kPictureCall, 0, "the stream's pictures are larger than anything can show"};
    for (const Format &format : kStreamFormats)
        if (format.theirs == GST_VIDEO_INFO_FORMAT(&info))
            return makeImageLayout(format.ours, info.width, info.height, colourOf(info.colorimetry));
    return Error{kPictureCall, 0, "the stream's pictures are of a format that Jetscope does not read"};
}

double StreamPicture::rate() const
{
    GstVideoInfo info;
    GstCaps *caps = gst_sample_get_caps(m_sample.get());
    if (!caps || !gst_video_info_from_caps(&info, caps) || info.fps_n <= 0 || info.fps_d <= 0)
        return 0;
    return static_cast<double>(info.fps_n) / info.fps_d;
}

const void *StreamPicture::caps() const
{
    return gst_sample_get_caps(m_sample.get());
}

StreamFacts StreamPicture::facts() const
{
    StreamFacts facts;
    GstVideoInfo info;
    GstCaps *caps = gst_sample_get_caps(m_sample.get());
    if (!caps || !gst_video_info_from_caps(&info, caps))
        return facts;
    facts.width = info.width;
    facts.height = info.height;
    facts.claimedFps = rate();
    facts.codec = std::string("raw ") + gst_video_format_to_string(GST_VIDEO_INFO_FORMAT(&info));
    if (GST_VIDEO_INFO_IS_YUV(&info)) {
        facts.color.matrix = matrixName(info.colorimetry.matrix);
        facts.color.range = info.colorimetry.range == GST_VIDEO_COLOR_RANGE_0_255 ? "full" : "limited";
        facts.color.transfer = transferName(info.colorimetry.transfer);
    }
    if (info.par_n > 0 && info.par_d > 0)
        facts.sampleAspect = static_cast<double>(info.par_n) / info.par_d;
    facts.fieldOrder = fieldOrderOf(info);
    return facts;
}

Status StreamPicture::copyTo(const ImageLayout &layout, std::byte *into) const
{
    GstVideoInfo info;
    GstVideoFrame frame;
    if (!gst_video_info_from_caps(&info, gst_sample_get_caps(m_sample.get()))
        || !gst_video_frame_map(&frame, &info, gst_sample_get_buffer(m_sample.get()), GST_MAP_READ))
        return Error{kPictureCall, 0, "a picture of the stream cannot be read: it is shorter than its format requires"};
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
        return Error{kPictureCall, 0, "a picture of the stream cannot be read"};
    return std::shared_ptr<MappedPicture>(std::make_shared<MappedSample>(m_sample.get(), map));
}

} // namespace jetscope
