// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/dla/dlastage.h"

#include "gpu/stages/stagetrial.h"

#include <filesystem>

namespace jetscope {

namespace {

constexpr const char *kCannotPack = "this Jetscope was built without CUDA, so it cannot pack frames for a DLA";
constexpr const char *kNoDla = "cuDLA finds no DLA on this machine; Orin Nano and Thor have none";

Result<NvSciLibraries> loadNvSci(const CudlaLibrary &library)
{
    JETSCOPE_TRY(library.standalone());
    return NvSciLibraries::load(dlaTools().buffers, dlaTools().syncs);
}

} // namespace

DlaTools &dlaTools()
{
    static DlaTools tools;
    return tools;
}

Result<std::unique_ptr<DlaStage>> DlaStage::create(const StageAddress &address)
{
    JETSCOPE_TRY_ASSIGN(DlaPlan plan, DlaPlan::parse(address));
    JETSCOPE_TRY(checkLoadableFile(plan.file));
    JETSCOPE_TRY_ASSIGN(CudlaLibrary library, CudlaLibrary::load(dlaTools().library));
    JETSCOPE_TRY_ASSIGN(const int count, library.deviceCount());
    if (count == 0)
        return sentence(kNoDla);
    if (plan.dla >= count)
        return sentence("this machine has " + std::to_string(count) + (count == 1 ? " DLA" : " DLAs")
                        + ", counted from 0, and not DLA " + std::to_string(plan.dla));
    DlaRuntime runtime;
    if (plan.mode == DlaMode::Standalone) {
        JETSCOPE_TRY_ASSIGN(runtime.sci, loadNvSci(library));
    }
    runtime.library = std::move(library);
    runtime.kernels = dlaTools().kernels ? dlaTools().kernels : cudaTensorKernels();
    runtime.cudaLibrary = dlaTools().driver;
    runtime.timeout = dlaTools().timeout;
    return std::unique_ptr<DlaStage>(new DlaStage(std::move(runtime), std::move(plan)));
}

Result<std::unique_ptr<StageInstance>> DlaStage::setUp(const StageDevice &device, int, int)
{
    if (device.memory != StageDevice::Memory::Cuda)
        return sentence("a DLA needs the CUDA device of its board");
    if (!m_runtime.kernels)
        return sentence(kCannotPack);
    return DlaInstance::create(m_runtime, m_plan);
}

Capability canPackForDla()
{
    return dlaTools().kernels || cudaTensorKernels() ? Capability::yes() : Capability::no(kCannotPack);
}

DlaModes examineDlaModes()
{
    DlaModes modes;
    const auto none = [&modes](const std::string &reason) {
        modes.hybrid = modes.standalone = Capability::no(reason);
        return modes;
    };
    const Result<CudlaLibrary> library = CudlaLibrary::load(dlaTools().library);
    if (!library.ok())
        return none(library.error().message());
    modes.version = library.value().version();
    const Result<int> engines = library.value().deviceCount();
    if (!engines.ok())
        return none(engines.error().message());
    modes.engines = engines.value();
    if (modes.engines == 0)
        return none(kNoDla);
    modes.hybrid = Capability::yes();
    const Result<NvSciLibraries> sci = loadNvSci(library.value());
    modes.standalone = sci.ok() ? Capability::yes() : Capability::no(sci.error().message());
    return modes;
}

LoadedStage loadDlaStage(const StageAddress &address)
{
    const std::string file = std::filesystem::path(address.path).filename().string();
    const auto refuse = [&](const std::string &reason) {
        return unusableStage(file, "The loadable \"" + file + "\" is not used: " + reason + ".");
    };
    if (const Result<DlaPlan> plan = DlaPlan::parse(address); !plan.ok())
        return refuse(plan.error().text);
    if (const Capability tried = tryStage(dlaTrialPlan(address, dlaTools())); !tried.available)
        return refuse(tried.reason);
    Result<std::unique_ptr<DlaStage>> code = DlaStage::create(address);
    if (!code.ok())
        return refuse(code.error().message());
    FilterRow row;
    row.label = file + " on DLA " + std::to_string(code.value()->plan().dla);
    row.help = "Your loadable " + file
        + " on a DLA by cuDLA, its output drawn over the frame; Jetscope's use of cuDLA was not verified on hardware.";
    row.options = code.value()->plan().options;
    for (FilterOption &option : row.options)
        if (option.name == "mode")
            option.choices.back().capability = examineDlaModes().standalone;
    row.onCpu = Capability::no("The loadable \"" + file
                               + "\" needs a DLA and the CUDA device of its board, and the software iGPU has neither.");
    return {std::move(row), std::move(code).value()};
}

std::string trialOfDla(const StageAddress &address, const DlaTools &tools)
{
    dlaTools() = tools;
    const Result<std::unique_ptr<DlaStage>> stage = DlaStage::create(address);
    if (!stage.ok())
        return stage.error().message();
    return trialOfStage(*stage.value(), false, true);
}

} // namespace jetscope
