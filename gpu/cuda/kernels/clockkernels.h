// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include "gpu/cuda/kernels/passes.h"

namespace jetscope::cuda {

/// Host memory that both sides reach: the host asks by writing `request`, the kernel answers with its time and then
/// `reply`.
struct ClockExchange {
    static constexpr unsigned long long kStop = ~0ULL; ///< As a request: no more will come.
    unsigned long long request;
    unsigned long long reply;
    unsigned long long ns;
};

/// Answers requests `first` to `last`, which rise by one, with %globaltimer; says that it runs by replying `first - 1`.
/// Ends by itself after a fraction of a millisecond. `exchange` is the device address.
cudaError_t answerClockRequests(ClockExchange *exchange, unsigned long long first, unsigned long long last,
                                cudaStream_t stream);

inline constexpr int kClockSteps = 64;
/// Writes so many differences between one value of %globaltimer and the next.
cudaError_t readClockSteps(unsigned long long *steps, cudaStream_t stream);

inline constexpr int kTrainKernels = 64;
/// Launches so many equal kernels one right behind the other, which write nothing but their stamps: what lies between
/// them is what stamps do not see.
cudaError_t launchTrain(KernelStamp *stamps, cudaStream_t stream);

} // namespace jetscope::cuda
