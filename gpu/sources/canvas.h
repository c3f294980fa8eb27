// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"

#include <cstddef>
#include <cstdint>

namespace jetscope {

struct Colour {
    std::uint8_t red = 0;
    std::uint8_t green = 0;
    std::uint8_t blue = 0;
};

/// Draws plain shapes into an image of any input format. It only writes, row by row, so that the image may be in
/// uncached memory. Does not own the pixels; clips to the image.
class Canvas {
public:
    /// `pixels` holds `layout.bytes` bytes and must outlive the canvas; the format is one that a source delivers (not
    /// RGBA).
    Canvas(const ImageLayout &layout, std::byte *pixels);

    int width() const { return m_layout.width; }
    int height() const { return m_layout.height; }

    void fill(int x, int y, int width, int height, Colour colour);
    void disc(int centreX, int centreY, int radius, Colour colour);

private:
    std::uint8_t *row(int plane, int y) const;
    void fillBgr(int left, int top, int right, int bottom, Colour colour);
    void fillNv12(int left, int top, int right, int bottom, Colour colour);
    void fillYuyv(int left, int top, int right, int bottom, Colour colour);
    void fillGrey(int left, int top, int right, int bottom, Colour colour);

    const ImageLayout &m_layout;
    std::byte *m_pixels;
};

} // namespace jetscope
