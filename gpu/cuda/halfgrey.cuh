// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/cuda/pixels.cuh"

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

} // namespace jetscope::cuda
