// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cupti/cuptilibrary.h"

namespace jetscope {

namespace {

/// The meaning of a code for the user, and the remedy; null if CUPTI's own text is enough.
const char *explanation(cupti::ResultCode code)
{
    switch (code) {
    case cupti::kOutOfMemory:
        return "CUPTI has not enough memory; close other programs that use the GPU";
    case cupti::kNotCompatible:
        return "CUPTI does not fit the driver or the GPU; install the CUPTI of the driver's CUDA release";
    case cupti::kNotInitialized:
        return "CUPTI cannot be initialised, as when it is newer than the driver; install the CUPTI of the driver's "
               "CUDA release";
    case cupti::kHardwareBusy:
        return "the GPU's profiling hardware is busy: another program profiles; end it";
    case cupti::kNotSupported:
        return "this GPU or driver does not support it";
    case cupti::kVirtualizedDeviceNotSupported:
        return "the virtual GPU does not support profiling; use a GPU that is passed through whole";
    case cupti::kInsufficientPrivileges:
        return "profiling is not permitted for this user: start Jetscope as root (on a Jetson before JetPack 7 the "
               "only way; from there on access to /dev/nvgpu/igpu0/prof* is enough), or load the driver of a PC with "
               "NVreg_RestrictProfilingToAdminUsers=0";
    case cupti::kOldProfilerInitialized:
        return "an older profiling interface is in use in this process; start Jetscope without that profiler";
    case cupti::kMultipleSubscribers:
        return "another profiler (Nsight, cuda-gdb or the like) uses CUPTI already; start Jetscope without it";
    case cupti::kVirtualizedDevicePrivileges:
        return "the virtual GPU does not permit profiling; have its host enable it for this machine";
    case cupti::kConfidentialComputing:
        return "the GPU runs in confidential computing mode, which forbids profiling";
    case cupti::kMiningDevice:
        return "this GPU is a mining processor, which CUPTI does not support";
    case cupti::kMigDevice:
        return "this GPU is divided (MIG), which CUPTI does not support; use an undivided one";
    case cupti::kSliDevice:
        return "CUPTI does not support GPUs coupled by SLI; switch SLI off";
    case cupti::kWslDevice:
        return "CUPTI does not support this GPU under WSL";
    default:
        return nullptr;
    }
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
