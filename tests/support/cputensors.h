// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/stages/dla/tensorkernels.h"

namespace jetscope::testing {

/// The kernels around a network as loops of the CPU, at once.
inline const TensorKernels &cpuTensorKernels()
{
    static constexpr TensorKernels kKernels{
        [](const tensor::Pixels &frame, const tensor::Packing &packing, const tensor::Shape &shape, void *tensor,
           const TensorQueue &) {
            for (int y = 0; y < shape.height; ++y)
                for (int x = 0; x < shape.width; ++x)
                    tensor::packPixel(frame, packing, shape, tensor, x, y);
            return Status();
        },
        [](const tensor::Pixels &frame, const tensor::Pixels &out, const tensor::Drawing &drawing,
           const tensor::Shape &shape, const void *tensor, tensor::Top *top, const TensorQueue &) {
            const bool isClass = shape.width * shape.height == 1;
            *top = {0, tensor::load(shape, tensor, 0, 0, 0)};
            for (int channel = 1; isClass && channel < shape.channels; ++channel)
                if (const float value = tensor::load(shape, tensor, channel, 0, 0); value > top->value)
                    *top = {channel, value};
            for (int y = 0; y < frame.height; ++y)
                for (int x = 0; x < frame.width; ++x) {
                    if (isClass)
                        tensor::drawClass(frame, out, *top, x, y);
                    else
                        tensor::drawHeat(frame, out, drawing, shape, tensor, x, y);
                }
            return Status();
        }};
    return kKernels;
}

} // namespace jetscope::testing
