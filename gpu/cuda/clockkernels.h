// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

namespace jetscope::cuda {

/// What the clock kernel leaves in host memory; `sequence` is written last.
struct ClockReading {
    unsigned long long ns;
    unsigned long long sequence;
};

/// Reads %globaltimer once. `reading` is a device address of mapped host memory.
cudaError_t readClock(ClockReading *reading, unsigned long long sequence, cudaStream_t stream);

inline constexpr int kClockSteps = 64;
/// Writes so many differences between one value of %globaltimer and the next.
cudaError_t readClockSteps(unsigned long long *steps, cudaStream_t stream);

} // namespace jetscope::cuda
