// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/clockkernels.h"
#include "gpu/cuda/stamping.cuh"

namespace jetscope::cuda {

namespace {

__global__ void readClockOnce(ClockReading *reading, unsigned long long sequence)
{
    volatile ClockReading *to = reading;
    to->ns = globalTimer();
    __threadfence_system();
    to->sequence = sequence;
}

__global__ void watchClock(unsigned long long *steps)
{
    unsigned long long before = globalTimer();
    for (int i = 0; i < kClockSteps;) {
        const unsigned long long now = globalTimer();
        if (now == before)
            continue;
        steps[i++] = now - before;
        before = now;
    }
}

} // namespace

cudaError_t readClock(ClockReading *reading, unsigned long long sequence, cudaStream_t stream)
{
    readClockOnce<<<1, 1, 0, stream>>>(reading, sequence);
    return cudaGetLastError();
}

cudaError_t readClockSteps(unsigned long long *steps, cudaStream_t stream)
{
    watchClock<<<1, 1, 0, stream>>>(steps);
    return cudaGetLastError();
}

} // namespace jetscope::cuda
