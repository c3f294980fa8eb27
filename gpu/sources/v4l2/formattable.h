// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"

#include <cstdint>
#include <linux/videodev2.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// A pixel format of the kernel's that we can read.
struct ReadableFormat {
    std::string_view name; ///< As `format=` takes it, in any case.
    std::uint32_t fourcc;
    PixelFormat pixels; ///< Of a compressed one, what it usually decodes to.
    bool compressed;
};

/// In order of preference where camera and user leave the choice.
const std::vector<ReadableFormat> &readableFormats();
const ReadableFormat *formatOf(std::uint32_t fourcc);
const ReadableFormat *formatNamed(std::string_view name);
/// "YUYV" or, of a format that we do not read, its four letters.
std::string formatText(std::uint32_t fourcc);

/// What the driver says its luma and chroma mean.
YuvColour colourOf(const v4l2_pix_format &format);

/// How a driver lays a picture of our format into one of its buffers: with its own pitch, the planes one behind the
/// other.
ImageLayout driverLayout(const ImageLayout &ours, const v4l2_pix_format &format);

} // namespace jetscope
