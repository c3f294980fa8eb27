// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cpustage/opencvanalysis.h"

namespace jetscope {

namespace {

const Result<const CpuStageModule *> &cpuStageModule()
{
    static const Result<const CpuStageModule *> module = loadModuleAs<CpuStageModule>(
        {"cpustage", "the CPU stage", "install Jetscope again, or leave the CPU stage out"});
    return module;
}

} // namespace

Capability cpuStageCapability()
{
    const Result<const CpuStageModule *> &module = cpuStageModule();
    return module.ok() ? Capability::yes() : Capability::no(module.error().message());
}

std::unique_ptr<CpuAnalysis> makeCpuAnalysis()
{
    const Result<const CpuStageModule *> &module = cpuStageModule();
    return module.ok() ? module.value()->make() : nullptr;
}

} // namespace jetscope
