// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/imagelayout.h"

#include <cassert>

namespace jetscope {

namespace {

std::size_t alignedPitch(std::size_t rowBytes)
{
    return (rowBytes + kRowAlignment - 1) / kRowAlignment * kRowAlignment;
}

std::size_t rowBytesOf(PixelFormat format, int width)
{
    const auto pixels = static_cast<std::size_t>(width);
    switch (format) {
    case PixelFormat::Rgba8:
        return pixels * 4;
    case PixelFormat::Bgr8:
        return pixels * 3;
    case PixelFormat::Yuyv:
        return (pixels + 1) / 2 * 4;
    case PixelFormat::Nv12:
    case PixelFormat::Grey8:
        return pixels;
    }
    return 0;
}

} // namespace

std::string_view pixelFormatName(PixelFormat format)
{
    switch (format) {
    case PixelFormat::Rgba8:
        return "RGBA";
    case PixelFormat::Bgr8:
        return "BGR";
    case PixelFormat::Nv12:
        return "NV12";
    case PixelFormat::Yuyv:
        return "YUYV";
    case PixelFormat::Grey8:
        return "GREY";
    }
    return "?";
}

bool ImageLayout::operator==(const ImageLayout &other) const
{
    // Everything else follows from these three.
    return format == other.format && width == other.width && height == other.height;
}

ImageLayout makeImageLayout(PixelFormat format, int width, int height)
{
    assert(width >= 1 && width <= kMaxImageSide && height >= 1 && height <= kMaxImageSide);
    ImageLayout layout;
    layout.format = format;
    layout.width = width;
    layout.height = height;
    layout.planeCount = format == PixelFormat::Nv12 ? 2 : 1;
    layout.planes[0].rowBytes = rowBytesOf(format, width);
    layout.planes[0].pitch = alignedPitch(layout.planes[0].rowBytes);
    layout.planes[0].rows = height;
    layout.bytes = layout.planes[0].pitch * static_cast<std::size_t>(height);
    if (format == PixelFormat::Nv12) {
        PlaneLayout &chroma = layout.planes[1];
        chroma.offset = layout.bytes;
        chroma.rowBytes = static_cast<std::size_t>((width + 1) / 2) * 2;
        chroma.pitch = alignedPitch(chroma.rowBytes);
        chroma.rows = (height + 1) / 2;
        layout.bytes += chroma.pitch * static_cast<std::size_t>(chroma.rows);
    }
    return layout;
}

std::size_t pictureBytes(const ImageLayout &layout)
{
    std::size_t bytes = 0;
    for (int plane = 0; plane < layout.planeCount; ++plane)
        bytes += layout.planes[static_cast<std::size_t>(plane)].rowBytes
            * static_cast<std::size_t>(layout.planes[static_cast<std::size_t>(plane)].rows);
    return bytes;
}

} // namespace jetscope
