// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/cuda/kernels/passes.h"

namespace jetscope::cuda {

// Where a .cpp file ends and a .cu file begins.

/// The streaming kernel of a pass over frames of one pixel format. Defined in streaming.cuh and instantiated by one
/// file for each format, which CMake makes from streaming.cu.in.
template <PixelFormat format>
cudaError_t launchStreaming(PassKind kind, const PassInput &input, const PassOutput &output, cudaStream_t stream);

cudaError_t gaussian15(const PassInput &input, const PassOutput &output, cudaStream_t stream);

} // namespace jetscope::cuda
