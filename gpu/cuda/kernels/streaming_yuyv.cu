// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/kernels/streaming.cuh"

namespace jetscope::cuda {

cudaError_t launchStreamingYuyv(PassKind kind, const PassInput &input, const PassOutput &output, cudaStream_t stream)
{
    return launchStreamingOf<PixelFormat::Yuyv>(kind, input, output, stream);
}

} // namespace jetscope::cuda
