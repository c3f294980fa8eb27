// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/cuda/kernels/pixels.cuh"

namespace jetscope::cuda {

/// Writes the half-size grey picture as its rows come by, from an even one on.
class HalfGreyWriter {
public:
    __device__ __forceinline__ void push(const PassInput &in, const PassOutput &out, int x, int y, const Quad &quad)
    {
        Word luma[4];
        for (int i = 0; i < 4; ++i)
            luma[i] = lumaInByte2(quad.px[i]) >> 16 & 255;
        const int left = static_cast<int>(luma[0] + (x + 1 < in.width ? luma[1] : luma[0]));
        const int right = static_cast<int>(luma[2] + (x + 3 < in.width ? luma[3] : luma[2]));
        const bool isUpper = y % 2 == 0;
        if (isUpper) {
            m_left = left;
            m_right = right;
            if (y + 1 < in.height)
                return;
        }
        std::uint8_t *to = out.halfGrey + static_cast<std::size_t>(y / 2) * out.halfGreyPitch + x / 2;
        to[0] = static_cast<std::uint8_t>(arithmetic::roundMean4(m_left + left));
        if (x + 2 < in.width)
            to[1] = static_cast<std::uint8_t>(arithmetic::roundMean4(m_right + right));
    }

private:
    int m_left = 0;
    int m_right = 0;
};

/// The same for pictures that are whole quads wide: two pixels of the half-size picture in one word, and no branches.
template <bool isGrey>
class FastHalfGrey {
public:
    /// `firstRow`, an even one, is the first that is pushed.
    __device__ FastHalfGrey(const PassInput &in, const PassOutput &out, int x, int firstRow)
        : m_out(out),
          m_to(out.halfGrey + firstRow / 2 * static_cast<std::ptrdiff_t>(out.halfGreyPitch) + x / 2),
          m_lastRow(in.height - 1)
    {
    }

    /// `isUpper` is known when the kernel is compiled; `writes` says whether the row is one of this lane's.
    __device__ __forceinline__ void push(int y, bool isUpper, bool writes, const Quad &quad)
    {
        const Word sums = evenBytes(lumas(quad.px[0], quad.px[2])) + evenBytes(lumas(quad.px[1], quad.px[3]));
        const Word means = (isUpper ? 2 * sums : m_upper + sums) + 0x00020002u;
        if (isUpper)
            m_upper = sums;
        // The last row of an odd height is its own lower one.
        if (writes && (!isUpper || y == m_lastRow))
            *reinterpret_cast<unsigned short *>(m_to) = static_cast<unsigned short>(permute(means >> 2, 0, 0x4420));
        if (!isUpper)
            m_to += m_out.halfGreyPitch;
    }

private:
    /// Two pixels' luma in bytes 0 and 2.
    __device__ static __forceinline__ Word lumas(Word first, Word second)
    {
        if constexpr (isGrey)
            return permute(first, second, 0x7430);
        else
            return permute(lumaInByte2(first), lumaInByte2(second), 0x7632);
    }

    const PassOutput &m_out;
    std::uint8_t *m_to;
    const int m_lastRow;
    Word m_upper = 0;
};

} // namespace jetscope::cuda
