// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/vpi/vpistage.h"

#include "gpu/stages/stagetrial.h"
#include "gpu/stages/vpi/vpiinstance.h"

namespace jetscope {

VpiTools &vpiTools()
{
    static VpiTools tools;
    return tools;
}

Result<std::unique_ptr<VpiStage>> VpiStage::create(const StageAddress &address)
{
    JETSCOPE_TRY_ASSIGN(VpiPlan plan, VpiPlan::parse(address));
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

LoadedStage loadVpiStage(const StageAddress &address)
{
    const std::string called = "VPI " + address.path;
    const auto refuse = [&](const std::string &reason) {
        return unusableStage(called, called + " is not used: " + reason + ".");
    };
    if (const Result<VpiPlan> plan = VpiPlan::parse(address); !plan.ok())
        return refuse(plan.error().text);
    if (const Capability tried = tryStage(vpiTrialPlan(address, vpiTools().library, vpiTools().major));
        !tried.available)
        return refuse(tried.reason);
    Result<std::unique_ptr<VpiStage>> code = VpiStage::create(address);
    if (!code.ok())
        return refuse(code.error().text);
    const VpiStage &stage = *code.value();
    FilterRow row;
    row.label = called + " on " + stage.plan().backendName;
    row.help = "The algorithm " + address.path + " of NVIDIA's VPI " + stage.library().version() + " on "
        + stage.plan().backendName + "; Jetscope's use of VPI was not verified on hardware.";
    if (stage.plan().isWrapped)
        row.onCpu = Capability::no(called
                                   + " is asked to use the CUDA stream of its frames, and the software iGPU has "
                                     "none: take stream=own.");
    return {std::move(row), std::move(code).value()};
}

std::string trialOfVpi(const StageAddress &address, const std::string &library, int major)
{
    vpiTools().library = library;
    vpiTools().major = major;
    const Result<std::unique_ptr<VpiStage>> stage = VpiStage::create(address);
    if (!stage.ok())
        return stage.error().message();
    return trialOfStage(*stage.value(), !stage.value()->plan().isWrapped, true);
}

} // namespace jetscope
