// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/stages/kerneldriver.h"
#include "gpu/stages/stage.h"
#include "gpu/stages/vpi/vpicorners.h"
#include "gpu/stages/vpi/vpilibrary.h"
#include "gpu/stages/vpi/vpiplan.h"

#include <memory>

namespace jetscope {

/// What the work of an algorithm is made of. All outlive the work.
struct VpiParts {
    const VpiLibrary &library;
    const VpiPlan &plan;
    VpiCorners *corners = nullptr;      ///< For harris only.
    const KernelDriver *cuda = nullptr; ///< Null where frames are in host memory.
    int width = 0;
    int height = 0;
    /// The plan's backend, and the one that prepares its input if it cannot read that.
    std::uint64_t backends = 0;
};

/// An algorithm with what it needs beside its pictures, for one stream.
class VpiWork {
public:
    virtual ~VpiWork() = default;

    static Result<std::unique_ptr<VpiWork>> create(const VpiParts &parts);

    /// What the stream of the frame does before VPI begins.
    virtual Status prepare(const StageFrame &) { return {}; }
    /// Puts the work on a frame into the stream.
    virtual Status submit(std::uint64_t frame, vpi::Stream stream, vpi::Image input, vpi::Image output) = 0;
    /// After the work is complete: what is left to do for the output.
    virtual Status finish(const StageFrame &) { return {}; }
};

/// The format of VPI for a picture of the plan.
std::uint64_t vpiFormatOf(const VpiPlan &plan, PixelFormat format);
/// The backends that the plan needs on this machine.
std::uint64_t backendsFor(const VpiPlan &plan, const VpiLibrary &library);

} // namespace jetscope
