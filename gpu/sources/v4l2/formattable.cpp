// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/v4l2/formattable.h"

#include "gpu/sources/v4l2/fieldweave.h"

#include <algorithm>
#include <cctype>

namespace jetscope {

const std::vector<ReadableFormat> &readableFormats()
{
    static const std::vector<ReadableFormat> all = {
        {"YUYV", V4L2_PIX_FMT_YUYV, PixelFormat::Yuyv, false},
        {"UYVY", V4L2_PIX_FMT_UYVY, PixelFormat::Uyvy, false},
        {"NV12", V4L2_PIX_FMT_NV12, PixelFormat::Nv12, false},
        {"YU12", V4L2_PIX_FMT_YUV420, PixelFormat::Yu12, false},
        {"YU16", V4L2_PIX_FMT_YUV422P, PixelFormat::Yu16, false},
        {"MJPEG", V4L2_PIX_FMT_MJPEG, PixelFormat::Yu16, true},
        {"BGR", V4L2_PIX_FMT_BGR24, PixelFormat::Bgr8, false},
        {"RGB", V4L2_PIX_FMT_RGB24, PixelFormat::Rgb8, false},
        {"GREY", V4L2_PIX_FMT_GREY, PixelFormat::Grey8, false},
        {"JPEG", V4L2_PIX_FMT_JPEG, PixelFormat::Yu12, true},
    };
    return all;
}

const ReadableFormat *formatOf(std::uint32_t fourcc)
{
    const auto &all = readableFormats();
    const auto found =
        std::find_if(all.begin(), all.end(), [=](const ReadableFormat &row) { return row.fourcc == fourcc; });
    return found == all.end() ? nullptr : &*found;
}

const ReadableFormat *formatNamed(std::string_view name)
{
    const auto sameLetter = [](char a, char b) {
        return std::toupper(static_cast<unsigned char>(a)) == std::toupper(static_cast<unsigned char>(b));
    };
    const auto &all = readableFormats();
    const auto found = std::find_if(all.begin(), all.end(), [&](const ReadableFormat &row) {
        return std::equal(row.name.begin(), row.name.end(), name.begin(), name.end(), sameLetter);
    });
    return found == all.end() ? nullptr : &*found;
}

std::string formatText(std::uint32_t fourcc)
{
    if (const ReadableFormat *known = formatOf(fourcc))
        return std::string(known->name);
    std::string letters;
    for (int shift = 0; shift < 32; shift += 8) {
        const char letter = static_cast<char>(fourcc >> shift & 0x7f);
        letters += letter > ' ' && letter < 0x7f ? letter : '?';
    }
    return letters;
}

namespace {

std::uint32_t encodingOf(const v4l2_pix_format &format)
{
    if (format.ycbcr_enc != V4L2_YCBCR_ENC_DEFAULT)
        return format.ycbcr_enc;
    return V4L2_MAP_YCBCR_ENC_DEFAULT(format.colorspace);
}

} // namespace

YuvColour colourOf(const v4l2_pix_format &format)
{
    const std::uint32_t encoding = encodingOf(format);
    std::uint32_t range = format.quantization;
    if (range == V4L2_QUANTIZATION_DEFAULT)
        range = format.colorspace == V4L2_COLORSPACE_JPEG ? V4L2_QUANTIZATION_FULL_RANGE : V4L2_QUANTIZATION_LIM_RANGE;
    // For other encodings, which no supported camera uses, BT.709 is the nearest.
    const bool bt601 = encoding == V4L2_YCBCR_ENC_601 || encoding == V4L2_YCBCR_ENC_XV601;
    if (range == V4L2_QUANTIZATION_FULL_RANGE)
        return bt601 ? YuvColour::Bt601Full : YuvColour::Bt709Full;
    return bt601 ? YuvColour::Bt601Limited : YuvColour::Bt709Limited;
}

namespace {

/// Of RGB and grey pictures, which are shown as they are.
std::string rangeText(const v4l2_pix_format &format)
{
    return format.quantization == V4L2_QUANTIZATION_LIM_RANGE ? "limited"
        : format.quantization == V4L2_QUANTIZATION_FULL_RANGE ? "full"
                                                              : "";
}

std::string transferText(std::uint32_t transfer)
{
    switch (transfer) {
    case V4L2_XFER_FUNC_709:
        return "BT.709";
    case V4L2_XFER_FUNC_SRGB:
        return "sRGB";
    case V4L2_XFER_FUNC_SMPTE2084:
        return "PQ";
    default:
        return "";
    }
}

} // namespace

std::string colourRemark(const v4l2_pix_format &format)
{
    const ReadableFormat *known = formatOf(format.pixelformat);
    if (!known || known->compressed)
        return {};
    const std::uint32_t encoding = encodingOf(format);
    if (!isYuv(known->pixels))
        return format.quantization == V4L2_QUANTIZATION_LIM_RANGE
            ? "the camera's driver reports limited range, which is not applied to its format: it looks flat"
            : "";
    if (encoding == V4L2_YCBCR_ENC_BT2020 || encoding == V4L2_YCBCR_ENC_BT2020_CONST_LUM)
        return "the camera's colours are BT.2020 and are shown as BT.709, the nearest: saturated ones are wrong";
    if (encoding == V4L2_YCBCR_ENC_SMPTE240M)
        return "the camera's colours are SMPTE 240M and are shown as BT.709, the nearest";
    return {};
}

StreamFacts streamFactsOf(const v4l2_pix_format &format, double fps)
{
    const ReadableFormat *known = formatOf(format.pixelformat);
    StreamFacts facts;
    facts.codec = (known && known->compressed ? "" : "raw ") + formatText(format.pixelformat);
    facts.width = static_cast<int>(format.width);
    facts.height = static_cast<int>(format.height);
    facts.claimedFps = fps;
    facts.fieldOrder = fieldOrderText(format.field);
    if (known && known->compressed) {
        facts.color = streamColorOf(YuvColour::Bt601Full); // JFIF defines only this one.
        facts.decoder = "libjpeg-turbo";
        facts.decoderKind = "software";
    } else if (known && isYuv(known->pixels)) {
        facts.color = streamColorOf(colourOf(format));
        const std::uint32_t encoding = encodingOf(format);
        if (encoding == V4L2_YCBCR_ENC_BT2020 || encoding == V4L2_YCBCR_ENC_BT2020_CONST_LUM)
            facts.color.matrix = "BT.2020";
        if (encoding == V4L2_YCBCR_ENC_SMPTE240M)
            facts.color.matrix = "SMPTE 240M";
        facts.color.assumed =
            format.colorspace == V4L2_COLORSPACE_DEFAULT && format.ycbcr_enc == V4L2_YCBCR_ENC_DEFAULT;
    } else {
        facts.color.range = rangeText(format);
    }
    facts.color.transfer = transferText(format.xfer_func);
    return facts;
}

ImageLayout driverLayout(const ImageLayout &ours, const v4l2_pix_format &format)
{
    ImageLayout layout = ours;
    layout.bytes = 0;
    for (int i = 0; i < layout.planeCount; ++i) {
        PlaneLayout &plane = layout.planes[static_cast<std::size_t>(i)];
        const bool halfWidth = i > 0 && plane.rowBytes < ours.planes[0].rowBytes && layout.planeCount == 3;
        const std::size_t pitch = format.bytesperline / (halfWidth ? 2 : 1);
        plane.offset = layout.bytes;
        plane.pitch = pitch < plane.rowBytes ? plane.rowBytes : pitch; // Some drivers leave it 0.
        layout.bytes += plane.pitch * static_cast<std::size_t>(plane.rows);
    }
    return layout;
}

} // namespace jetscope
