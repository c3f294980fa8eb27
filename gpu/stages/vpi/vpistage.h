// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/stages/stagetable.h"
#include "gpu/stages/vpi/vpilibrary.h"
#include "gpu/stages/vpi/vpiplan.h"

#include <memory>
#include <string>

namespace jetscope {

/// Where stages of VPI find their libraries; other values in tests only.
struct VpiTools {
    std::string library; ///< Empty: VpiLibrary::find.
    int major = 0;       ///< Of `library`.
    std::string driver = "libcuda.so.1";
};
VpiTools &vpiTools();

/// "vpi:ALGORITHM?backend=…": an algorithm of NVIDIA's VPI.
class VpiStage final : public Stage {
public:
    /// Loads the library. Errors: the address is wrong, there is no such library, or it lacks the backend here.
    static Result<std::unique_ptr<VpiStage>> create(const StageAddress &address);

    Result<std::unique_ptr<StageInstance>> setUp(const StageDevice &device, int width, int height) override;
    const VpiLibrary &library() const { return m_library; }
    const VpiPlan &plan() const { return m_plan; }

private:
    VpiStage(VpiLibrary library, VpiPlan plan) : m_library(std::move(library)), m_plan(std::move(plan)) {}

    const VpiLibrary m_library;
    const VpiPlan m_plan;
};

/// Tries the algorithm in a process of its own, then loads the library.
LoadedStage loadVpiStage(const StageAddress &address);

/// The trial as the child makes it; as trialOfLibrary. `library` as in VpiTools.
std::string trialOfVpi(const StageAddress &address, const std::string &library, int major);

} // namespace jetscope
