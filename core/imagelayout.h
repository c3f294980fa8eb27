// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace jetscope {

/// Pixel formats of frame sources, and inputs of the conversion stage. Rgba8 is also the format of all intermediate
/// images and of the output texture.
enum class PixelFormat : std::uint8_t {
    Rgba8, ///< R, G, B, A bytes.
    Bgr8,  ///< B, G, R bytes; OpenCV's format.
    Nv12,  ///< Full-size Y plane, then half-size interleaved U, V.
    Yuyv,  ///< Y0 U Y1 V for two pixels (V4L2_PIX_FMT_YUYV).
    Grey8, ///< One luminance byte.
    Rgb8,  ///< R, G, B bytes.
    Uyvy,  ///< U Y0 V Y1 for two pixels.
    Yu12,  ///< Full-size Y plane, then half-size U, then half-size V (4:2:0; I420).
    Yu16,  ///< The same with U and V of full height (4:2:2).
};

std::string_view pixelFormatName(PixelFormat format);

/// Colour encoding of a YUV image: the weights of red, green and blue, and whether black is 16 (limited range) or 0
/// (full range).
enum class YuvColour : std::uint8_t { Bt601Limited, Bt601Full, Bt709Limited, Bt709Full };

/// For example "BT.601, limited range".
std::string_view yuvColourName(YuvColour colour);

/// Whether the format stores luma and chroma.
bool isYuv(PixelFormat format);

/// One plane of an image in linear memory. Offset and pitch are in bytes; rows are lines of the plane.
struct PlaneLayout {
    std::size_t offset = 0;
    std::size_t pitch = 0;
    int rows = 0;
    std::size_t rowBytes = 0; ///< Bytes of pixel data in a row, at most the pitch.
};

/// Layout of an image's pixels in one linear allocation. Width and height are in pixels.
struct ImageLayout {
    PixelFormat format = PixelFormat::Rgba8;
    YuvColour colour = YuvColour::Bt601Limited; ///< Only meaningful for YUV formats.
    int width = 0;
    int height = 0;
    int planeCount = 0;
    std::array<PlaneLayout, 3> planes{};
    std::size_t bytes = 0; ///< Size of the whole allocation, padding included.

    bool operator==(const ImageLayout &other) const;
};

/// Rows start at multiples of this many bytes, so that vector units and 16-byte GPU loads need no special case for a
/// remainder.
inline constexpr std::size_t kRowAlignment = 64;

/// The largest width or height accepted anywhere; the limit of the texture units Jetscope supports.
inline constexpr int kMaxImageSide = 16384;

/// Layout with rows aligned to kRowAlignment. Odd sizes are allowed: chroma planes round up. Width and height must be
/// in 1..kMaxImageSide.
ImageLayout makeImageLayout(PixelFormat format, int width, int height, YuvColour colour = YuvColour::Bt601Limited);

/// Bytes of the image without row padding: the least that a copy of the frame has to move.
std::size_t pictureBytes(const ImageLayout &layout);

} // namespace jetscope
