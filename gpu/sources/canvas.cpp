// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/canvas.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace jetscope {

namespace {

struct Yuv {
    std::uint8_t y = 0;
    std::uint8_t u = 0;
    std::uint8_t v = 0;
};

/// BT.601, limited range, in the usual 8-bit fixed-point arithmetic.
Yuv toYuv(Colour c)
{
    const int y = (66 * c.red + 129 * c.green + 25 * c.blue + 128) / 256 + 16;
    // The offset keeps the numerator positive, so that the division rounds the same way for every colour.
    const int u = (-38 * c.red - 74 * c.green + 112 * c.blue + 128 + 128 * 256) / 256;
    const int v = (112 * c.red - 94 * c.green - 18 * c.blue + 128 + 128 * 256) / 256;
    return {static_cast<std::uint8_t>(y), static_cast<std::uint8_t>(u), static_cast<std::uint8_t>(v)};
}

/// Cameras deliver full-range grey.
std::uint8_t toGrey(Colour c)
{
    return static_cast<std::uint8_t>((77 * c.red + 150 * c.green + 29 * c.blue + 128) / 256);
}

/// A chroma sample belongs to the shape that covers its first pixel, so exactly one shape writes it.
int chromaOf(int pixel)
{
    return (pixel + 1) / 2;
}

} // namespace

Canvas::Canvas(const ImageLayout &layout, std::byte *pixels) : m_layout(layout), m_pixels(pixels) {}

std::uint8_t *Canvas::row(int plane, int y) const
{
    const PlaneLayout &lines = m_layout.planes[static_cast<std::size_t>(plane)];
    return reinterpret_cast<std::uint8_t *>(m_pixels) + lines.offset + lines.pitch * static_cast<std::size_t>(y);
}

void Canvas::fill(int x, int y, int width, int height, Colour colour)
{
    const int left = std::max(x, 0);
    const int top = std::max(y, 0);
    const int right = std::min(x + width, m_layout.width);
    const int bottom = std::min(y + height, m_layout.height);
    if (left >= right || top >= bottom)
        return;
    switch (m_layout.format) {
    case PixelFormat::Bgr8:
        return fillBgr(left, top, right, bottom, colour);
    case PixelFormat::Nv12:
        return fillNv12(left, top, right, bottom, colour);
    case PixelFormat::Yuyv:
        return fillYuyv(left, top, right, bottom, colour);
    case PixelFormat::Grey8:
        return fillGrey(left, top, right, bottom, colour);
    case PixelFormat::Rgba8:
    case PixelFormat::Rgb8:
    case PixelFormat::Uyvy:
    case PixelFormat::Yu12:
    case PixelFormat::Yu16:
        return; // The test card does not use these formats.
    }
}

void Canvas::disc(int centreX, int centreY, int radius, Colour colour)
{
    for (int dy = -radius; dy <= radius; ++dy) {
        const int half = static_cast<int>(std::sqrt(static_cast<double>(radius * radius - dy * dy)));
        fill(centreX - half, centreY + dy, 2 * half + 1, 1, colour);
    }
}

void Canvas::fillBgr(int left, int top, int right, int bottom, Colour colour)
{
    for (int y = top; y < bottom; ++y) {
        std::uint8_t *pixel = row(0, y) + left * 3;
        for (int x = left; x < right; ++x) {
            *pixel++ = colour.blue;
            *pixel++ = colour.green;
            *pixel++ = colour.red;
        }
    }
}

void Canvas::fillNv12(int left, int top, int right, int bottom, Colour colour)
{
    const Yuv yuv = toYuv(colour);
    for (int y = top; y < bottom; ++y)
        std::memset(row(0, y) + left, yuv.y, static_cast<std::size_t>(right - left));
    for (int y = chromaOf(top); y < chromaOf(bottom); ++y) {
        std::uint8_t *sample = row(1, y) + chromaOf(left) * 2;
        for (int x = chromaOf(left); x < chromaOf(right); ++x) {
            *sample++ = yuv.u;
            *sample++ = yuv.v;
        }
    }
}

void Canvas::fillYuyv(int left, int top, int right, int bottom, Colour colour)
{
    const Yuv yuv = toYuv(colour);
    for (int y = top; y < bottom; ++y) {
        std::uint8_t *line = row(0, y);
        for (int x = left; x < right; ++x)
            line[x * 2] = yuv.y;
        for (int x = chromaOf(left); x < chromaOf(right); ++x) {
            line[x * 4 + 1] = yuv.u;
            line[x * 4 + 3] = yuv.v;
        }
    }
}

void Canvas::fillGrey(int left, int top, int right, int bottom, Colour colour)
{
    for (int y = top; y < bottom; ++y)
        std::memset(row(0, y) + left, toGrey(colour), static_cast<std::size_t>(right - left));
}

} // namespace jetscope
