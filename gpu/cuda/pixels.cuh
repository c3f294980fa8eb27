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
    default:
        return 4;
    }
}

/// Three planes of their own for Y, U and V.
__host__ __device__ constexpr bool isPlanar(PixelFormat format)
{
    return format == PixelFormat::Yu12 || format == PixelFormat::Yu16;
}

/// Whether pixels are luma and chroma.
__host__ __device__ constexpr bool convertsColours(PixelFormat format)
{
    return format == PixelFormat::Nv12 || format == PixelFormat::Yuyv || format == PixelFormat::Uyvy || isPlanar(format);
}

/// The row of a planar format's chroma that belongs to a row of pixels.
template <PixelFormat format>
__device__ __forceinline__ int chromaLine(int y)
{
    return format == PixelFormat::Yu12 ? y / 2 : y;
}

/// yuvLuma(y) + chroma, shifted: a multiplication for each channel, since additions are what the kernels are short of.
__device__ __forceinline__ int yuvChannel(int lumaAboveBlack, int lumaWeight, int chroma)
{
    int sum;
    asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(sum) : "r"(lumaAboveBlack), "r"(lumaWeight), "r"(chroma));
    return sum >> arithmetic::kYuvShift;
}

__device__ __forceinline__ Word fromYuv(const arithmetic::YuvWeights &weights, int y, int red, int green, int blue)
{
    const int luma = arithmetic::larger(y - weights.black, 0);
    return packClamped(yuvChannel(luma, weights.luma, red), yuvChannel(luma, weights.luma, green),
                       yuvChannel(luma, weights.luma, blue), 255);
}

/// Two pixels of one chroma sample.
__device__ __forceinline__ void fromYuvPair(const arithmetic::YuvWeights &weights, int y0, int y1, int u, int v, Word *px)
{
    const int red = arithmetic::yuvRed(weights, v);
    const int green = arithmetic::yuvGreen(weights, u, v);
    const int blue = arithmetic::yuvBlue(weights, u);
    px[0] = fromYuv(weights, y0, red, green, blue);
    px[1] = fromYuv(weights, y1, red, green, blue);
}

__device__ __forceinline__ int byteOf(Word word, int index)
{
    return static_cast<int>(word >> (8 * index) & 255);
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
        return {byte(in.pixels, 2 * x + luma, y), byte(in.pixels, 4 * pair + 1 - luma, y), byte(in.pixels, 4 * pair + 3 - luma, y)};
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
        const YuvBytes yuv = readYuv<format>(in, x, y);
        return fromYuv(in.yuv, yuv.y, arithmetic::yuvRed(in.yuv, yuv.v), arithmetic::yuvGreen(in.yuv, yuv.u, yuv.v),
                       arithmetic::yuvBlue(in.yuv, yuv.u));
    }
}

/// The four pixels of the words that were read for them.
template <PixelFormat format>
__device__ __forceinline__ Quad convert(const arithmetic::YuvWeights &weights, const Quad &raw)
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
    } else if constexpr (format == PixelFormat::Rgb8) {
        constexpr Word opaque = 0xffffffff;
        out.px[0] = permute(raw.px[0], opaque, 0x4210);
        out.px[1] = permute(permute(raw.px[0], raw.px[1], 0x0543), opaque, 0x4210);
        out.px[2] = permute(permute(raw.px[1], raw.px[2], 0x0432), opaque, 0x4210);
        out.px[3] = permute(raw.px[2], opaque, 0x4321);
    } else if constexpr (format == PixelFormat::Nv12) {
        const Word y = raw.px[0];
        const Word uv = raw.px[1];
        fromYuvPair(weights, byteOf(y, 0), byteOf(y, 1), byteOf(uv, 0), byteOf(uv, 1), out.px);
        fromYuvPair(weights, byteOf(y, 2), byteOf(y, 3), byteOf(uv, 2), byteOf(uv, 3), out.px + 2);
    } else if constexpr (isPlanar(format)) {
        const Word y = raw.px[0];
        const Word uv = raw.px[1]; // u0 u1 v0 v1
        fromYuvPair(weights, byteOf(y, 0), byteOf(y, 1), byteOf(uv, 0), byteOf(uv, 2), out.px);
        fromYuvPair(weights, byteOf(y, 2), byteOf(y, 3), byteOf(uv, 1), byteOf(uv, 3), out.px + 2);
    } else if constexpr (format == PixelFormat::Yuyv || format == PixelFormat::Uyvy) {
        constexpr int luma = format == PixelFormat::Yuyv ? 0 : 1;
        for (int i = 0; i < 2; ++i) {
            const Word pair = raw.px[i];
            fromYuvPair(weights, byteOf(pair, luma), byteOf(pair, 2 + luma), byteOf(pair, 1 - luma), byteOf(pair, 3 - luma),
                        out.px + 2 * i);
        }
    } else {
        constexpr Word opaque = 0xffffffff;
        out = {{permute(raw.px[0], opaque, 0x4000), permute(raw.px[0], opaque, 0x4111),
                permute(raw.px[0], opaque, 0x4222), permute(raw.px[0], opaque, 0x4333)}};
    }
    return out;
}

/// surf2Dwrite of a whole quad where `row` is less than `rows`, without a branch.
__device__ __forceinline__ void writeSurface(cudaSurfaceObject_t surface, int byte, int y, const Quad &quad, unsigned row,
                                             unsigned rows)
{
    asm volatile("{ .reg .pred p; setp.lt.u32 p, %0, %1; @p sust.b.2d.v4.b32.trap [%2, {%3, %4}], {%5, %6, %7, %8}; }" ::"r"(row),
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
