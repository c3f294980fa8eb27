// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/cuda/kernels/passes.h"

// Kernels write when they began and ended. Blocks start in the order of their numbers, so that one of the first row's
// is the kernel's start; every block may be the last to end.
namespace jetscope::cuda {

__device__ __forceinline__ unsigned long long globalTimer()
{
    unsigned long long ns;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(ns));
    return ns;
}

/// At the very start of a kernel, by all threads.
__device__ __forceinline__ void stampStart(KernelStamp *stamp)
{
    if (stamp != nullptr && (blockIdx.y | threadIdx.x) == 0)
        atomicMax(&stamp->notFirst, ~globalTimer());
}

/// At the very end, by all threads of every warp that does not end before others of its block.
__device__ __forceinline__ void stampEnd(KernelStamp *stamp)
{
    if (stamp != nullptr && threadIdx.x % 32 == 0)
        atomicMax(&stamp->last[(blockIdx.x + blockIdx.y) % KernelStamp::kEnds], globalTimer());
}

} // namespace jetscope::cuda
