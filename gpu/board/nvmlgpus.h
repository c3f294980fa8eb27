// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/board/boardsampler.h"
#include "core/result.h"
#include "gpu/base/symbols.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace jetscope {

/// The functions of NVML that Jetscope uses, loaded at run time: the driver brings the library, no toolkit is needed.
/// All return nvmlReturn_t, 0 for success. Names and arguments as in nvml.h of CUDA 11 to 13.
struct NvmlApi : SymbolTable {
    using SymbolTable::SymbolTable;

    using Device = void *;
    struct Utilization {
        unsigned gpu = 0; ///< Percent of the time.
        unsigned memory = 0;
    };
    struct Memory {
        unsigned long long total = 0;
        unsigned long long free = 0;
        unsigned long long used = 0;
    };
    enum Clock : int { Graphics = 0, MemoryClock = 2 };

    int (*init)() = find("nvmlInit_v2");
    int (*shutdown)() = find("nvmlShutdown");
    const char *(*errorString)(int code) = find("nvmlErrorString");
    int (*deviceCount)(unsigned *count) = find("nvmlDeviceGetCount_v2");
    int (*deviceByIndex)(unsigned index, Device *device) = find("nvmlDeviceGetHandleByIndex_v2");
    int (*deviceByBus)(const char *pciBusId, Device *device) = find("nvmlDeviceGetHandleByPciBusId_v2");
    int (*indexOf)(Device device, unsigned *index) = find("nvmlDeviceGetIndex");
    int (*clock)(Device device, int clock, unsigned *mhz) = find("nvmlDeviceGetClockInfo");
    int (*mostClock)(Device device, int clock, unsigned *mhz) = find("nvmlDeviceGetMaxClockInfo");
    int (*temperature)(Device device, int sensor, unsigned *c) = find("nvmlDeviceGetTemperature");
    int (*power)(Device device, unsigned *milliwatts) = find("nvmlDeviceGetPowerUsage");
    int (*utilization)(Device device, Utilization *rates) = find("nvmlDeviceGetUtilizationRates");
    int (*memory)(Device device, Memory *bytes) = find("nvmlDeviceGetMemoryInfo");
    int (*limitReasons)(Device device, unsigned long long *bits) = find("nvmlDeviceGetCurrentClocksThrottleReasons");

    /// `path` is libnvidia-ml.so.1 except in tests. Stays loaded.
    static Result<NvmlApi> load(const std::string &path);
};

/// The GPUs that NVML knows: discrete ones, and that of Thor. One thread.
class NvmlGpus {
public:
    static constexpr unsigned kMaxGpus = 16;

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
