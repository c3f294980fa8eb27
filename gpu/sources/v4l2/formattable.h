// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "gpu/sources/streamfacts.h"

#include <cstdint>
#include <linux/videodev2.h>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// A V4L2 pixel format that we can read.
struct ReadableFormat {
    std::string_view name; ///< The value of `format=`; case-insensitive.
    std::uint32_t fourcc;
    PixelFormat pixels; ///< For a compressed format, the usual result of decoding.
    bool compressed;
};

/// In order of preference, if camera and user leave the choice.
const std::vector<ReadableFormat> &readableFormats();
const ReadableFormat *formatOf(std::uint32_t fourcc);
const ReadableFormat *formatNamed(std::string_view name);
/// "YUYV"; for an unsupported format its four-character code.
std::string formatText(std::uint32_t fourcc);

/// The meaning of luma and chroma as reported by the driver.
YuvColour colourOf(const v4l2_pix_format &format);

/// What of the reported colours is not applied, in a sentence; empty if all of them are.
std::string colourRemark(const v4l2_pix_format &format);

/// What a driver says of the stream that it delivers in this mode.
StreamFacts streamFactsOf(const v4l2_pix_format &format, double fps);

/// The layout of a frame in the driver's buffer: the driver's own pitch, planes without gaps between them.
ImageLayout driverLayout(const ImageLayout &ours, const v4l2_pix_format &format);

} // namespace jetscope
