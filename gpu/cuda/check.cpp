// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/check.h"

#include <string>

namespace jetscope {

namespace {

constexpr const char *kContextLost =
    "the GPU has stopped for this process: go on with a software device, or start Jetscope again";

const char *remedyFor(cudaError_t code)
{
    switch (code) {
    case cudaErrorMemoryAllocation:
        return "choose a smaller frame size or fewer frames in flight, or close other programs that use the GPU";
    case cudaErrorNoDevice:
        return "connect an NVIDIA GPU, or pass it into the container";
    case cudaErrorInsufficientDriver:
        return "update the NVIDIA driver (JetPack on a Jetson)";
    case cudaErrorSystemDriverMismatch:
    case cudaErrorCompatNotSupportedOnDevice:
        return "the driver and the CUDA compatibility package do not fit: install those of one release";
    case cudaErrorDevicesUnavailable:
        return "another process holds the GPU exclusively: end it";
    case cudaErrorUnknown:
        return "the GPU could not be opened: add your user to the groups video and render, and check that /dev/nvmap "
               "or "
               "/dev/nvidia* may be read and written";
    default:
        return isContextLost(code) ? kContextLost : "";
    }
}

} // namespace

bool isContextLost(cudaError_t code)
{
    switch (code) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorHardwareStackError:
    case cudaErrorAssert:
    case cudaErrorECCUncorrectable:
    case cudaErrorContextIsDestroyed:
        return true;
    default:
        return false;
    }
}

Error cudaFailure(std::string_view expression, cudaError_t code)
{
    static_cast<void>(cudaGetLastError());
    std::string text = cudaGetErrorString(code);
    if (const std::string_view remedy = remedyFor(code); !remedy.empty())
        text += "; " + std::string(remedy);
    return Error{std::string(expression.substr(0, expression.find('('))), static_cast<long>(code), std::move(text)};
}

} // namespace jetscope
