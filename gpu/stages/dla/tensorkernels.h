// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/base/kernelstamps.h"
#include "gpu/stages/dla/tensormath.h"

namespace jetscope {

/// Where work goes, and who is told of each kernel; both may be null.
struct TensorQueue {
    void *stream = nullptr;
    KernelObserver *observer = nullptr;
};

/// What surrounds a network: the frame packed into its input, and its output drawn over the frame. Each puts its work
/// into the stream and does not wait. All memory is the device's.
struct TensorKernels {
    Status (*pack)(const tensor::Pixels &frame, const tensor::Packing &packing, const tensor::Shape &shape,
                   void *tensor, const TensorQueue &queue);
    /// A tensor of one pixel is drawn as text, by way of `top`; others are drawn as a heat map.
    Status (*draw)(const tensor::Pixels &frame, const tensor::Pixels &out, const tensor::Drawing &drawing,
                   const tensor::Shape &shape, const void *tensor, tensor::Top *top, const TensorQueue &queue);
};

/// Those of the CUDA device that is current; null if Jetscope was built without CUDA.
const TensorKernels *cudaTensorKernels();

} // namespace jetscope
