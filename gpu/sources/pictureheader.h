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

/// The size in the header of a PNG, JPEG, BMP, TIFF, WebP or PNM file. Allows refusing a picture that is too large
/// before decoding it. None for other files, and if the header is truncated or invalid.
std::optional<PictureSize> pictureSizeIn(std::string_view file);

/// "PNG", "JPEG", by its first bytes and not by its name; empty for other files.
std::string_view pictureKindIn(std::string_view file);

} // namespace jetscope
