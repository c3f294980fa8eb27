// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace jetscope {

struct PictureSize {
    std::uint64_t width = 0;
    std::uint64_t height = 0;
};

/// The size that a PNG, JPEG, BMP, TIFF, WebP or PNM file says it has, so that nobody decodes a picture too large to be
/// shown. None for other files, and where the header is cut short or makes no sense.
std::optional<PictureSize> pictureSizeIn(std::string_view file);

} // namespace jetscope
