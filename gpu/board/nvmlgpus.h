// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/board/boardsampler.h"
#include "gpu/board/nvml.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace jetscope {

/// The GPUs that NVML knows: discrete ones, and that of Thor. One thread.
class NvmlGpus {
public:
    static constexpr unsigned kMostGpus = 16;

    static Result<NvmlGpus> open(const std::string &path);
    ~NvmlGpus();
    NvmlGpus(NvmlGpus &&other) noexcept;
    NvmlGpus &operator=(NvmlGpus &&) = delete;

    /// Adds what the GPUs tell; the values of the second and later GPUs are details. A value that the kernel has, too,
    /// is added only if the kernel cannot give it.
    void addTo(BoardLayout &layout);
    /// Reads the values that were added.
    void sample(BoardSampler &board, bool details) const;
    /// Sets the values that were added to unknown.
    void forget(BoardSampler &board) const;

private:
    enum class Value : std::uint8_t { Load, Clock, MemoryClock, Temperature, Power, Memory, Throttling, PowerCap };
    struct Item {
        NvmlApi::Device device;
        Value value;
        std::size_t index; ///< In the layout.
        bool detail;
        std::string gpu; ///< "GPU", "GPU 1".
    };
    explicit NvmlGpus(const NvmlApi &api) : m_api(api) {}
    Reading<double> read(NvmlApi::Device device, Value value) const;
    Reading<double> limits(NvmlApi::Device device, unsigned long long mask) const;
    void addGpu(BoardLayout &layout, unsigned index, NvmlApi::Device device);

    NvmlApi m_api;
    bool m_isOpen = true;
    std::vector<Item> m_items;
};

} // namespace jetscope
