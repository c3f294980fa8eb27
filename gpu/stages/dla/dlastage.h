// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/stages/dla/dlainstance.h"
#include "gpu/stages/dla/dlaplan.h"
#include "gpu/stages/dla/tensorkernels.h"
#include "gpu/stages/stagetable.h"

#include <chrono>
#include <memory>
#include <string>

namespace jetscope {

/// What stages of cuDLA are made with; other values in tests only.
struct DlaTools {
    std::string library; ///< Empty: that of JetPack.
    std::string driver = "libcuda.so.1";
    const TensorKernels *kernels = nullptr;    ///< Null: those of CUDA.
    std::chrono::milliseconds timeout{10'000}; ///< A task that takes longer ends the program.
    std::string buffers;                       ///< NvSciBuf; empty: that of L4T.
    std::string syncs;                         ///< NvSciSync, as well.
};
DlaTools &dlaTools();

/// "dla:FILE?dla=0": a loadable of the user on a DLA.
class DlaStage final : public Stage {
public:
    /// Loads the libraries. Errors: the address is wrong, there is no such library, file or DLA.
    static Result<std::unique_ptr<DlaStage>> create(const StageAddress &address);

    Result<std::unique_ptr<StageInstance>> setUp(const StageDevice &device, int width, int height) override;
    const DlaPlan &plan() const { return m_plan; }

private:
    DlaStage(DlaRuntime runtime, DlaPlan plan) : m_runtime(std::move(runtime)), m_plan(std::move(plan)) {}

    const DlaRuntime m_runtime;
    const DlaPlan m_plan;
};

/// Tries the loadable in a process of its own, then loads cuDLA.
LoadedStage loadDlaStage(const StageAddress &address);

/// The trial as the child makes it; as trialOfLibrary.
std::string trialOfDla(const StageAddress &address, const DlaTools &tools);

/// Which modes of cuDLA this machine may have: its libraries could be loaded. Whether a task runs shows in the trial of
/// a loadable.
struct DlaModes {
    std::string version; ///< Of cuDLA; empty without it.
    int engines = 0;
    Capability hybrid;
    Capability standalone;
};
DlaModes examineDlaModes();
/// Whether this build can pack frames for a DLA; no library is loaded for it.
Capability canPackForDla();

} // namespace jetscope
