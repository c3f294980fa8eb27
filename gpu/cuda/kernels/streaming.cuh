// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/cuda/kernels/blockslots.h"
#include "gpu/cuda/kernels/halfgrey.cuh"
#include "gpu/cuda/kernels/readers.cuh"
#include "gpu/cuda/kernels/stamping.cuh"
#include "gpu/cuda/kernels/streaminglaunch.h"
#include "gpu/cuda/kernels/strips.cuh"

// The streaming kernel, one for all filters of small radius: every warp goes down a strip of the picture row by row and
// keeps in registers what its stages remember of the rows above. Each pixel is read once (but for the strips' rims) and
// written once. `streamFast` is the path for the layouts that cameras deliver, `streamGeneric` the path for any layout.
namespace jetscope::cuda {

/// Whether 32 bits reach every byte of the rows.
inline bool fitsOffset(const PixelMemory &memory, int rows)
{
    return memory.pitch * static_cast<std::size_t>(rows) >> 32 == 0;
}

/// Whether a picture is one for FastReader, and its output for whole quads.
inline bool isFastPath(const PassInput &in, const PassOutput &out, std::size_t alignment)
{
    // Beyond the borders lie a stage's radius and the rows fetched ahead.
    constexpr int reach = 16;
    return in.width % 4 == 0 && in.width > reach && in.height > reach && in.pixels.surface == 0
        && isAligned(in.pixels, alignment) && isAligned(in.chroma, alignment) && isAligned(in.chromaV, alignment)
        && fitsOffset(in.pixels, in.height)
        && (out.rgba.surface != 0
            || (out.rgba.base != nullptr && isAligned(out.rgba, 16) && fitsOffset(out.rgba, in.height)))
        && (reinterpret_cast<std::size_t>(out.halfGrey) | out.halfGreyPitch) % 2 == 0;
}

/// The loop of the streaming kernel: `prepare` completes a quad that was read, `write` takes the finished ones, also
/// those above and below the strip, with their row and whether that is an even one.
template <class Chain, class Reader, class Prepare, class Write>
__device__ __forceinline__ void streamStrip(const Strip &strip, Reader &&reader, const Prepare &prepare, Write &&write)
{
    constexpr int radius = Chain::radius;
    constexpr int rows = rowsAhead(radius);
    static_assert(rows % 2 == 0);
    Chain chain;
    Quad ahead[rows];
    for (int i = 0; i < rows; ++i)
        ahead[i] = reader.fetch(strip.first - radius + i, (i + radius) % 2 == 0);
    for (int base = strip.first - radius; base < strip.end + radius; base += rows) {
#pragma unroll
        for (int i = 0; i < rows; ++i) {
            // Strips begin with an even row, and out comes the one that is twice the radius above the strip's rim.
            const bool isEven = (i + radius) % 2 == 0;
            auto pixels = reader.unpack(ahead[i], isEven);
            ahead[i] = reader.fetch(base + i + rows, isEven);
            prepare(pixels);
            write(base + i - radius, i % 2 == 0, chain.push(pixels, isEven));
        }
    }
}

/// The path for any layout: any size, any alignment, any memory.
template <PixelFormat format, class... Stages>
__global__ void __launch_bounds__(kThreads)
    streamGeneric(const __grid_constant__ PassInput in, const __grid_constant__ PassOutput out, int rows)
{
    using Chain = StageChain<Stages...>;
    stampStart(out.stamp);
    const Strip strip = Strip::of<Chain::radius>(in, rows);
    HalfGreyWriter halfGrey;
    const auto write = [&](int y, bool, const Quad &quad) {
        if (!strip.writes || y < strip.first || y >= strip.end)
            return;
        if (hasMemory(out.rgba))
            writeQuad(out.rgba, in.width, strip.x, y, quad);
        if (out.halfGrey != nullptr)
            halfGrey.push(in, out, strip.x, y, quad);
    };
    streamStrip<Chain>(
        strip, QuadReader<format>(in, strip.x, Chain::radius), [](Quad &) {}, write);
    stampEnd(out.stamp);
}

/// What the streaming kernel knows of its output's memory when it is compiled.
enum class RowTarget { Any, Surface, Memory };

/// Writes whole quads. Without branches, so that the rows of a strip overlap: a warp that waits for its own last result
/// does nothing.
template <RowTarget target, int radius, bool withHalfGrey, bool isGrey>
class FastWriter {
public:
    __device__ FastWriter(const PassInput &in, const PassOutput &out, const Strip &strip)
        : m_out(out),
          m_x(strip.x),
          m_to(out.rgba.base + (strip.first - 2 * radius) * static_cast<std::ptrdiff_t>(out.rgba.pitch) + 4 * strip.x),
          m_rows(strip.writes ? static_cast<unsigned>(strip.end - strip.first) : 0),
          m_surfaceRows(target == RowTarget::Surface || out.rgba.surface != 0 ? m_rows : 0),
          m_memoryRows(target == RowTarget::Memory || out.rgba.surface == 0 ? m_rows : 0),
          m_halfGrey(in, out, strip.x, strip.first - 2 * radius)
    {
    }

    /// Takes every row from 2 * radius above the strip on.
    __device__ __forceinline__ void operator()(int y, bool isUpper, const Quad &quad)
    {
        if constexpr (target != RowTarget::Memory)
            writeSurface(m_out.rgba.surface, 4 * m_x, y, quad, m_row, m_surfaceRows);
        if constexpr (target != RowTarget::Surface)
            if (m_row < m_memoryRows)
                *reinterpret_cast<uint4 *>(m_to) = make_uint4(quad.px[0], quad.px[1], quad.px[2], quad.px[3]);
        if constexpr (withHalfGrey)
            m_halfGrey.push(y, isUpper, m_row < m_rows, quad);
        m_to += m_out.rgba.pitch;
        ++m_row;
    }

private:
    const PassOutput &m_out;
    const int m_x;
    std::uint8_t *m_to;                ///< In memory: the next row.
    unsigned m_row = 0u - 2u * radius; ///< Of the strip; those above it count as far below it.
    const unsigned m_rows;             ///< To be written by this lane: all of the strip, or none.
    const unsigned m_surfaceRows;
    const unsigned m_memoryRows;
    FastHalfGrey<isGrey> m_halfGrey;
};

/// A strip that reads no row outside the picture, in colours to be converted: that takes so many instructions that it
/// is worth a loop of its own.
template <RowTarget target, PixelFormat format, bool withHalfGrey, bool mirrors, class Chain>
__device__ __forceinline__ void streamInside(const PassInput &in, const PassOutput &out, const Strip &strip)
{
    using Pixels = typename Chain::Input;
    streamStrip<Chain>(
        strip, InsideReader<format, Pixels, mirrors>(in, strip.x, strip.first - Chain::radius), [](Pixels &) {},
        FastWriter<target, Chain::radius, withHalfGrey, Chain::isGrey>(in, out, strip));
}

template <PixelFormat format, bool withHalfGrey, class Chain>
__device__ __forceinline__ void streamFastStrip(const PassInput &in, const PassOutput &out, int rows)
{
    const Strip strip = Strip::of<Chain::radius>(in, rows);
    const FastReader<format> reader(in, strip.x);
    FastWriter<RowTarget::Any, Chain::radius, withHalfGrey, Chain::isGrey> writer(in, out, strip);
    if constexpr (Chain::radius > 0 && convertsColours(format))
        if (!strip.readsOutside) {
            if (strip.isAtBorder)
                streamInside<RowTarget::Any, format, withHalfGrey, true, Chain>(in, out, strip);
            else if (out.rgba.surface != 0)
                streamInside<RowTarget::Surface, format, withHalfGrey, false, Chain>(in, out, strip);
            else
                streamInside<RowTarget::Memory, format, withHalfGrey, false, Chain>(in, out, strip);
            return;
        }
    if constexpr (Chain::radius > 0)
        if (strip.isAtBorder || convertsColours(format)) {
            const BorderLanes border(strip.x, in.width);
            streamStrip<Chain>(
                strip, reader, [&](Quad &quad) { border.mirror(quad); }, writer);
            return;
        }
    streamStrip<Chain>(
        strip, reader, [](Quad &) {}, writer);
}

/// The fast path: pictures that isFastPath approves of, which are what cameras deliver.
template <PixelFormat format, bool withHalfGrey, class... Stages>
__global__ void __launch_bounds__(kThreads, warpsWanted(convertsColours(format)))
    streamFast(const __grid_constant__ PassInput in, const __grid_constant__ PassOutput out, int rows)
{
    stampStart(out.stamp);
    streamFastStrip<format, withHalfGrey, StageChain<Stages...>>(in, out, rows);
    stampEnd(out.stamp);
}

using StreamingKernel = void(PassInput, PassOutput, int);

inline cudaError_t launchKernel(StreamingKernel *kernel, BlockSlots &slots, int radius, const PassInput &input,
                                const PassOutput &output, cudaStream_t stream)
{
    int resident = 0;
    if (const cudaError_t code = slots.of(kernel, kThreads, resident); code != cudaSuccess)
        return code;
    const int columns = (input.width + pixelsPerWarp(radius) - 1) / pixelsPerWarp(radius);
    const int rows = rowsPerWarp(input.height, columns, radius, resident);
    const dim3 grid(static_cast<unsigned>(columns), static_cast<unsigned>(stripsBeneath(input.height, rows)));
    kernel<<<grid, kThreads, 0, stream>>>(input, output, rows);
    return cudaGetLastError();
}

template <PixelFormat format, class... Stages>
cudaError_t launchStages(const PassInput &input, const PassOutput &output, cudaStream_t stream)
{
    constexpr int radius = StageChain<Stages...>::radius;
    static_assert(radius < 4, "the lanes beside the picture mirror three pixels");
    static BlockSlots fastSlots;
    static BlockSlots halfGreySlots;
    static BlockSlots anySlots;
    if (isFastPath(input, output, quadAlignment(format)))
        return output.halfGrey
            ? launchKernel(streamFast<format, true, Stages...>, halfGreySlots, radius, input, output, stream)
            : launchKernel(streamFast<format, false, Stages...>, fastSlots, radius, input, output, stream);
    return launchKernel(streamGeneric<format, Stages...>, anySlots, radius, input, output, stream);
}

template <PixelFormat format>
cudaError_t launchStreaming(PassKind kind, const PassInput &input, const PassOutput &output, cudaStream_t stream)
{
    switch (kind) {
    case PassKind::Convert:
        return launchStages<format>(input, output, stream);
    case PassKind::Invert:
        return launchStages<format, InvertStage>(input, output, stream);
    case PassKind::Threshold:
        return launchStages<format, ThresholdStage>(input, output, stream);
    case PassKind::Gaussian5:
        return launchStages<format, Gaussian5Stage>(input, output, stream);
    case PassKind::Sobel:
        return launchStages<format, SobelStage>(input, output, stream);
    case PassKind::Sharpen:
        return launchStages<format, SharpenStage>(input, output, stream);
    case PassKind::Gaussian5Sobel:
        return launchStages<format, Gaussian5LumaStage, SobelStage>(input, output, stream);
    case PassKind::Gaussian15: // Has a kernel of its own.
        break;
    }
    return cudaErrorInvalidValue;
}

} // namespace jetscope::cuda
