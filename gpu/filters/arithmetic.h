// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// The arithmetic of every filter, written once: weights, fixed point, rounding, border, colour matrices. The CPU's
// row loops and the CUDA kernels are built from these functions, so that both give the same bytes and each tests the
// other. Loops, tiles and memory belong to the back ends. Wherever OpenCV has the same operation for 8-bit pixels,
// the bytes are OpenCV's.
//
// Nothing here may come from the standard library's headers with code in them: the CPU compiles this file several
// times with different instruction sets, and a shared inline function would then be picked at random by the linker.
#if defined(__CUDACC__)
#define JETSCOPE_ARITHMETIC __host__ __device__ __forceinline__ constexpr
#else
#define JETSCOPE_ARITHMETIC [[gnu::always_inline]] inline constexpr
#endif

namespace jetscope::arithmetic {

JETSCOPE_ARITHMETIC int smaller(int a, int b)
{
    return a < b ? a : b;
}
JETSCOPE_ARITHMETIC int larger(int a, int b)
{
    return a < b ? b : a;
}
JETSCOPE_ARITHMETIC int absolute(int a)
{
    return a < 0 ? -a : a;
}
JETSCOPE_ARITHMETIC int clampToByte(int a)
{
    return smaller(larger(a, 0), 255);
}

/// Border of every neighbourhood: ...cb|abcd|cb..., the edge pixel itself not repeated. Any index, any size >= 1; an
/// image smaller than the kernel is reflected as often as needed, and a single pixel is its own neighbour.
JETSCOPE_ARITHMETIC int reflect101(int index, int size)
{
    if (size == 1)
        return 0;
    while (index < 0 || index >= size)
        index = index < 0 ? -index : 2 * (size - 1) - index;
    return index;
}

/// RGBA8 as one word in memory order (all targets are little-endian).
JETSCOPE_ARITHMETIC std::uint32_t packRgba(int r, int g, int b, int a)
{
    return static_cast<std::uint32_t>(r) | static_cast<std::uint32_t>(g) << 8 | static_cast<std::uint32_t>(b) << 16
        | static_cast<std::uint32_t>(a) << 24;
}
JETSCOPE_ARITHMETIC int redOf(std::uint32_t rgba)
{
    return static_cast<int>(rgba & 255);
}
JETSCOPE_ARITHMETIC int greenOf(std::uint32_t rgba)
{
    return static_cast<int>(rgba >> 8 & 255);
}
JETSCOPE_ARITHMETIC int blueOf(std::uint32_t rgba)
{
    return static_cast<int>(rgba >> 16 & 255);
}
JETSCOPE_ARITHMETIC std::uint32_t greyPixel(int grey)
{
    return static_cast<std::uint32_t>(grey) * 0x010101u | 0xff000000u;
}
JETSCOPE_ARITHMETIC std::uint32_t withAlphaOf(std::uint32_t source, std::uint32_t rgba)
{
    return (rgba & 0x00ffffffu) | (source & 0xff000000u);
}

/// BT.601 luma in 15-bit fixed point; the weights sum to 1 << 15, so grey stays what it is.
inline constexpr int kLumaShift = 15;
inline constexpr int kLumaRed = 9798;
inline constexpr int kLumaGreen = 19235;
inline constexpr int kLumaBlue = 3735;
JETSCOPE_ARITHMETIC int luma(int r, int g, int b)
{
    return (kLumaRed * r + kLumaGreen * g + kLumaBlue * b + (1 << (kLumaShift - 1))) >> kLumaShift;
}
JETSCOPE_ARITHMETIC int luma(std::uint32_t rgba)
{
    return luma(redOf(rgba), greenOf(rgba), blueOf(rgba));
}

/// YUV to RGB in 20-bit fixed point, for one meaning of the numbers. The chroma terms (rounding included) are shared by
/// the pixels of a chroma sample. `yuvweights.h` has the weights.
inline constexpr int kYuvShift = 20;
struct YuvWeights {
    int black; ///< The luma of black.
    int luma;
    int redV;
    int greenV;
    int greenU;
    int blueU;
};
JETSCOPE_ARITHMETIC int yuvLuma(const YuvWeights &weights, int y)
{
    return weights.luma * larger(y - weights.black, 0);
}
JETSCOPE_ARITHMETIC int yuvRed(const YuvWeights &weights, int v)
{
    return weights.redV * (v - 128) + (1 << (kYuvShift - 1));
}
JETSCOPE_ARITHMETIC int yuvGreen(const YuvWeights &weights, int u, int v)
{
    return weights.greenV * (v - 128) + weights.greenU * (u - 128) + (1 << (kYuvShift - 1));
}
JETSCOPE_ARITHMETIC int yuvBlue(const YuvWeights &weights, int u)
{
    return weights.blueU * (u - 128) + (1 << (kYuvShift - 1));
}
JETSCOPE_ARITHMETIC std::uint32_t yuvPixel(int lumaTerm, int redTerm, int greenTerm, int blueTerm)
{
    return packRgba(clampToByte((lumaTerm + redTerm) >> kYuvShift), clampToByte((lumaTerm + greenTerm) >> kYuvShift),
                    clampToByte((lumaTerm + blueTerm) >> kYuvShift), 255);
}

/// Binomial 1 4 6 4 1 in both directions, rounded once. One direction of bytes is at most 4080, both at most 65280:
/// 16 bits hold everything.
inline constexpr int kGaussian5Radius = 2;
JETSCOPE_ARITHMETIC std::uint16_t gaussian5Sum(int a, int b, int c, int d, int e)
{
    return static_cast<std::uint16_t>(a + e + 4 * (b + d) + 6 * c);
}
JETSCOPE_ARITHMETIC std::uint8_t gaussian5Round(std::uint16_t sum)
{
    return static_cast<std::uint8_t>(static_cast<std::uint16_t>(sum + 128) >> 8);
}

/// 15 taps of sigma 2.6 (0.3 * ((15 - 1) * 0.5 - 1) + 0.8) in 8-bit fixed point, rounded with error diffusion from the
/// edge to the centre so that they sum to 256. One direction of bytes is at most 65280 (16 bits); both are rounded
/// once, from 24 bits.
inline constexpr int kGaussian15Radius = 7;
JETSCOPE_ARITHMETIC int gaussian15Weight(int distance)
{
    constexpr int weights[kGaussian15Radius + 1] = {40, 36, 30, 20, 12, 6, 3, 1};
    return weights[distance];
}
JETSCOPE_ARITHMETIC std::uint8_t gaussian15Round(std::uint32_t sum)
{
    return static_cast<std::uint8_t>((sum + 32768) >> 16);
}
/// The same rounding for a sum kept as 256 * high + low, so that 16 bits hold every step: high sums the upper bytes of
/// one direction's sums, low the lower ones. A direction's sum of 65280 has no lower byte, hence no carry is lost.
JETSCOPE_ARITHMETIC std::uint8_t gaussian15Round(std::uint16_t high, std::uint16_t low)
{
    return static_cast<std::uint8_t>(static_cast<std::uint16_t>(high + (low >> 8) + 128) >> 8);
}

/// Sobel 3x3 of the luma: one direction smooths 1 2 1, the other differentiates.
inline constexpr int kSobelRadius = 1;
JETSCOPE_ARITHMETIC std::int16_t sobelSmooth(int a, int b, int c)
{
    return static_cast<std::int16_t>(a + 2 * b + c);
}
JETSCOPE_ARITHMETIC std::int16_t sobelDifference(int a, int c)
{
    return static_cast<std::int16_t>(c - a);
}
JETSCOPE_ARITHMETIC int sobelMagnitude(int gx, int gy)
{
    return smaller(absolute(gx) + absolute(gy), 255);
}

JETSCOPE_ARITHMETIC int threshold(int lumaOfPixel)
{
    return lumaOfPixel >= 128 ? 255 : 0;
}

/// 3x3 cross: 5 in the centre, -1 on the four sides. For R, G and B; alpha is the centre's.
inline constexpr int kSharpenRadius = 1;
JETSCOPE_ARITHMETIC int sharpen(int centre, int north, int south, int west, int east)
{
    return clampToByte(5 * centre - north - south - west - east);
}

JETSCOPE_ARITHMETIC std::uint32_t invert(std::uint32_t rgba)
{
    return rgba ^ 0x00ffffffu;
}

/// Half-size grey: mean of the luma of 2x2 pixels from their sum; odd sizes repeat the last column and row.
JETSCOPE_ARITHMETIC int roundMean4(int sum)
{
    return (sum + 2) >> 2;
}

} // namespace jetscope::arithmetic
