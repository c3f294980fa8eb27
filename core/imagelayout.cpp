// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/imagelayout.h"

#include "core/enumtable.h"

#include <cassert>

namespace jetscope {

namespace {

constexpr auto kColourNames = enumWords<YuvColour>(
    {"BT.601, limited range", "BT.601, full range", "BT.709, limited range", "BT.709, full range"});

constexpr auto kFormatNames =
    enumWords<PixelFormat>({"RGBA", "BGR", "NV12", "YUYV", "GREY", "RGB", "UYVY", "YU12", "YU16"});

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
    case PixelFormat::Rgb8:
        return pixels * 3;
    case PixelFormat::Yuyv:
    case PixelFormat::Uyvy:
        return (pixels + 1) / 2 * 4;
    case PixelFormat::Nv12:
    case PixelFormat::Grey8:
    case PixelFormat::Yu12:
    case PixelFormat::Yu16:
        return pixels;
    }
    return 0;
}

/// The planes after the first: how many there are, and the bytes and number of their rows.
struct ChromaPlanes {
    int count = 0;
    std::size_t rowBytes = 0;
    int rows = 0;
};

ChromaPlanes chromaPlanesOf(PixelFormat format, int width, int height)
{
    const auto half = static_cast<std::size_t>((width + 1) / 2);
    switch (format) {
    case PixelFormat::Nv12:
        return {1, 2 * half, (height + 1) / 2};
    case PixelFormat::Yu12:
        return {2, half, (height + 1) / 2};
    case PixelFormat::Yu16:
        return {2, half, height};
    case PixelFormat::Rgba8:
    case PixelFormat::Bgr8:
    case PixelFormat::Rgb8:
    case PixelFormat::Yuyv:
    case PixelFormat::Uyvy:
    case PixelFormat::Grey8:
        break;
    }
    return {};
}

} // namespace

std::string_view pixelFormatName(PixelFormat format)
{
    return kFormatNames[static_cast<std::size_t>(format)];
}

std::string_view yuvColourName(YuvColour colour)
{
    return kColourNames[static_cast<std::size_t>(colour)];
}

bool isYuv(PixelFormat format)
{
    return format == PixelFormat::Yuyv || format == PixelFormat::Uyvy || chromaPlanesOf(format, 1, 1).count > 0;
}

bool ImageLayout::operator==(const ImageLayout &other) const
{
    // All other members follow from these.
    return format == other.format && width == other.width && height == other.height
        && (colour == other.colour || !isYuv(format));
}

ImageLayout makeImageLayout(PixelFormat format, int width, int height, YuvColour colour)
{
    assert(width >= 1 && width <= kMaxImageSide && height >= 1 && height <= kMaxImageSide);
    ImageLayout layout;
    layout.format = format;
    layout.colour = colour;
    layout.width = width;
    layout.height = height;
    const auto addPlane = [&layout](std::size_t rowBytes, int rows) {
        PlaneLayout &plane = layout.planes[static_cast<std::size_t>(layout.planeCount++)];
        plane = {layout.bytes, alignedPitch(rowBytes), rows, rowBytes};
        layout.bytes += plane.pitch * static_cast<std::size_t>(rows);
    };
    addPlane(rowBytesOf(format, width), height);
    const ChromaPlanes chroma = chromaPlanesOf(format, width, height);
    for (int plane = 0; plane < chroma.count; ++plane)
        addPlane(chroma.rowBytes, chroma.rows);
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
