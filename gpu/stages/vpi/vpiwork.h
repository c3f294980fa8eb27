// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/stages/stage.h"
#include "gpu/stages/vpi/vpilibrary.h"
#include "gpu/stages/vpi/vpiplan.h"

#include <memory>
#include <string>

namespace jetscope {

/// What stages of VPI call of the CUDA driver, loaded at run time.
struct VpiCuda {
    int (*getErrorString)(int code, const char **text) = nullptr;
    int (*synchronizeStream)(void *stream) = nullptr;
    int (*copy2dAsync)(const void *copy, void *stream) = nullptr; ///< cuMemcpy2DAsync_v2 of a driver::Copy2d.
    int (*set2dAsync)(std::uint64_t memory, std::size_t pitch, unsigned char value, std::size_t width,
                      std::size_t height, void *stream) = nullptr; ///< cuMemsetD2D8Async

    static Result<VpiCuda> load(const std::string &path);
    Status check(const char *call, int code) const;
};

/// What the work of an algorithm is made of. All outlive the work.
struct VpiParts {
    const VpiLibrary &library;
    const VpiPlan &plan;
    const VpiCuda *cuda = nullptr; ///< Null where frames are in host memory.
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

    /// Puts the work into the stream.
    virtual Status submit(vpi::Stream stream, vpi::Image input, vpi::Image output) = 0;
    /// After the work is complete: what is left to do for the output.
    virtual Status finish(const StageFrame &) { return {}; }
};

/// The format of VPI for a picture of the plan.
std::uint64_t vpiFormatOf(const VpiPlan &plan, PixelFormat format);
/// The backends that the plan needs on this machine.
std::uint64_t backendsFor(const VpiPlan &plan, const VpiLibrary &library);

} // namespace jetscope
