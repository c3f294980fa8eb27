// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/dla/tensorkernels.h"

#include "gpu/cuda/check.h"
#include "gpu/cuda/kernels/tensorlaunch.h"

namespace jetscope {

namespace {

Status packOnCuda(const tensor::Pixels &frame, const tensor::Packing &packing, const tensor::Shape &shape, void *tensor,
                  void *stream)
{
    return cudaStatus("cudaLaunchKernel",
                      cuda::packTensor(frame, packing, shape, tensor, static_cast<cudaStream_t>(stream)));
}

Status drawOnCuda(const tensor::Pixels &frame, const tensor::Pixels &out, const tensor::Drawing &drawing,
                  const tensor::Shape &shape, const void *tensor, tensor::Top *top, void *stream)
{
    auto *const native = static_cast<cudaStream_t>(stream);
    if (shape.width * shape.height > 1)
        return cudaStatus("cudaLaunchKernel", cuda::drawHeatMap(frame, out, drawing, shape, tensor, native));
    JETSCOPE_TRY(cudaStatus("cudaLaunchKernel", cuda::findTop(shape, tensor, top, native)));
    return cudaStatus("cudaLaunchKernel", cuda::drawTopClass(frame, out, top, native));
}

} // namespace

const TensorKernels *cudaTensorKernels()
{
    static constexpr TensorKernels kKernels{packOnCuda, drawOnCuda};
    return &kKernels;
}

} // namespace jetscope
