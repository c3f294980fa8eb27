// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/stages/dla/cudlalibrary.h"
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
};
DlaTools &dlaTools();

/// "dla:FILE?dla=0": a loadable of the user on a DLA, by cuDLA in hybrid mode.
class DlaStage final : public Stage {
public:
    /// Loads the library. Errors: the address is wrong, there is no such library, file or DLA.
    static Result<std::unique_ptr<DlaStage>> create(const StageAddress &address);

    Result<std::unique_ptr<StageInstance>> setUp(const StageDevice &device, int width, int height) override;
    const DlaPlan &plan() const { return m_plan; }

private:
    DlaStage(CudlaLibrary library, DlaPlan plan) : m_library(std::move(library)), m_plan(std::move(plan)) {}

    const CudlaLibrary m_library;
    const DlaPlan m_plan;
};

/// Tries the loadable in a process of its own, then loads cuDLA.
LoadedStage loadDlaStage(const StageAddress &address);

/// The trial as the child makes it; as trialOfLibrary. `library` as in DlaTools.
std::string trialOfDla(const StageAddress &address, const std::string &library);

} // namespace jetscope
