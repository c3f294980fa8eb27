// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace jetscope {

/// The brightness of a picture in memory that it does not own: luma, or green where the format has none.
struct LumaView {
    const std::uint8_t *first = nullptr; ///< Of the top left pixel.
    std::size_t pitch = 0;
    std::size_t step = 1; ///< Bytes from a pixel to the next.
    int width = 0;
    int height = 0;

    std::size_t offset(int x, int y) const
    {
        return static_cast<std::size_t>(y) * pitch + static_cast<std::size_t>(x) * step;
    }
    std::uint8_t at(int x, int y) const { return first[offset(x, y)]; }
};

/// `bytes` holds an image of that layout.
LumaView lumaOf(const ImageLayout &layout, const std::byte *bytes);

/// A picture of brightness.
struct LumaPicture {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> pixels;

    LumaView view() const { return {pixels.data(), static_cast<std::size_t>(width), 1, width, height}; }
};

/// Each pixel is the mean of `factor` x `factor` pixels; what is left over at right and bottom is left out.
LumaPicture reduced(const LumaView &from, int factor);

} // namespace jetscope
