// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/dla/tensorkernels.h"

#include "gpu/cuda/check.h"
#include "gpu/cuda/kernels/tensorlaunch.h"

namespace jetscope {

namespace {

/// The kernels do not write their times.
cudaStream_t announced(const TensorQueue &queue, const char *kernel)
{
    if (queue.observer)
        static_cast<void>(queue.observer->kernel(internName(kernel, Category::Kernel)));
    return static_cast<cudaStream_t>(queue.stream);
}

Status packOnCuda(const tensor::Pixels &frame, const tensor::Packing &packing, const tensor::Shape &shape, void *tensor,
                  const TensorQueue &queue)
{
    return cudaStatus("cudaLaunchKernel",
                      cuda::packTensor(frame, packing, shape, tensor, announced(queue, "pack tensor")));
}

Status drawOnCuda(const tensor::Pixels &frame, const tensor::Pixels &out, const tensor::Drawing &drawing,
                  const tensor::Shape &shape, const void *tensor, tensor::Top *top, const TensorQueue &queue)
{
    if (shape.width * shape.height > 1)
        return cudaStatus("cudaLaunchKernel",
                          cuda::drawHeatMap(frame, out, drawing, shape, tensor, announced(queue, "draw heat map")));
    JETSCOPE_TRY(cudaStatus("cudaLaunchKernel", cuda::findTop(shape, tensor, top, announced(queue, "find class"))));
    return cudaStatus("cudaLaunchKernel", cuda::drawTopClass(frame, out, top, announced(queue, "draw class")));
}

} // namespace

const TensorKernels *cudaTensorKernels()
{
    static constexpr TensorKernels kKernels{packOnCuda, drawOnCuda};
    return &kKernels;
}

} // namespace jetscope
