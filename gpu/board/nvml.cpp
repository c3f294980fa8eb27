// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/board/nvml.h"

#include "gpu/base/symbols.h"

#include <dlfcn.h>

namespace jetscope {

Result<NvmlApi> NvmlApi::load(const std::string &path)
{
    void *const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return sentence("there is no NVML (" + path + "), which the driver of NVIDIA GPUs brings");
    NvmlApi api;
    SymbolTable symbols(library);
    symbols.find(api.init, "nvmlInit_v2");
    symbols.find(api.shutdown, "nvmlShutdown");
    symbols.find(api.errorString, "nvmlErrorString");
    symbols.find(api.deviceCount, "nvmlDeviceGetCount_v2");
    symbols.find(api.deviceByIndex, "nvmlDeviceGetHandleByIndex_v2");
    symbols.find(api.deviceByBus, "nvmlDeviceGetHandleByPciBusId_v2");
    symbols.find(api.indexOf, "nvmlDeviceGetIndex");
    symbols.find(api.clock, "nvmlDeviceGetClockInfo");
    symbols.find(api.mostClock, "nvmlDeviceGetMaxClockInfo");
    symbols.find(api.temperature, "nvmlDeviceGetTemperature");
    symbols.find(api.power, "nvmlDeviceGetPowerUsage");
    symbols.find(api.utilization, "nvmlDeviceGetUtilizationRates");
    symbols.find(api.memory, "nvmlDeviceGetMemoryInfo");
    symbols.find(api.limitReasons, "nvmlDeviceGetCurrentClocksThrottleReasons");
    if (!symbols.missing().empty())
        return sentence("NVML has no function " + symbols.missing());
    return api;
}

} // namespace jetscope
