// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cupti/cuptilibrary.h"

#include <utility>

namespace jetscope {

namespace {

/// The meaning of a code for the user, and the remedy.
constexpr std::pair<cupti::ResultCode, const char *> kExplanations[] = {
    {cupti::kOutOfMemory, "CUPTI has not enough memory; close other programs that use the GPU"},
    {cupti::kNotCompatible, "CUPTI does not fit the driver or the GPU; install the CUPTI of the driver's CUDA release"},
    {cupti::kNotInitialized,
     "CUPTI cannot be initialised, as when it is newer than the driver; install the CUPTI of the driver's CUDA "
     "release"},
    {cupti::kHardwareBusy, "the GPU's profiling hardware is busy: another program profiles; end it"},
    {cupti::kNotSupported, "this GPU or driver does not support it"},
    {cupti::kVirtualizedDeviceNotSupported,
     "the virtual GPU does not support profiling; use a GPU that is passed through whole"},
    {cupti::kInsufficientPrivileges,
     "profiling is not permitted for this user: start Jetscope as root (on a Jetson before JetPack 7 the only way; "
     "from there on access to /dev/nvgpu/igpu0/prof* is enough), or load the driver of a PC with "
     "NVreg_RestrictProfilingToAdminUsers=0"},
    {cupti::kOldProfilerInitialized,
     "an older profiling interface is in use in this process; start Jetscope without that profiler"},
    {cupti::kMultipleSubscribers,
     "another profiler (Nsight, cuda-gdb or the like) uses CUPTI already; start Jetscope without it"},
    {cupti::kVirtualizedDevicePrivileges,
     "the virtual GPU does not permit profiling; have its host enable it for this machine"},
    {cupti::kConfidentialComputing, "the GPU runs in confidential computing mode, which forbids profiling"},
    {cupti::kMiningDevice, "this GPU is a mining processor, which CUPTI does not support"},
    {cupti::kMigDevice, "this GPU is divided (MIG), which CUPTI does not support; use an undivided one"},
    {cupti::kSliDevice, "CUPTI does not support GPUs coupled by SLI; switch SLI off"},
    {cupti::kWslDevice, "CUPTI does not support this GPU under WSL"},
};

/// Null if CUPTI's own text is enough.
const char *explanation(cupti::ResultCode code)
{
    for (const auto &[known, text] : kExplanations)
        if (known == code)
            return text;
    return nullptr;
}

} // namespace

std::string cuptiExplanation(cupti::ResultCode code)
{
    const char *const text = explanation(code);
    return text ? text : "CUPTI failed with code " + std::to_string(code);
}

Error cuptiFailure(const cupti::Api &api, std::string call, cupti::ResultCode code)
{
    if (const char *const text = explanation(code))
        return {std::move(call), code, text};
    const char *own = nullptr;
    if (api.getResultString(code, &own) != cupti::kSuccess || !own)
        own = "an error that it does not name";
    return {std::move(call), code, std::string("CUPTI failed: ") + own};
}

} // namespace jetscope
