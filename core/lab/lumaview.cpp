// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/lab/lumaview.h"

#include <algorithm>

namespace jetscope {

LumaView lumaOf(const ImageLayout &layout, const std::byte *bytes)
{
    const PlaneLayout &plane = layout.planes[0];
    std::size_t step = 1;
    std::size_t lead = 0;
    switch (layout.format) {
    case PixelFormat::Nv12:
    case PixelFormat::Grey8:
    case PixelFormat::Yu12:
    case PixelFormat::Yu16:
        break;
    case PixelFormat::Yuyv:
        step = 2;
        break;
    case PixelFormat::Uyvy:
        step = 2;
        lead = 1;
        break;
    case PixelFormat::Bgr8:
    case PixelFormat::Rgb8:
        step = 3;
        lead = 1;
        break;
    case PixelFormat::Rgba8:
        step = 4;
        lead = 1;
        break;
    }
    return {reinterpret_cast<const std::uint8_t *>(bytes) + plane.offset + lead, plane.pitch, step, layout.width,
            layout.height};
}

LumaPicture reduced(const LumaView &from, int factor)
{
    LumaPicture to{from.width / factor, from.height / factor, {}};
    to.pixels.resize(static_cast<std::size_t>(to.width) * static_cast<std::size_t>(to.height));
    std::vector<std::uint32_t> sums(static_cast<std::size_t>(to.width));
    const auto count = static_cast<std::uint32_t>(factor * factor);
    std::size_t out = 0;
    for (int y = 0; y < to.height; ++y) {
        std::fill(sums.begin(), sums.end(), 0);
        for (int line = 0; line < factor; ++line) {
            const std::uint8_t *pixel = from.first + from.offset(0, y * factor + line);
            for (std::uint32_t &sum : sums)
                for (int i = 0; i < factor; ++i, pixel += from.step)
                    sum += *pixel;
        }
        for (const std::uint32_t sum : sums)
            to.pixels[out++] = static_cast<std::uint8_t>(sum / count);
    }
    return to;
}

} // namespace jetscope
