// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/vpi/vpistage.h"

#include "gpu/stages/nviva/nvivaprocess.h"
#include "gpu/stages/stagetrial.h"
#include "gpu/stages/vpi/vpiinstance.h"

#include <unistd.h>

namespace jetscope {

VpiTools &vpiTools()
{
    static VpiTools tools;
    return tools;
}

Result<std::unique_ptr<VpiStage>> VpiStage::create(const StageAddress &address, const std::string &whyMemory)
{
    JETSCOPE_TRY_ASSIGN(VpiPlan plan, VpiPlan::parse(address));
    if (!whyMemory.empty())
        plan.takeMemory(whyMemory);
    const VpiTools &tools = vpiTools();
    JETSCOPE_TRY_ASSIGN(VpiLibrary library,
                        tools.library.empty() ? VpiLibrary::find(plan.version)
                                              : VpiLibrary::load(tools.library, tools.major));
    if ((library.backends() & plan.backend) == 0)
        return sentence("VPI " + library.version() + " has no " + plan.backendName + " on this machine; it has "
                        + backendNames(library.backends()));
    return std::unique_ptr<VpiStage>(new VpiStage(std::move(library), std::move(plan)));
}

Result<std::unique_ptr<StageInstance>> VpiStage::setUp(const StageDevice &device, int width, int height)
{
    return VpiInstance::create(m_library, m_plan, device, width, height, vpiTools().driver);
}

Capability hasVpi(const std::string &library)
{
    if (library.empty()) {
        const Status found = VpiLibrary::look();
        return found.ok() ? Capability::yes() : Capability::no(found.error().text);
    }
    return access(library.c_str(), R_OK) == 0 ? Capability::yes() : Capability::no("there is no file " + library);
}

/// Why a source's own buffers are not read in place, from a trial with buffers of this machine; empty if they may be. A
/// trial of its own: if VPI crashes with them, the stage still works in memory.
static std::string tryVpiBuffers(const StageAddress &address, const VpiPlan &plan)
{
    if (plan.wrapping == VpiWrapping::Memory || !reasonAgainstInPlace(plan).empty())
        return {};
    const Capability tried = tryStage(vpiBufferTrialPlan(address, vpiTools(), nvivaTools().surfaces));
    return tried.available ? std::string() : "with a Jetson's own buffer, " + tried.reason;
}

LoadedStage loadVpiStage(const StageAddress &address)
{
    const std::string called = "VPI " + address.path;
    const auto refuse = [&](const std::string &reason) {
        return unusableStage(called, called + " is not used: " + reason + ".");
    };
    const Result<VpiPlan> wanted = VpiPlan::parse(address);
    if (!wanted.ok())
        return refuse(wanted.error().text);
    if (const Capability tried = tryStage(vpiTrialPlan(address, vpiTools().library, vpiTools().major));
        !tried.available)
        return refuse(tried.reason);
    Result<std::unique_ptr<VpiStage>> code = VpiStage::create(address, tryVpiBuffers(address, wanted.value()));
    if (!code.ok())
        return refuse(code.error().text);
    const VpiStage &stage = *code.value();
    FilterRow row;
    row.label = called + " on " + stage.plan().backendName;
    row.help = "The algorithm " + address.path + " of NVIDIA's VPI " + stage.library().version() + " on "
        + stage.plan().backendName + "; Jetscope's use of VPI was not verified on hardware.";
    VpiPlan plan = stage.plan();
    plan.limitBackends(stage.library().backends(), stage.library().version());
    row.options = std::move(plan.options);
    if (stage.plan().isWrapped)
        row.onCpu = Capability::no(called
                                   + " is asked to use the CUDA stream of its frames, and the software iGPU has "
                                     "none: take stream=own.");
    return {std::move(row), std::move(code).value()};
}

} // namespace jetscope
