// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/kernels/tensorlaunch.h"

namespace jetscope::cuda {

namespace {

constexpr unsigned kTensorBlockWidth = 32;
constexpr unsigned kTensorBlockHeight = 8;
constexpr int kTopThreads = 256;

__device__ int columnOfThread()
{
    return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
}

__device__ int rowOfThread()
{
    return static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
}

__global__ void packPixels(tensor::Pixels frame, tensor::Packing packing, tensor::Shape shape, void *tensor)
{
    if (columnOfThread() < shape.width && rowOfThread() < shape.height)
        tensor::packPixel(frame, packing, shape, tensor, columnOfThread(), rowOfThread());
}

__device__ bool isBetter(const tensor::Top &a, const tensor::Top &b)
{
    return a.value > b.value || (a.value == b.value && a.index < b.index);
}

__global__ void findTopClass(tensor::Shape shape, const void *tensor, tensor::Top *top)
{
    __shared__ tensor::Top best[kTopThreads];
    const int thread = static_cast<int>(threadIdx.x);
    tensor::Top own;
    own.value = tensor::load(shape, tensor, 0, 0, 0);
    for (int channel = thread; channel < shape.channels; channel += kTopThreads) {
        tensor::Top other;
        other.index = channel;
        other.value = tensor::load(shape, tensor, channel, 0, 0);
        if (isBetter(other, own))
            own = other;
    }
    best[thread] = own;
    for (int half = kTopThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (thread < half && isBetter(best[thread + half], best[thread]))
            best[thread] = best[thread + half];
    }
    if (thread == 0)
        *top = best[0];
}

__global__ void drawHeatPixels(tensor::Pixels frame, tensor::Pixels out, tensor::Drawing drawing, tensor::Shape shape,
                               const void *tensor)
{
    if (columnOfThread() < frame.width && rowOfThread() < frame.height)
        tensor::drawHeat(frame, out, drawing, shape, tensor, columnOfThread(), rowOfThread());
}

__global__ void drawClassPixels(tensor::Pixels frame, tensor::Pixels out, const tensor::Top *top)
{
    if (columnOfThread() < frame.width && rowOfThread() < frame.height)
        tensor::drawClass(frame, out, *top, columnOfThread(), rowOfThread());
}

dim3 blocksOver(int width, int height)
{
    return dim3((static_cast<unsigned>(width) + kTensorBlockWidth - 1) / kTensorBlockWidth,
                (static_cast<unsigned>(height) + kTensorBlockHeight - 1) / kTensorBlockHeight);
}

dim3 tensorBlock()
{
    return dim3(kTensorBlockWidth, kTensorBlockHeight);
}

} // namespace

cudaError_t packTensor(const tensor::Pixels &frame, const tensor::Packing &packing, const tensor::Shape &shape,
                       void *tensor, cudaStream_t stream)
{
    packPixels<<<blocksOver(shape.width, shape.height), tensorBlock(), 0, stream>>>(frame, packing, shape, tensor);
    return cudaGetLastError();
}

cudaError_t findTop(const tensor::Shape &shape, const void *tensor, tensor::Top *top, cudaStream_t stream)
{
    findTopClass<<<1, kTopThreads, 0, stream>>>(shape, tensor, top);
    return cudaGetLastError();
}

cudaError_t drawHeatMap(const tensor::Pixels &frame, const tensor::Pixels &out, const tensor::Drawing &drawing,
                        const tensor::Shape &shape, const void *tensor, cudaStream_t stream)
{
    drawHeatPixels<<<blocksOver(frame.width, frame.height), tensorBlock(), 0, stream>>>(frame, out, drawing, shape,
                                                                                        tensor);
    return cudaGetLastError();
}

cudaError_t drawTopClass(const tensor::Pixels &frame, const tensor::Pixels &out, const tensor::Top *top,
                         cudaStream_t stream)
{
    drawClassPixels<<<blocksOver(frame.width, frame.height), tensorBlock(), 0, stream>>>(frame, out, top);
    return cudaGetLastError();
}

} // namespace jetscope::cuda
