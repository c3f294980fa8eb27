// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/dla/dlastage.h"

#include "core/pipelineconfig.h"
#include "gpu/stages/dla/dlainstance.h"
#include "gpu/stages/stagetrial.h"

#include <filesystem>

namespace jetscope {

DlaTools &dlaTools()
{
    static DlaTools tools;
    return tools;
}

Result<std::unique_ptr<DlaStage>> DlaStage::create(const StageAddress &address)
{
    JETSCOPE_TRY_ASSIGN(DlaPlan plan, DlaPlan::parse(address));
    std::error_code error;
    if (!std::filesystem::is_regular_file(plan.file, error))
        return sentence("there is no file " + quotedValue(plan.file));
    JETSCOPE_TRY_ASSIGN(CudlaLibrary library, CudlaLibrary::load(dlaTools().library));
    JETSCOPE_TRY_ASSIGN(const int count, library.deviceCount());
    if (plan.dla >= count)
        return sentence("this machine has " + std::to_string(count) + (count == 1 ? " DLA" : " DLAs")
                        + ", counted from 0, and not DLA " + std::to_string(plan.dla));
    return std::unique_ptr<DlaStage>(new DlaStage(std::move(library), std::move(plan)));
}

Result<std::unique_ptr<StageInstance>> DlaStage::setUp(const StageDevice &device, int, int)
{
    if (device.memory != StageDevice::Memory::Cuda)
        return sentence("a DLA needs the CUDA device of its board");
    const TensorKernels *const kernels = dlaTools().kernels ? dlaTools().kernels : cudaTensorKernels();
    if (!kernels)
        return sentence("this Jetscope was built without CUDA, so it cannot pack frames for a DLA");
    return DlaInstance::create(m_library, m_plan, *kernels, dlaTools().driver);
}

LoadedStage loadDlaStage(const StageAddress &address)
{
    const std::string file = std::filesystem::path(address.path).filename().string();
    const auto refuse = [&](const std::string &reason) {
        return unusableStage(file, "The loadable \"" + file + "\" is not used: " + reason + ".");
    };
    if (const Result<DlaPlan> plan = DlaPlan::parse(address); !plan.ok())
        return refuse(plan.error().text);
    if (const Capability tried = tryStage(dlaTrialPlan(address, dlaTools().library)); !tried.available)
        return refuse(tried.reason);
    Result<std::unique_ptr<DlaStage>> code = DlaStage::create(address);
    if (!code.ok())
        return refuse(code.error().message());
    FilterRow row;
    row.label = file + " on DLA " + std::to_string(code.value()->plan().dla);
    row.help = "Your loadable " + file
        + " on a DLA by cuDLA, its output drawn over the frame; Jetscope's use of cuDLA was not verified on hardware.";
    row.onCpu = Capability::no("The loadable \"" + file
                               + "\" needs a DLA and the CUDA device of its board, and the software iGPU has neither.");
    return {std::move(row), std::move(code).value()};
}

std::string trialOfDla(const StageAddress &address, const std::string &library)
{
    dlaTools().library = library;
    const Result<std::unique_ptr<DlaStage>> stage = DlaStage::create(address);
    if (!stage.ok())
        return stage.error().message();
    return trialOfStage(*stage.value(), false, true);
}

} // namespace jetscope
