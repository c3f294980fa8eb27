// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <string>

namespace jetscope {

/// The functions of NVML that Jetscope uses, loaded at run time: the driver brings the library, no toolkit is needed.
/// All return nvmlReturn_t, 0 for success. Names and arguments as in nvml.h of CUDA 11 to 13.
struct NvmlApi {
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

    int (*init)() = nullptr; ///< nvmlInit_v2
    int (*shutdown)() = nullptr;
    const char *(*errorString)(int code) = nullptr;
    int (*deviceCount)(unsigned *count) = nullptr;                        ///< nvmlDeviceGetCount_v2
    int (*deviceByIndex)(unsigned index, Device *device) = nullptr;       ///< nvmlDeviceGetHandleByIndex_v2
    int (*deviceByBus)(const char *pciBusId, Device *device) = nullptr;   ///< nvmlDeviceGetHandleByPciBusId_v2
    int (*indexOf)(Device device, unsigned *index) = nullptr;             ///< nvmlDeviceGetIndex
    int (*clock)(Device device, int clock, unsigned *mhz) = nullptr;      ///< nvmlDeviceGetClockInfo
    int (*mostClock)(Device device, int clock, unsigned *mhz) = nullptr;  ///< nvmlDeviceGetMaxClockInfo
    int (*temperature)(Device device, int sensor, unsigned *c) = nullptr; ///< nvmlDeviceGetTemperature
    int (*power)(Device device, unsigned *milliwatts) = nullptr;          ///< nvmlDeviceGetPowerUsage
    int (*utilization)(Device device, Utilization *rates) = nullptr;      ///< nvmlDeviceGetUtilizationRates
    int (*memory)(Device device, Memory *bytes) = nullptr;                ///< nvmlDeviceGetMemoryInfo
    int (*limitReasons)(Device device,
                        unsigned long long *bits) = nullptr; ///< nvmlDeviceGetCurrentClocksThrottleReasons

    /// `path` is libnvidia-ml.so.1 except in tests. Stays loaded.
    static Result<NvmlApi> load(const std::string &path);
};

} // namespace jetscope
