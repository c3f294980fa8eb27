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
    /// From now on, the values of the first GPU are those of the GPU with this PCI bus identifier (as CUDA writes it);
    /// the others follow in NVML's order. Nothing changes if NVML does not know it.
    void putFirst(const std::string &pciBusId);
    /// Reads the values that were added.
    void sample(BoardSampler &board, bool details) const;
    /// Sets the values that were added to unknown.
    void forget(BoardSampler &board) const;

private:
    enum class Value : std::uint8_t { Load, Clock, MemoryClock, Temperature, Power, Memory, Throttling, PowerCap };
    struct Item {
        std::size_t gpu; ///< In m_gpus.
        Value value;
        std::size_t index; ///< In the layout.
        bool detail;
        std::string name; ///< Of the GPU: "GPU", "GPU 1".
    };
    explicit NvmlGpus(const NvmlApi &api) : m_api(api) {}
    Reading<double> read(NvmlApi::Device device, Value value) const;
    Reading<double> limits(NvmlApi::Device device, unsigned long long mask) const;
    void addGpu(BoardLayout &layout, std::size_t index);

    NvmlApi m_api;
    bool m_isOpen = true;
    struct Gpu {
        unsigned index; ///< NVML's.
        NvmlApi::Device device;
    };
    std::vector<Gpu> m_gpus; ///< The one in use first.
    std::vector<Item> m_items;
};

} // namespace jetscope
