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
    std::string label; ///< Of a made-up library: what results of experiments name in place of a device.
};
VpiTools &vpiTools();

/// "vpi:ALGORITHM?backend=…": an algorithm of NVIDIA's VPI.
class VpiStage final : public Stage {
public:
    /// Loads the library. Errors: the address is wrong, there is no such library, or it lacks the backend here.
    /// `whyMemory` as VpiPlan::takeMemory, if it is not empty.
    static Result<std::unique_ptr<VpiStage>> create(const StageAddress &address, const std::string &whyMemory = {});

    Result<std::unique_ptr<StageInstance>> setUp(const StageDevice &device, int width, int height) override;
    const VpiLibrary &library() const { return m_library; }
    const VpiPlan &plan() const { return m_plan; }

private:
    VpiStage(VpiLibrary library, VpiPlan plan) : m_library(std::move(library)), m_plan(std::move(plan)) {}

    const VpiLibrary m_library;
    const VpiPlan m_plan;
};

/// Whether there is a VPI at all, before one is loaded, with the reason if not. `library` as in VpiTools. Reads files;
/// any thread.
Capability hasVpi(const std::string &library);

/// Tries the algorithm in a process of its own, and a Jetson's own buffers in another one where VPI shall read them;
/// then loads the library.
LoadedStage loadVpiStage(const StageAddress &address);

/// The trial as the child makes it; as trialOfLibrary. `library` as in VpiTools.
std::string trialOfVpi(const StageAddress &address, const std::string &library, int major);

/// The trial with a Jetson's own buffers as the child makes it: wraps some that it has made, runs the stage on them,
/// and unwraps them. Returns the reason why such buffers must not be wrapped, or nothing; nothing also where the
/// library for them is missing, since no camera has any there. `surfaces` as in NvivaTools. May crash or hang.
std::string trialOfVpiBuffers(const StageAddress &address, const VpiTools &tools, const std::string &surfaces);

} // namespace jetscope
