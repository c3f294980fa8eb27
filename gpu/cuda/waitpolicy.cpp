// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/waitpolicy.h"

#include "gpu/cuda/check.h"

namespace jetscope {

namespace {

unsigned scheduleFlag(WaitPolicy policy)
{
    switch (policy) {
    case WaitPolicy::Auto:
        return cudaDeviceScheduleAuto;
    case WaitPolicy::Spin:
        return cudaDeviceScheduleSpin;
    case WaitPolicy::Yield:
        return cudaDeviceScheduleYield;
    case WaitPolicy::Block:
        return cudaDeviceScheduleBlockingSync;
    }
    return cudaDeviceScheduleAuto;
}

} // namespace

Status writeWaitPolicy(WaitPolicy policy)
{
    // Keep the other flags: this call replaces all of them.
    unsigned flags = 0;
    CUDA_TRY(cudaGetDeviceFlags(&flags));
    flags = (flags & ~static_cast<unsigned>(cudaDeviceScheduleMask)) | scheduleFlag(policy);
    CUDA_TRY(cudaSetDeviceFlags(flags & cudaDeviceMask));
    return {};
}

Result<WaitPolicy> readWaitPolicy()
{
    unsigned flags = 0;
    CUDA_TRY(cudaGetDeviceFlags(&flags));
    for (const WaitPolicy policy : {WaitPolicy::Spin, WaitPolicy::Yield, WaitPolicy::Block})
        if ((flags & cudaDeviceScheduleMask) == scheduleFlag(policy))
            return policy;
    return WaitPolicy::Auto;
}

} // namespace jetscope
