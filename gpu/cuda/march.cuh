// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/cuda/blockslots.h"
#include "gpu/cuda/halfgrey.cuh"
#include "gpu/cuda/marchlaunch.h"
#include "gpu/cuda/readers.cuh"
#include "gpu/cuda/strips.cuh"

// One kernel for all filters of small radius: every warp marches down a strip of the picture, keeping in registers what its
// stages remember of the rows above. Each pixel is read once (but for the strips' rims) and written once.
namespace jetscope::cuda {

/// Whether 32 bits reach every byte of the rows.
inline bool fitsOffset(const PixelMemory &memory, int rows)
{
    return memory.pitch * static_cast<std::size_t>(rows) >> 32 == 0;
}

/// Whether a picture is one for PlainReader, and its output for whole quads.
inline bool isPlain(const PassInput &in, const PassOutput &out, std::size_t alignment)
{
    // Beyond the borders lie a stage's radius and the rows fetched ahead.
    constexpr int reach = 16;
    return in.width % 4 == 0 && in.width > reach && in.height > reach && in.pixels.surface == 0
        && isAligned(in.pixels, alignment) && isAligned(in.chroma, alignment) && isAligned(in.chromaV, alignment) && fitsOffset(in.pixels, in.height)
        && (out.rgba.surface != 0 || (out.rgba.base != nullptr && isAligned(out.rgba, 16) && fitsOffset(out.rgba, in.height)));
}

/// The march itself: `prepare` completes a quad that was read, `write` takes the finished ones.
template <class Chain, class Reader, class Prepare, class Write>
__device__ __forceinline__ void marchStrip(const Strip &strip, const Reader &reader, const Prepare &prepare, const Write &write)
{
    constexpr int radius = Chain::radius;
    Chain chain;
    Quad ahead[kRowsAhead];
    for (int i = 0; i < kRowsAhead; ++i)
        ahead[i] = reader.fetch(strip.first - radius + i);
    for (int base = strip.first - radius; base < strip.end + radius; base += kRowsAhead) {
#pragma unroll
        for (int i = 0; i < kRowsAhead; ++i) {
            const int y = base + i - radius; // Of the row that comes out.
            Quad quad = reader.unpack(ahead[i]);
            ahead[i] = reader.fetch(base + i + kRowsAhead);
            prepare(quad);
            quad = chain.push(quad);
            if (strip.writes && y >= strip.first && y < strip.end)
                write(y, quad);
        }
    }
}

/// Any picture in any memory.
template <PixelFormat format, class... Stages>
__global__ void __launch_bounds__(32 * kWarpsPerBlock)
marchAnywhere(const __grid_constant__ PassInput in, const __grid_constant__ PassOutput out, int rows)
{
    using Chain = StageChain<Stages...>;
    const Strip strip = Strip::of<Chain::radius>(in, rows);
    if (strip.first >= strip.end)
        return;
    HalfGreyWriter halfGrey;
    marchStrip<Chain>(strip, QuadReader<format>(in, strip.x, Chain::radius), [](Quad &) {}, [&](int y, const Quad &quad) {
        if (hasMemory(out.rgba))
            writeQuad(out.rgba, in.width, strip.x, y, quad);
        if (out.halfGrey != nullptr)
            halfGrey.push(in, out, strip.x, y, quad);
    });
}

/// Pictures that isPlain approves of: what cameras deliver.
template <PixelFormat format, class... Stages>
__global__ void __launch_bounds__(32 * kWarpsPerBlock)
marchPlain(const __grid_constant__ PassInput in, const __grid_constant__ PassOutput out, int rows)
{
    using Chain = StageChain<Stages...>;
    const Strip strip = Strip::of<Chain::radius>(in, rows);
    if (strip.first >= strip.end)
        return;
    const BorderLanes border(strip.x, in.width);
    const auto prepare = [&](Quad &quad) {
        if constexpr (Chain::radius > 0)
            border.mirror(quad);
    };
    const auto pitch = static_cast<unsigned>(out.rgba.pitch);
    const bool toSurface = out.rgba.surface != 0;
    const bool withHalfGrey = out.halfGrey != nullptr;
    HalfGreyWriter halfGrey;
    marchStrip<Chain>(strip, PlainReader<format>(in, strip.x), prepare, [&](int y, const Quad &quad) {
        const uint4 words = make_uint4(quad.px[0], quad.px[1], quad.px[2], quad.px[3]);
        if (toSurface)
            surf2Dwrite(words, out.rgba.surface, 4 * strip.x, y);
        else
            *reinterpret_cast<uint4 *>(out.rgba.base + (static_cast<unsigned>(y) * pitch + 4u * static_cast<unsigned>(strip.x))) = words;
        if (withHalfGrey)
            halfGrey.push(in, out, strip.x, y, quad);
    });
}

using MarchKernel = void(PassInput, PassOutput, int);

inline cudaError_t launchKernel(MarchKernel *kernel, BlockSlots &slots, int radius, const PassInput &input,
                                const PassOutput &output, cudaStream_t stream)
{
    int resident = 0;
    if (const cudaError_t code = slots.of(kernel, 32 * kWarpsPerBlock, resident); code != cudaSuccess)
        return code;
    const int columns = (input.width + pixelsPerWarp(radius) - 1) / pixelsPerWarp(radius);
    const int rows = rowsPerWarp(input.height, columns, radius, resident);
    const dim3 grid(static_cast<unsigned>(columns), static_cast<unsigned>(blocksBeneath(input.height, rows)));
    kernel<<<grid, dim3(32, kWarpsPerBlock), 0, stream>>>(input, output, rows);
    return cudaGetLastError();
}

template <PixelFormat format, class... Stages>
cudaError_t launchMarch(const PassInput &input, const PassOutput &output, cudaStream_t stream)
{
    constexpr int radius = StageChain<Stages...>::radius;
    static_assert(radius < 4, "the lanes beside the picture mirror three pixels");
    static BlockSlots plainSlots;
    static BlockSlots anySlots;
    if (isPlain(input, output, quadAlignment(format)))
        return launchKernel(marchPlain<format, Stages...>, plainSlots, radius, input, output, stream);
    return launchKernel(marchAnywhere<format, Stages...>, anySlots, radius, input, output, stream);
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
        return launchMarch<format, Gaussian5LumaStage, SobelStage>(input, output, stream);
    case PassKind::Gaussian15:
        break;
    }
    return cudaErrorInvalidValue;
}

} // namespace jetscope::cuda
