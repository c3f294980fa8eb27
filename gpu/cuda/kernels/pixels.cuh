// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/cuda/kernels/passes.h"
#include "gpu/cuda/kernels/words.cuh"

#include <type_traits>

// Reading and writing four pixels of a row at a time: the unit of work of a thread.
namespace jetscope::cuda {

/// Four neighbouring pixels as RGBA8.
struct Quad {
    Word px[4];
};

/// The same with the channels apart, as 16-bit numbers, for a stage that adds them up. There is no alpha.
struct SplitQuad {
    Word redBlue[4]; ///< A pixel's red and blue.
    Word green02;    ///< Two pixels' green: 0 and 2,
    Word green13;    ///< 1 and 3, so that a pixel's neighbours mostly share a word.
};

template <class T>
__device__ __forceinline__ T load(const PixelMemory &memory, int byte, int line)
{
    if (memory.surface != 0)
        return surf2Dread<T>(memory.surface, byte, line + memory.firstLine);
    return __ldg(reinterpret_cast<const T *>(memory.base + static_cast<std::size_t>(line) * memory.pitch + byte));
}

/// The same of a plane whose rows may not be those of its surface: small chroma behind luma.
template <class T>
__device__ __forceinline__ T loadBehind(const PixelMemory &memory, int byte, int line)
{
    if (memory.surfacePitch == 0)
        return load<T>(memory, byte, line);
    const int at = memory.firstByte + line * static_cast<int>(memory.pitch) + byte;
    return surf2Dread<T>(memory.surface, at % memory.surfacePitch, at / memory.surfacePitch);
}

__device__ __forceinline__ bool hasMemory(const PixelMemory &memory)
{
    return memory.base != nullptr || memory.surface != 0;
}

/// Whether rows of linear memory may be read or written `bytes` at a time. Surfaces always may.
__host__ __device__ inline bool isAligned(const PixelMemory &memory, std::size_t bytes)
{
    return (reinterpret_cast<std::size_t>(memory.base) | memory.pitch) % bytes == 0;
}

/// How many bytes of a plane four pixels take, that is the alignment that fast reads need.
__host__ __device__ constexpr std::size_t quadAlignment(PixelFormat format)
{
    switch (format) {
    case PixelFormat::Rgba8:
        return 16;
    case PixelFormat::Yuyv:
    case PixelFormat::Uyvy:
        return 8;
    case PixelFormat::Bgr8:
    case PixelFormat::Rgb8:
    case PixelFormat::Grey8:
    case PixelFormat::Nv12:
    case PixelFormat::Yu12:
    case PixelFormat::Yu16:
        break;
    }
    return 4;
}

/// Three planes of their own for Y, U and V.
__host__ __device__ constexpr bool isPlanar(PixelFormat format)
{
    return format == PixelFormat::Yu12 || format == PixelFormat::Yu16;
}

/// Whether pixels are luma and chroma.
__host__ __device__ constexpr bool convertsColours(PixelFormat format)
{
    return format == PixelFormat::Nv12 || format == PixelFormat::Yuyv || format == PixelFormat::Uyvy
        || isPlanar(format);
}

/// The row of a planar format's chroma that belongs to a row of pixels.
template <PixelFormat format>
__device__ __forceinline__ int chromaLine(int y)
{
    return format == PixelFormat::Yu12 ? y / 2 : y;
}

__device__ __forceinline__ int byteOf(Word word, int index)
{
    return static_cast<int>(permute(word, 0, 0x4440u + static_cast<Word>(index)));
}

/// What the pixels of a chroma sample have in common.
struct ChromaTerms {
    int red;
    int green;
    int blue;
};

__device__ __forceinline__ ChromaTerms chromaTerms(const PassYuv &yuv, int u, int v)
{
    const arithmetic::YuvWeights &weights = yuv.weights;
    return {weights.redV * v + yuv.red, weights.greenV * v + (weights.greenU * u + yuv.green),
            weights.blueU * u + yuv.blue};
}

/// One pixel's channels, not clamped yet.
struct Channels {
    int red;
    int green;
    int blue;
};

/// yuvLuma(y) + chroma, shifted: a multiplication for each channel, since additions are what the kernels are short of.
__device__ __forceinline__ int yuvChannel(int lumaAboveBlack, int lumaWeight, int chroma)
{
    int sum;
    asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(sum) : "r"(lumaAboveBlack), "r"(lumaWeight), "r"(chroma));
    return sum >> arithmetic::kYuvShift;
}

__device__ __forceinline__ Channels fromYuv(const PassYuv &yuv, int y, const ChromaTerms &chroma)
{
    const arithmetic::YuvWeights &weights = yuv.weights;
    const int luma = arithmetic::larger(y - weights.black, 0);
    return {yuvChannel(luma, weights.luma, chroma.red), yuvChannel(luma, weights.luma, chroma.green),
            yuvChannel(luma, weights.luma, chroma.blue)};
}

struct YuvBytes {
    int y, u, v;
};

/// Luma and chroma of any one pixel.
template <PixelFormat format>
__device__ YuvBytes readYuv(const PassInput &in, int x, int y)
{
    const auto byte = [&](const PixelMemory &memory, int at, int line) {
        return static_cast<int>(loadBehind<unsigned char>(memory, at, line));
    };
    const int pair = x / 2;
    if constexpr (format == PixelFormat::Nv12) {
        return {byte(in.pixels, x, y), byte(in.chroma, 2 * pair, y / 2), byte(in.chroma, 2 * pair + 1, y / 2)};
    } else if constexpr (isPlanar(format)) {
        const int line = chromaLine<format>(y);
        return {byte(in.pixels, x, y), byte(in.chroma, pair, line), byte(in.chromaV, pair, line)};
    } else {
        constexpr int luma = format == PixelFormat::Yuyv ? 0 : 1; // Of the four bytes of a pair.
        return {byte(in.pixels, 2 * x + luma, y), byte(in.pixels, 4 * pair + 1 - luma, y),
                byte(in.pixels, 4 * pair + 3 - luma, y)};
    }
}

/// Any one pixel of the input: for the borders, and for memory that is aligned to nothing.
template <PixelFormat format>
__device__ Word readPixel(const PassInput &in, int x, int y)
{
    const auto byte = [&](const PixelMemory &memory, int at, int line) {
        return static_cast<int>(load<unsigned char>(memory, at, line));
    };
    if constexpr (format == PixelFormat::Rgba8) {
        return arithmetic::packRgba(byte(in.pixels, 4 * x, y), byte(in.pixels, 4 * x + 1, y),
                                    byte(in.pixels, 4 * x + 2, y), byte(in.pixels, 4 * x + 3, y));
    } else if constexpr (format == PixelFormat::Bgr8) {
        return arithmetic::packRgba(byte(in.pixels, 3 * x + 2, y), byte(in.pixels, 3 * x + 1, y),
                                    byte(in.pixels, 3 * x, y), 255);
    } else if constexpr (format == PixelFormat::Rgb8) {
        return arithmetic::packRgba(byte(in.pixels, 3 * x, y), byte(in.pixels, 3 * x + 1, y),
                                    byte(in.pixels, 3 * x + 2, y), 255);
    } else if constexpr (format == PixelFormat::Grey8) {
        return arithmetic::greyPixel(byte(in.pixels, x, y));
    } else {
        const YuvBytes bytes = readYuv<format>(in, x, y);
        const Channels rgb = fromYuv(in.yuv, bytes.y, chromaTerms(in.yuv, bytes.u, bytes.v));
        return packClamped(rgb.red, rgb.green, rgb.blue, 255);
    }
}

/// The four pixels of the words that were read for them, of formats without chroma.
template <PixelFormat format>
__device__ __forceinline__ Quad convert(const Quad &raw)
{
    constexpr Word opaque = 0xffffffff;
    const Word *in = raw.px;
    if constexpr (format == PixelFormat::Rgba8)
        return raw;
    else if constexpr (format == PixelFormat::Bgr8)
        // Words b0g0r0b1 g1r1b2g2 r2b3g3r3: each pixel's three bytes together, then turned round.
        return {{permute(in[0], opaque, 0x4012), permute(permute(in[0], in[1], 0x0543), opaque, 0x4012),
                 permute(permute(in[1], in[2], 0x0432), opaque, 0x4012), permute(in[2], opaque, 0x4123)}};
    else if constexpr (format == PixelFormat::Rgb8)
        return {{permute(in[0], opaque, 0x4210), permute(permute(in[0], in[1], 0x0543), opaque, 0x4210),
                 permute(permute(in[1], in[2], 0x0432), opaque, 0x4210), permute(in[2], opaque, 0x4321)}};
    else
        return {{permute(in[0], opaque, 0x4000), permute(in[0], opaque, 0x4111), permute(in[0], opaque, 0x4222),
                 permute(in[0], opaque, 0x4333)}};
}

/// Which of the pixels that were read are the four wanted ones: themselves, unless they are mirrored at a border.
struct PixelOrder {
    int of[4] = {0, 1, 2, 3};
};

/// What each of the four wanted pixels has in chroma.
struct QuadChroma {
    ChromaTerms of[4];
};

/// The two samples of the four pixels read.
template <PixelFormat format>
__device__ __forceinline__ QuadChroma quadChroma(const PassYuv &yuv, const Quad &raw, const PixelOrder &order)
{
    constexpr bool isPacked = format == PixelFormat::Yuyv || format == PixelFormat::Uyvy;
    constexpr int u = format == PixelFormat::Yuyv ? 1 : 0;         // Of the first two pixels, in its word.
    constexpr int v = isPacked ? u + 2 : isPlanar(format) ? 2 : 1; // Planar: u0 u1 v0 v1.
    constexpr int next = isPacked ? 0 : isPlanar(format) ? 1 : 2;  // Where those of the next two follow.
    const Word first = isPacked ? raw.px[0] : raw.px[1];
    const ChromaTerms left = chromaTerms(yuv, byteOf(first, u), byteOf(first, v));
    const ChromaTerms right = chromaTerms(yuv, byteOf(raw.px[1], u + next), byteOf(raw.px[1], v + next));
    QuadChroma chroma;
    for (int i = 0; i < 4; ++i)
        chroma.of[i] = order.of[i] < 2 ? left : right;
    return chroma;
}

template <PixelFormat format>
__device__ __forceinline__ int lumaOf(const Quad &raw, int pixel)
{
    if constexpr (format == PixelFormat::Yuyv || format == PixelFormat::Uyvy)
        return byteOf(pixel < 2 ? raw.px[0] : raw.px[1], pixel % 2 * 2 + (format == PixelFormat::Yuyv ? 0 : 1));
    else
        return byteOf(raw.px[0], pixel);
}

/// The four pixels as the chain's first stage wants them.
template <class Pixels, PixelFormat format>
__device__ __forceinline__ Pixels convert(const PassYuv &yuv, const Quad &raw, const PixelOrder &order,
                                          const QuadChroma &chroma)
{
    Channels rgb[4];
    for (int i = 0; i < 4; ++i)
        rgb[i] = fromYuv(yuv, lumaOf<format>(raw, order.of[i]), chroma.of[i]);
    Pixels out;
    if constexpr (std::is_same_v<Pixels, Quad>) {
        for (int i = 0; i < 4; ++i)
            out.px[i] = packClamped(rgb[i].red, rgb[i].green, rgb[i].blue, 255);
    } else {
        for (int i = 0; i < 4; ++i)
            out.redBlue[i] = splitClamped(rgb[i].red, rgb[i].blue);
        out.green02 = splitClamped(rgb[0].green, rgb[2].green);
        out.green13 = splitClamped(rgb[1].green, rgb[3].green);
    }
    return out;
}

__device__ __forceinline__ SplitQuad split(const Quad &quad)
{
    return {{evenBytes(quad.px[0]), evenBytes(quad.px[1]), evenBytes(quad.px[2]), evenBytes(quad.px[3])},
            permute(quad.px[0], quad.px[2], 0x0501) & 0x00ff00ffu,
            permute(quad.px[1], quad.px[3], 0x0501) & 0x00ff00ffu};
}

/// surf2Dwrite of a whole quad where `row` is less than `rows`, without a branch.
__device__ __forceinline__ void writeSurface(cudaSurfaceObject_t surface, int byte, int y, const Quad &quad,
                                             unsigned row, unsigned rows)
{
    asm volatile(
        "{ .reg .pred p; setp.lt.u32 p, %0, %1; @p sust.b.2d.v4.b32.trap [%2, {%3, %4}], {%5, %6, %7, %8}; }" ::"r"(
            row),
        "r"(rows), "l"(surface), "r"(byte), "r"(y), "r"(quad.px[0]), "r"(quad.px[1]), "r"(quad.px[2]), "r"(quad.px[3]));
}

/// Writes quads, and what is inside the picture of those at its right border.
__device__ __forceinline__ void writeQuad(const PixelMemory &memory, int width, int x, int y, const Quad &quad)
{
    const bool isWhole = x + 3 < width;
    if (memory.surface != 0) {
        if (isWhole)
            surf2Dwrite(make_uint4(quad.px[0], quad.px[1], quad.px[2], quad.px[3]), memory.surface, 4 * x, y);
        else
            for (int i = 0; i < 4 && x + i < width; ++i)
                surf2Dwrite(quad.px[i], memory.surface, 4 * (x + i), y);
        return;
    }
    std::uint8_t *row = memory.base + static_cast<std::size_t>(y) * memory.pitch + 4 * x;
    if (isWhole && isAligned(memory, 16)) {
        *reinterpret_cast<uint4 *>(row) = make_uint4(quad.px[0], quad.px[1], quad.px[2], quad.px[3]);
        return;
    }
    for (int i = 0; i < 4 && x + i < width; ++i)
        for (int c = 0; c < 4; ++c)
            row[4 * i + c] = static_cast<std::uint8_t>(quad.px[i] >> (8 * c));
}

} // namespace jetscope::cuda
