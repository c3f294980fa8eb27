// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <atomic>

namespace jetscope::cuda {

/// How many blocks of a kernel the current device holds at a time; asked once for each device, since every launch wants
/// to know. Any thread.
class BlockSlots {
public:
    template <class Kernel>
    cudaError_t of(Kernel *kernel, int threads, int &slots)
    {
        int device = 0;
        if (const cudaError_t code = cudaGetDevice(&device); code != cudaSuccess)
            return code;
        std::atomic<int> &known = m_known[static_cast<std::size_t>(device) % m_known.size()];
        slots = known.load(std::memory_order_relaxed);
        if (slots > 0)
            return cudaSuccess;
        int processors = 0;
        int perProcessor = 0;
        if (const cudaError_t code = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
            code != cudaSuccess)
            return code;
        if (const cudaError_t code = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perProcessor, kernel, threads, 0);
            code != cudaSuccess)
            return code;
        slots = processors * perProcessor;
        known.store(slots, std::memory_order_relaxed);
        return cudaSuccess;
    }

private:
    std::array<std::atomic<int>, 16> m_known{};
};

} // namespace jetscope::cuda
