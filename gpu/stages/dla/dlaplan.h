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

/// How cuDLA shares memory and order with CUDA.
enum class DlaMode {
    Hybrid,    ///< It registers memory of CUDA and puts tasks into CUDA's streams.
    Standalone ///< Both import buffers of NvSciBuf, and wait for each other by NvSciSync.
};

/// What a user asks of a DLA: "dla:net.dla?dla=0&scale=0.0039&order=bgr".
struct DlaPlan {
    std::string file;
    int dla = 0;
    DlaMode mode = DlaMode::Hybrid;
    std::optional<double> scale; ///< None: that of the element type.
    double mean = 0;
    bool isBgr = false;
    tensor::Drawing drawing;
    std::vector<FilterOption> options; ///< What can be set, with the values of this plan.

    /// Errors name an unknown option, or a value out of range.
    static Result<DlaPlan> parse(const StageAddress &address);
    tensor::Packing packing(tensor::Element element) const;
};

/// An error if there is no regular file.
Status checkLoadableFile(const std::string &file);
/// The bytes of a loadable. Errors: no such file, an empty one, or one of more than 1 GiB.
Result<std::vector<std::uint8_t>> readLoadable(const std::string &file);

/// Where the elements of a tensor lie. Errors: a format, an element type or a size that Jetscope does not know, or
/// strides that lead outside of the tensor.
Result<tensor::Shape> shapeOf(const cudla::TensorDescriptor &descriptor);
/// "input 'data': 1x3x224x224 half, NCHW, 301056 bytes"
std::string describe(const char *role, const cudla::TensorDescriptor &descriptor);

} // namespace jetscope
