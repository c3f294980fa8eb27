// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/cuda/passes.h"
#include "gpu/cuda/words.cuh"

// Reading and writing four pixels of a row at a time: the unit of work of a thread.
namespace jetscope::cuda {

/// Four neighbouring pixels as RGBA8.
struct Quad {
    Word px[4];
};

template <class T>
__device__ __forceinline__ T load(const PixelMemory &memory, int byte, int line)
{
    if (memory.surface != 0)
        return surf2Dread<T>(memory.surface, byte, line + memory.firstLine);
    return __ldg(reinterpret_cast<const T *>(memory.base + static_cast<std::size_t>(line) * memory.pitch + byte));
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
        return 8;
    default:
        return 4;
    }
}

/// yuvLuma(y) + chroma, shifted: a multiplication for each channel, since additions are what the kernels are short of.
__device__ __forceinline__ int yuvChannel(int lumaAboveBlack, int chroma)
{
    int sum;
    asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(sum) : "r"(lumaAboveBlack), "n"(arithmetic::kYuvLuma), "r"(chroma));
    return sum >> arithmetic::kYuvShift;
}

__device__ __forceinline__ Word fromYuv(int y, int red, int green, int blue)
{
    const int luma = arithmetic::larger(y - 16, 0);
    return packClamped(yuvChannel(luma, red), yuvChannel(luma, green), yuvChannel(luma, blue), 255);
}

/// Two pixels of one chroma sample.
__device__ __forceinline__ void fromYuvPair(int y0, int y1, int u, int v, Word *px)
{
    const int red = arithmetic::yuvRed(v);
    const int green = arithmetic::yuvGreen(u, v);
    const int blue = arithmetic::yuvBlue(u);
    px[0] = fromYuv(y0, red, green, blue);
    px[1] = fromYuv(y1, red, green, blue);
}

__device__ __forceinline__ int byteOf(Word word, int index)
{
    return static_cast<int>(word >> (8 * index) & 255);
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
    } else if constexpr (format == PixelFormat::Grey8) {
        return arithmetic::greyPixel(byte(in.pixels, x, y));
    } else {
        const bool planar = format == PixelFormat::Nv12;
        const int luma = planar ? byte(in.pixels, x, y) : byte(in.pixels, 2 * x, y);
        const int pair = x / 2;
        const int u = planar ? byte(in.chroma, 2 * pair, y / 2) : byte(in.pixels, 4 * pair + 1, y);
        const int v = planar ? byte(in.chroma, 2 * pair + 1, y / 2) : byte(in.pixels, 4 * pair + 3, y);
        return fromYuv(luma, arithmetic::yuvRed(v), arithmetic::yuvGreen(u, v), arithmetic::yuvBlue(u));
    }
}

/// The four pixels of the words that were read for them.
template <PixelFormat format>
__device__ __forceinline__ Quad convert(const Quad &raw)
{
    Quad out;
    if constexpr (format == PixelFormat::Rgba8) {
        out = raw;
    } else if constexpr (format == PixelFormat::Bgr8) {
        constexpr Word opaque = 0xffffffff;
        // Words b0g0r0b1 g1r1b2g2 r2b3g3r3: each pixel's three bytes together, then turned round.
        out.px[0] = permute(raw.px[0], opaque, 0x4012);
        out.px[1] = permute(permute(raw.px[0], raw.px[1], 0x0543), opaque, 0x4012);
        out.px[2] = permute(permute(raw.px[1], raw.px[2], 0x0432), opaque, 0x4012);
        out.px[3] = permute(raw.px[2], opaque, 0x4123);
    } else if constexpr (format == PixelFormat::Nv12) {
        const Word y = raw.px[0];
        const Word uv = raw.px[1];
        fromYuvPair(byteOf(y, 0), byteOf(y, 1), byteOf(uv, 0), byteOf(uv, 1), out.px);
        fromYuvPair(byteOf(y, 2), byteOf(y, 3), byteOf(uv, 2), byteOf(uv, 3), out.px + 2);
    } else if constexpr (format == PixelFormat::Yuyv) {
        for (int i = 0; i < 2; ++i) {
            const Word yuyv = raw.px[i];
            fromYuvPair(byteOf(yuyv, 0), byteOf(yuyv, 2), byteOf(yuyv, 1), byteOf(yuyv, 3), out.px + 2 * i);
        }
    } else {
        constexpr Word opaque = 0xffffffff;
        out = {{permute(raw.px[0], opaque, 0x4000), permute(raw.px[0], opaque, 0x4111),
                permute(raw.px[0], opaque, 0x4222), permute(raw.px[0], opaque, 0x4333)}};
    }
    return out;
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
