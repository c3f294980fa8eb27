// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/cuda/marchlaunch.h"
#include "gpu/cuda/stages.cuh"

// One kernel for all filters of small radius: every warp marches down a strip of the picture, keeping in registers what its
// stages remember of the rows above. Each pixel is read once (but for the strips' rims) and written once.
namespace jetscope::cuda {

inline constexpr int kWarpsPerBlock = 4;
inline constexpr int kRowsAhead = 4; ///< Rows fetched before they are needed: memory answers late.

__host__ __device__ constexpr int lanesBeside(int radius)
{
    return (radius + 3) / 4;
}
__host__ __device__ constexpr int pixelsPerWarp(int radius)
{
    return 4 * (32 - 2 * lanesBeside(radius));
}

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

template <PixelFormat format, class... Stages>
__global__ void __launch_bounds__(32 * kWarpsPerBlock)
march(const __grid_constant__ PassInput in, const __grid_constant__ PassOutput out, int rows)
{
    using Chain = StageChain<Stages...>;
    constexpr int radius = Chain::radius;
    constexpr int beside = lanesBeside(radius);
    const int lane = static_cast<int>(threadIdx.x);
    const int x = static_cast<int>(blockIdx.x) * pixelsPerWarp(radius) + 4 * (lane - beside);
    const int first = static_cast<int>(blockIdx.y * kWarpsPerBlock + threadIdx.y) * rows;
    const int end = arithmetic::smaller(first + rows, in.height);
    if (first >= end)
        return;
    const bool writes = lane >= beside && lane < 32 - beside && x < in.width;

    const QuadReader<format> reader(in, x, radius);
    Chain chain;
    HalfGreyWriter halfGrey;
    Quad ahead[kRowsAhead];
    for (int i = 0; i < kRowsAhead; ++i)
        ahead[i] = reader.fetch(first - radius + i);
    for (int base = first - radius; base < end + radius; base += kRowsAhead) {
#pragma unroll
        for (int i = 0; i < kRowsAhead; ++i) {
            const int y = base + i - radius; // Of the row that comes out.
            const Quad raw = ahead[i];
            ahead[i] = reader.fetch(base + i + kRowsAhead);
            const Quad quad = chain.push(reader.unpack(raw));
            if (y < first || y >= end || !writes)
                continue;
            if (hasMemory(out.rgba))
                writeQuad(out.rgba, in.width, x, y, quad);
            if (out.halfGrey != nullptr)
                halfGrey.push(in, out, x, y, quad);
        }
    }
}

template <PixelFormat format, class... Stages>
cudaError_t launchMarch(const PassInput &input, const PassOutput &output, cudaStream_t stream)
{
    constexpr int radius = StageChain<Stages...>::radius;
    constexpr int width = pixelsPerWarp(radius);
    // Long strips read few rows twice, short ones fill the GPU; even, so that a strip begins with an upper row.
    const int rows = radius == 0 ? 8 : 32;
    const int strips = (input.height + rows - 1) / rows;
    const dim3 grid(static_cast<unsigned>((input.width + width - 1) / width),
                    static_cast<unsigned>((strips + kWarpsPerBlock - 1) / kWarpsPerBlock));
    march<format, Stages...><<<grid, dim3(32, kWarpsPerBlock), 0, stream>>>(input, output, rows);
    return cudaGetLastError();
}

template <PixelFormat format>
cudaError_t launchMarchOf(PassKind kind, const PassInput &input, const PassOutput &output, cudaStream_t stream)
{
    switch (kind) {
    case PassKind::Convert:
        return launchMarch<format>(input, output, stream);
    case PassKind::Invert:
        return launchMarch<format, InvertStage>(input, output, stream);
    case PassKind::Threshold:
        return launchMarch<format, ThresholdStage>(input, output, stream);
    case PassKind::Gaussian5:
        return launchMarch<format, Gaussian5Stage>(input, output, stream);
    case PassKind::Sobel:
        return launchMarch<format, SobelStage>(input, output, stream);
    case PassKind::Sharpen:
        return launchMarch<format, SharpenStage>(input, output, stream);
    case PassKind::Gaussian5Sobel:
        return launchMarch<format, Gaussian5Stage, SobelStage>(input, output, stream);
    case PassKind::Gaussian15:
        break;
    }
    return cudaErrorInvalidValue;
}

} // namespace jetscope::cuda
