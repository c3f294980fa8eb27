// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace jetscope {

/// Pixel formats that a frame source delivers and the conversion stage reads. Rgba8 is also the
/// format of every intermediate image and of the output texture.
enum class PixelFormat : std::uint8_t {
    Rgba8, ///< R, G, B, A bytes.
    Bgr8,  ///< B, G, R bytes; what OpenCV decodes to.
    Nv12,  ///< Full-size Y plane, then half-size interleaved U, V.
    Yuyv,  ///< Y0 U Y1 V for two pixels (V4L2_PIX_FMT_YUYV).
    Grey8, ///< One luminance byte.
    Rgb8,  ///< R, G, B bytes.
    Uyvy,  ///< U Y0 V Y1 for two pixels.
    Yu12,  ///< Full-size Y plane, then half-size U, then half-size V (4:2:0; I420).
    Yu16,  ///< The same with U and V of full height (4:2:2).
};

std::string_view pixelFormatName(PixelFormat format);

/// What luma and chroma of a YUV picture stand for: the weights of red, green and blue, and whether black is 16
/// (limited) or 0 (full).
enum class YuvColour : std::uint8_t { Bt601Limited, Bt601Full, Bt709Limited, Bt709Full };

/// "BT.601, limited range".
std::string_view yuvColourName(YuvColour colour);

/// Whether the pixels of a format are luma and chroma.
bool isYuv(PixelFormat format);

/// One plane of an image in linear memory. Offset and pitch are bytes, rows are lines of the plane.
struct PlaneLayout {
    std::size_t offset = 0;
    std::size_t pitch = 0;
    int rows = 0;
    std::size_t rowBytes = 0; ///< Meaningful bytes of a row, at most the pitch.
};

/// Where the pixels of an image lie in one linear allocation. Width and height are pixels.
struct ImageLayout {
    PixelFormat format = PixelFormat::Rgba8;
    YuvColour colour = YuvColour::Bt601Limited; ///< Means something where the format is YUV.
    int width = 0;
    int height = 0;
    int planeCount = 0;
    std::array<PlaneLayout, 3> planes{};
    std::size_t bytes = 0; ///< Of the whole allocation, padding included.

    bool operator==(const ImageLayout &other) const;
};

/// Rows start at multiples of this, so that vector units and 16-byte GPU loads meet no remainder.
inline constexpr std::size_t kRowAlignment = 64;

/// The largest width or height accepted anywhere; the limit of the texture units Jetscope supports.
inline constexpr int kMaxImageSide = 16384;

/// Layout with rows aligned to kRowAlignment. Odd sizes are legal: chroma planes round up.
/// Width and height must be in 1..kMaxImageSide.
ImageLayout makeImageLayout(PixelFormat format, int width, int height, YuvColour colour = YuvColour::Bt601Limited);

/// Bytes of picture without row padding: what a copy of the frame has to move at least.
std::size_t pictureBytes(const ImageLayout &layout);

} // namespace jetscope
