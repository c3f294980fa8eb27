// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/stages/dla/tensormath.h"

#include <cuda_runtime_api.h>

namespace jetscope::cuda {

cudaError_t packTensor(const tensor::Pixels &frame, const tensor::Packing &packing, const tensor::Shape &shape,
                       void *tensor, cudaStream_t stream);
/// The class with the greatest value, the first of several, of a tensor of one pixel.
cudaError_t findTop(const tensor::Shape &shape, const void *tensor, tensor::Top *top, cudaStream_t stream);
cudaError_t drawHeatMap(const tensor::Pixels &frame, const tensor::Pixels &out, const tensor::Drawing &drawing,
                        const tensor::Shape &shape, const void *tensor, cudaStream_t stream);
cudaError_t drawTopClass(const tensor::Pixels &frame, const tensor::Pixels &out, const tensor::Top *top,
                         cudaStream_t stream);

} // namespace jetscope::cuda
