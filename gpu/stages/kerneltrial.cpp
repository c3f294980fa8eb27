// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The work of the child process that tries the machine code of an own kernel on the device.
#include "gpu/stages/devicetrial.h"
#include "gpu/stages/kernelmodule.h"
#include "gpu/stages/kernelstage.h"

#include <fstream>
#include <sstream>

namespace jetscope {

namespace {

Result<std::string> tryKernel(int ordinal, const std::string &cubin, const std::string &driver, bool isExact)
{
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<DeviceTrial> trial, DeviceTrial::open(driver, ordinal));
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<KernelModule> kernel, KernelModule::load(trial->driver(), cubin));
    DeviceTrialWork work;
    work.reads = kernel->form().format;
    work.makes = kernel->form().format;
    work.isExact = isExact;
    work.run = [&kernel](const StageFrame &frame) { return kernel->launch(frame); };
    return trial->judge(work);
}

} // namespace

std::string trialOfKernel(int ordinal, const std::string &cubinFile, const std::string &driver, bool isExact)
{
    std::ostringstream cubin;
    cubin << std::ifstream(cubinFile, std::ios::binary).rdbuf();
    const Result<std::string> judged = tryKernel(ordinal, cubin.str(), driver, isExact);
    return judged.ok() ? judged.value() : "in its trial " + judged.error().message();
}

} // namespace jetscope
