// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/cuda/kernels/pixels.cuh"

namespace jetscope::cuda {

/// Of the first plane.
template <PixelFormat format>
inline constexpr unsigned quadBytes = format == PixelFormat::Rgba8 ? 16
    : format == PixelFormat::Bgr8 || format == PixelFormat::Rgb8   ? 12
    : format == PixelFormat::Yuyv || format == PixelFormat::Uyvy   ? 8
                                                                   : 4;

/// The four pixels of the words that were read for them.
template <PixelFormat format>
__device__ __forceinline__ Quad quadOf(const PassInput &in, const Quad &raw)
{
    if constexpr (convertsColours(format))
        return convert<Quad, format>(in.yuv, raw, {}, quadChroma<format>(in.yuv, raw, {}));
    else
        return convert<format>(raw);
}

/// Reads the quads of one column of quads, beyond the borders mirrored. `fetch` starts the loads and `unpack` needs
/// their outcome, so that rows can be fetched ahead.
template <PixelFormat format>
class QuadReader {
public:
    /// `x` is a multiple of 4. Pixels that are further outside than `reach` are not read.
    __device__ QuadReader(const PassInput &in, int x, int reach)
        : m_in(in),
          m_x(x),
          m_isWhole(x >= 0 && x + 3 < in.width && isAligned(in.pixels, quadAlignment(format))
                    && isAligned(in.chroma, quadAlignment(format))),
          m_isNeeded(x + 3 >= -reach && x < in.width + reach)
    {
    }

    __device__ __forceinline__ Quad fetch(int y, bool) const
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

    __device__ __forceinline__ Quad unpack(const Quad &raw, bool) const
    {
        return m_isWhole ? quadOf<format>(m_in, raw) : raw;
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

/// The same for pictures in aligned linear memory that are whole quads wide, and larger than what is read beyond their
/// borders: no branches. Columns outside read the border's quad; their lanes get the right pixels from the lanes
/// inside.
template <PixelFormat format>
class FastReader {
public:
    __device__ FastReader(const PassInput &in, int x) : m_in(in), m_lastRow(in.height - 1)
    {
        const auto quad = static_cast<unsigned>(arithmetic::larger(0, arithmetic::smaller(x, in.width - 4))) / 4;
        m_column = quad * quadBytes<format>;
        m_chromaColumn = quad * (isPlanar(format) ? 2 : 4);
    }

    __device__ __forceinline__ Quad fetch(int y, bool) const
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
            for (unsigned i = 0; i < quadBytes<format> / 4; ++i)
                raw.px[i] = __ldg(reinterpret_cast<const Word *>(from) + i);
            if constexpr (format == PixelFormat::Nv12)
                raw.px[1] = __ldg(reinterpret_cast<const Word *>(
                    m_in.chroma.base + (row / 2 * static_cast<unsigned>(m_in.chroma.pitch) + m_chromaColumn)));
            if constexpr (isPlanar(format))
                raw.px[1] = chromaPair(m_in.chroma, row) | chromaPair(m_in.chromaV, row) << 16;
        }
        return raw;
    }

    __device__ __forceinline__ Quad unpack(const Quad &raw, bool) const { return quadOf<format>(m_in, raw); }

private:
    __device__ __forceinline__ Word chromaPair(const PixelMemory &plane, unsigned row) const
    {
        const unsigned line = format == PixelFormat::Yu12 ? row / 2 : row;
        return __ldg(reinterpret_cast<const unsigned short *>(
            plane.base + (line * static_cast<unsigned>(plane.pitch) + m_chromaColumn)));
    }

    const PassInput &m_in;
    const int m_lastRow;
    unsigned m_column; ///< In bytes, as offsets of 32 bits: addresses of 64 cost three instructions each.
    unsigned m_chromaColumn;
};

/// The same for colours to be converted, where all rows lie inside the picture: one after the other, without looking
/// where it ends. The chroma that two rows share is read and multiplied once. With `mirrors`, lanes beside the picture
/// get the mirrored pixels.
template <PixelFormat format, class Pixels, bool mirrors>
class InsideReader {
public:
    __device__ InsideReader(const PassInput &in, int x, int firstRow)
        : m_in(in), m_pixels(in.pixels.base + static_cast<std::size_t>(firstRow) * in.pixels.pitch)
    {
        if constexpr (mirrors) {
            // Pixels -3, -2, -1 are 3, 2, 1; behind the last pixel come the ones before it.
            for (int i = 0; i < 4; ++i)
                m_order.of[i] = x < 0 ? (4 - i) & 3 : x >= in.width ? (2 - i) & 3 : i;
            x = arithmetic::larger(0, arithmetic::smaller(x, in.width - 4));
        }
        m_pixels += x / 4 * static_cast<int>(quadBytes<format>);
        const auto line = static_cast<std::size_t>(sharesChroma ? firstRow / 2 : firstRow);
        if constexpr (hasChromaPlanes)
            m_chroma = in.chroma.base + line * in.chroma.pitch + (isPlanar(format) ? x / 2 : x);
        if constexpr (isPlanar(format))
            m_chromaV = in.chromaV.base + line * in.chromaV.pitch + x / 2;
        if (sharesChroma && firstRow % 2 != 0) {
            Quad raw{};
            raw.px[1] = nextChroma();
            m_shared = quadChroma<format>(in.yuv, raw, m_order);
        }
    }

    __device__ __forceinline__ Quad fetch(int, bool isEven)
    {
        Quad raw{};
        if constexpr (hasChromaPlanes) {
            raw.px[0] = __ldg(reinterpret_cast<const Word *>(m_pixels));
            if (!sharesChroma || isEven)
                raw.px[1] = nextChroma();
        } else {
            const uint2 words = __ldg(reinterpret_cast<const uint2 *>(m_pixels));
            raw.px[0] = words.x;
            raw.px[1] = words.y;
        }
        m_pixels += m_in.pixels.pitch;
        return raw;
    }

    __device__ __forceinline__ Pixels unpack(const Quad &raw, bool isEven)
    {
        if (!sharesChroma || isEven)
            m_shared = quadChroma<format>(m_in.yuv, raw, m_order);
        return convert<Pixels, format>(m_in.yuv, raw, m_order, m_shared);
    }

private:
    static constexpr bool hasChromaPlanes = format == PixelFormat::Nv12 || isPlanar(format);
    static constexpr bool sharesChroma = format == PixelFormat::Nv12 || format == PixelFormat::Yu12;

    __device__ __forceinline__ Word nextChroma()
    {
        Word chroma = 0;
        if constexpr (isPlanar(format)) {
            chroma = __ldg(reinterpret_cast<const unsigned short *>(m_chroma))
                | static_cast<Word>(__ldg(reinterpret_cast<const unsigned short *>(m_chromaV))) << 16;
            m_chromaV += m_in.chromaV.pitch;
        } else if constexpr (hasChromaPlanes) {
            chroma = __ldg(reinterpret_cast<const Word *>(m_chroma));
        }
        m_chroma += m_in.chroma.pitch;
        return chroma;
    }

    const PassInput &m_in;
    PixelOrder m_order;
    const std::uint8_t *m_pixels; ///< The next row to be fetched; likewise below.
    const std::uint8_t *m_chroma = nullptr;
    const std::uint8_t *m_chromaV = nullptr;
    QuadChroma m_shared{};
};

} // namespace jetscope::cuda
