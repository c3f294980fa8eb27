// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/cuda/kernels/passes.h"

#include <cuda_runtime_api.h>

namespace jetscope::cuda {

/// RGBA8 aligned to words, in linear memory, to its luma: for stages that read grey.
cudaError_t makeGrey(const PixelMemory &rgba, const PixelMemory &grey, int width, int height, cudaStream_t stream);

} // namespace jetscope::cuda
