// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "gpu/cuda/kernels/passkind.h"
#include "gpu/filters/arithmetic.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace jetscope {

/// Rows of bytes, in linear memory or behind a surface object.
struct PixelMemory {
    std::uint8_t *base = nullptr;
    std::size_t pitch = 0;
    cudaSurfaceObject_t surface = 0; ///< 0 for linear memory.
    int firstLine = 0;               ///< Of a surface: where these rows begin.
    int surfacePitch =
        0; ///< Of a surface whose rows are not these: its own, in bytes; the first of these is at `firstByte`.
    int firstByte = 0;

    bool empty() const { return base == nullptr && surface == 0; }
};

/// arithmetic::YuvWeights with what a chroma of 0 adds to each channel, rounding included: a multiplication less to
/// prepare.
struct PassYuv {
    arithmetic::YuvWeights weights{};
    int red = 0;
    int green = 0;
    int blue = 0;
};

constexpr PassYuv passYuv(const arithmetic::YuvWeights &weights)
{
    return {weights, arithmetic::yuvRed(weights, 0), arithmetic::yuvGreen(weights, 0, 0),
            arithmetic::yuvBlue(weights, 0)};
}

struct PassInput {
    PixelFormat format = PixelFormat::Rgba8;
    int width = 0;
    int height = 0;
    PixelMemory pixels;
    PixelMemory chroma; ///< NV12's second plane, or U's.
    PixelMemory chromaV;
    PassYuv yuv;
};

/// Where a kernel writes its times, in nanoseconds of %globaltimer: 128 bytes of device memory, zero before. The ends
/// of blocks are spread over several words, because thousands of blocks that end at once would queue for one; the
/// latest counts.
struct KernelStamp {
    static constexpr int kEnds = 15;
    unsigned long long notFirst; ///< The complement of the earliest start, so that the greatest counts here, too.
    unsigned long long last[kEnds];
};

struct PassOutput {
    PixelMemory rgba;                 ///< Empty when only the half-size grey picture is wanted.
    std::uint8_t *halfGrey = nullptr; ///< Null when nobody wants it.
    std::size_t halfGreyPitch = 0;
    KernelStamp *stamp = nullptr; ///< Null when nobody wants its times.
};

/// Puts one pass into the stream; its row in the table of passes says what it reads and makes.
cudaError_t launchPass(PassKind kind, const PassInput &input, const PassOutput &output, cudaStream_t stream);

/// Puts the kernel of one filter into the stream: it reads RGBA8 aligned to words, from memory or from a surface, and
/// writes `output.rgba`, which may be either, too. Called by the thread that launches, with the device current.
using PassLaunch = cudaError_t (*)(const PassInput &input, const PassOutput &output, cudaStream_t stream);

} // namespace jetscope
