// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/kernels/clockkernels.h"
#include "gpu/cuda/kernels/stamping.cuh"

namespace jetscope::cuda {

namespace {

/// A host that was interrupted does not keep the GPU.
constexpr unsigned long long kLongestExchangeNs = 1'000'000;

__global__ void answerRequests(ClockExchange *exchange, unsigned long long first, unsigned long long last)
{
    volatile ClockExchange *shared = exchange;
    const unsigned long long begin = globalTimer();
    shared->reply = first - 1;
    for (unsigned long long next = first; next <= last; ++next) {
        unsigned long long now = begin;
        while (shared->request < next && now - begin < kLongestExchangeNs)
            now = globalTimer();
        if (shared->request == ClockExchange::kStop || now - begin >= kLongestExchangeNs)
            return;
        shared->ns = globalTimer();
        __threadfence_system();
        shared->reply = next;
    }
}

/// Keeps the stream busy until all of the train are queued.
__global__ void holdStream(unsigned long long ns)
{
    const unsigned long long begin = globalTimer();
    while (globalTimer() - begin < ns) {}
}

__global__ void writeStamps(KernelStamp *stamp)
{
    stampStart(stamp);
    stampEnd(stamp);
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

cudaError_t answerClockRequests(ClockExchange *exchange, unsigned long long first, unsigned long long last,
                                cudaStream_t stream)
{
    answerRequests<<<1, 1, 0, stream>>>(exchange, first, last);
    return cudaGetLastError();
}

cudaError_t readClockSteps(unsigned long long *steps, cudaStream_t stream)
{
    watchClock<<<1, 1, 0, stream>>>(steps);
    return cudaGetLastError();
}

cudaError_t launchTrain(KernelStamp *stamps, cudaStream_t stream)
{
    constexpr unsigned long long kHoldNs = 500'000;
    constexpr unsigned kBlocks = 256;
    constexpr unsigned kThreads = 256;
    holdStream<<<1, 1, 0, stream>>>(kHoldNs);
    for (int i = 0; i < kTrainKernels; ++i)
        writeStamps<<<kBlocks, kThreads, 0, stream>>>(stamps + i);
    return cudaGetLastError();
}

} // namespace jetscope::cuda
