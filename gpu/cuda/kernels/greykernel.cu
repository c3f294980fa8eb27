// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/kernels/greykernel.h"

namespace jetscope::cuda {

namespace {

constexpr unsigned kGreyBlockWidth = 32;
constexpr unsigned kGreyBlockHeight = 8;

__global__ void lumaOfPixels(const std::uint8_t *rgba, std::size_t rgbaPitch, std::uint8_t *grey, std::size_t greyPitch,
                             int width, int height)
{
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= height)
        return;
    const auto row = static_cast<std::size_t>(y);
    const std::uint32_t pixel = reinterpret_cast<const std::uint32_t *>(rgba + row * rgbaPitch)[x];
    grey[row * greyPitch + static_cast<std::size_t>(x)] = static_cast<std::uint8_t>(arithmetic::luma(pixel));
}

} // namespace

cudaError_t makeGrey(const PixelMemory &rgba, const PixelMemory &grey, int width, int height, cudaStream_t stream)
{
    const dim3 block(kGreyBlockWidth, kGreyBlockHeight);
    const dim3 grid((static_cast<unsigned>(width) + block.x - 1) / block.x,
                    (static_cast<unsigned>(height) + block.y - 1) / block.y);
    lumaOfPixels<<<grid, block, 0, stream>>>(rgba.base, rgba.pitch, grey.base, grey.pitch, width, height);
    return cudaGetLastError();
}

} // namespace jetscope::cuda
