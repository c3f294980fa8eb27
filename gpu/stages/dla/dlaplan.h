// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/stages/dla/cudlaabi.h"
#include "gpu/stages/dla/tensormath.h"
#include "gpu/stages/stagetable.h"

#include <optional>
#include <string>
#include <vector>

namespace jetscope {

/// What a user asks of a DLA: "dla:net.dla?dla=0&scale=0.0039&order=bgr".
struct DlaPlan {
    std::string file;
    int dla = 0;
    std::optional<double> scale; ///< None: that of the element type.
    double mean = 0;
    bool isBgr = false;
    tensor::Drawing drawing;

    /// Errors name an unknown option, or a value out of range; standalone mode is not built.
    static Result<DlaPlan> parse(const StageAddress &address);
    tensor::Packing packing(tensor::Element element) const;
};

/// The bytes of a loadable. Errors: no such file, an empty one, or one of more than 1 GiB.
Result<std::vector<std::uint8_t>> readLoadable(const std::string &file);

/// Where the elements of a tensor lie. Errors: a format, an element type or a size that Jetscope does not know, or
/// strides that lead outside of the tensor.
Result<tensor::Shape> shapeOf(const cudla::TensorDescriptor &descriptor);
/// "input \"data\": 1x3x224x224 half, NCHW, 301056 bytes"
std::string describe(const char *role, const cudla::TensorDescriptor &descriptor);

} // namespace jetscope
