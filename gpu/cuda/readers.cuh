// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/cuda/pixels.cuh"

namespace jetscope::cuda {

/// Reads the quads of one column of quads, beyond the borders mirrored. `fetch` starts the loads and `unpack` needs their
/// outcome, so that rows can be fetched ahead.
template <PixelFormat format>
class QuadReader {
public:
    /// `x` is a multiple of 4. Pixels that are further outside than `reach` are not read.
    __device__ QuadReader(const PassInput &in, int x, int reach) :
        m_in(in), m_x(x), m_isWhole(x >= 0 && x + 3 < in.width && isAligned(in.pixels, quadAlignment(format))
                                    && isAligned(in.chroma, quadAlignment(format))),
        m_isNeeded(x + 3 >= -reach && x < in.width + reach)
    {
    }

    __device__ __forceinline__ Quad fetch(int y) const
    {
        if (static_cast<unsigned>(y) >= static_cast<unsigned>(m_in.height))
            y = arithmetic::reflect101(y, m_in.height);
        Quad raw{};
        if (m_isWhole)
            fetchWhole(y, raw);
        else if (m_isNeeded)
            for (int i = 0; i < 4; ++i)
                raw.px[i] = readPixel<format>(m_in, arithmetic::reflect101(m_x + i, m_in.width), y);
        return raw;
    }

    __device__ __forceinline__ Quad unpack(const Quad &raw) const
    {
        return m_isWhole ? convert<format>(m_in.yuv, raw) : raw;
    }

private:
    __device__ __forceinline__ void fetchWhole(int y, Quad &raw) const
    {
        if constexpr (format == PixelFormat::Rgba8) {
            const uint4 words = load<uint4>(m_in.pixels, 4 * m_x, y);
            raw = {{words.x, words.y, words.z, words.w}};
        } else if constexpr (format == PixelFormat::Bgr8 || format == PixelFormat::Rgb8) {
            for (int i = 0; i < 3; ++i)
                raw.px[i] = load<unsigned>(m_in.pixels, 3 * m_x + 4 * i, y);
        } else if constexpr (format == PixelFormat::Nv12) {
            raw.px[0] = load<unsigned>(m_in.pixels, m_x, y);
            raw.px[1] = load<unsigned>(m_in.chroma, m_x, y / 2);
        } else if constexpr (isPlanar(format)) {
            const int line = chromaLine<format>(y);
            raw.px[0] = load<unsigned>(m_in.pixels, m_x, y);
            raw.px[1] = loadBehind<unsigned short>(m_in.chroma, m_x / 2, line)
                | static_cast<Word>(loadBehind<unsigned short>(m_in.chromaV, m_x / 2, line)) << 16;
        } else if constexpr (format == PixelFormat::Yuyv || format == PixelFormat::Uyvy) {
            const uint2 words = load<uint2>(m_in.pixels, 2 * m_x, y);
            raw.px[0] = words.x;
            raw.px[1] = words.y;
        } else {
            raw.px[0] = load<unsigned>(m_in.pixels, m_x, y);
        }
    }

    const PassInput &m_in;
    const int m_x;
    const bool m_isWhole;
    const bool m_isNeeded;
};

/// The same for pictures in aligned linear memory that are whole quads wide, and larger than what is read beyond their borders: no
/// branches. Columns outside read the border's quad; their lanes get the right pixels from the lanes inside.
template <PixelFormat format>
class PlainReader {
public:
    __device__ PlainReader(const PassInput &in, int x) : m_in(in), m_lastRow(in.height - 1)
    {
        const auto quad = static_cast<unsigned>(arithmetic::larger(0, arithmetic::smaller(x, in.width - 4))) / 4;
        m_column = quad * quadBytes;
        m_chromaColumn = quad * (isPlanar(format) ? 2 : 4);
    }

    __device__ __forceinline__ Quad fetch(int y) const
    {
        const auto row = static_cast<unsigned>(m_lastRow - arithmetic::absolute(m_lastRow - arithmetic::absolute(y)));
        const std::uint8_t *from = m_in.pixels.base + (row * static_cast<unsigned>(m_in.pixels.pitch) + m_column);
        Quad raw{};
        if constexpr (format == PixelFormat::Rgba8) {
            const uint4 words = __ldg(reinterpret_cast<const uint4 *>(from));
            raw = {{words.x, words.y, words.z, words.w}};
        } else if constexpr (format == PixelFormat::Yuyv || format == PixelFormat::Uyvy) {
            const uint2 words = __ldg(reinterpret_cast<const uint2 *>(from));
            raw.px[0] = words.x;
            raw.px[1] = words.y;
        } else {
            for (unsigned i = 0; i < quadBytes / 4; ++i)
                raw.px[i] = __ldg(reinterpret_cast<const Word *>(from) + i);
            if constexpr (format == PixelFormat::Nv12)
                raw.px[1] = __ldg(reinterpret_cast<const Word *>(
                    m_in.chroma.base + (row / 2 * static_cast<unsigned>(m_in.chroma.pitch) + m_chromaColumn)));
            if constexpr (isPlanar(format))
                raw.px[1] = chromaPair(m_in.chroma, row) | chromaPair(m_in.chromaV, row) << 16;
        }
        return raw;
    }

    __device__ __forceinline__ Quad unpack(const Quad &raw) const { return convert<format>(m_in.yuv, raw); }

private:
    __device__ __forceinline__ Word chromaPair(const PixelMemory &plane, unsigned row) const
    {
        const unsigned line = format == PixelFormat::Yu12 ? row / 2 : row;
        return __ldg(reinterpret_cast<const unsigned short *>(plane.base + (line * static_cast<unsigned>(plane.pitch) + m_chromaColumn)));
    }

    static constexpr unsigned quadBytes = format == PixelFormat::Rgba8 ? 16
        : format == PixelFormat::Bgr8 || format == PixelFormat::Rgb8   ? 12
        : format == PixelFormat::Yuyv || format == PixelFormat::Uyvy   ? 8
                                                                       : 4;
    const PassInput &m_in;
    const int m_lastRow;
    unsigned m_column; ///< In bytes, as offsets of 32 bits: addresses of 64 cost three instructions each.
    unsigned m_chromaColumn;
};

} // namespace jetscope::cuda
