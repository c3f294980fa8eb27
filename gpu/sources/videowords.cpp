// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/videowords.h"

namespace jetscope {

std::string codecText(AVCodecID codec)
{
    switch (codec) {
    case AV_CODEC_ID_MJPEG:
        return "MJPEG";
    case AV_CODEC_ID_VP8:
        return "VP8";
    case AV_CODEC_ID_VP9:
        return "VP9";
    case AV_CODEC_ID_AV1:
        return "AV1";
    case AV_CODEC_ID_HEVC:
        return "H.265";
    default:
        break;
    }
    const AVCodecDescriptor *descriptor = avcodec_descriptor_get(codec);
    if (!descriptor)
        return avcodec_get_name(codec);
    const std::string all = descriptor->long_name ? descriptor->long_name : descriptor->name;
    return all.substr(0, all.find(" / ")); // "H.264 / AVC / MPEG-4 AVC / MPEG-4 part 10"
}

std::string fieldOrderText(AVFieldOrder order)
{
    switch (order) {
    case AV_FIELD_PROGRESSIVE:
        return "progressive";
    case AV_FIELD_TT:
    case AV_FIELD_BT:
        return "top field first";
    case AV_FIELD_BB:
    case AV_FIELD_TB:
        return "bottom field first";
    default:
        return "";
    }
}

} // namespace jetscope
