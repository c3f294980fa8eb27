// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <cstring>

// A library with the functions of NVML that Jetscope calls, for tests. JETSCOPE_FAKE_NVML chooses what it does:
// "absent" init fails, "two" two GPUs, "old" power is not supported, "limited" a power cap and a thermal limit are in
// force.

namespace {

bool is(const char *mode)
{
    const char *chosen = std::getenv("JETSCOPE_FAKE_NVML");
    return chosen && std::strcmp(chosen, mode) == 0;
}

constexpr int kNotSupported = 3;
char gpus[2];

} // namespace

extern "C" {
int nvmlInit_v2()
{
    return is("absent") ? 9 : 0;
}
int nvmlShutdown()
{
    return 0;
}
const char *nvmlErrorString(int code)
{
    return code == kNotSupported ? "Not Supported" : "Driver Not Loaded";
}
int nvmlDeviceGetCount_v2(unsigned *count)
{
    *count = is("two") ? 2 : 1;
    return 0;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device)
{
    *device = &gpus[index];
    return 0;
}
int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **device)
{
    *device = &gpus[1];
    return is("two") && std::strcmp(bus, "0000:41:00.0") == 0 ? 0 : 6;
}
int nvmlDeviceGetIndex(void *device, unsigned *index)
{
    *index = static_cast<unsigned>(static_cast<char *>(device) - gpus);
    return 0;
}
int nvmlDeviceGetClockInfo(void *device, int clock, unsigned *mhz)
{
    *mhz = (clock == 2 ? 2619U : 1500U) + static_cast<unsigned>(static_cast<char *>(device) - gpus);
    return 0;
}
int nvmlDeviceGetMaxClockInfo(void *, int, unsigned *mhz)
{
    *mhz = 1980;
    return 0;
}
int nvmlDeviceGetTemperature(void *, int, unsigned *degrees)
{
    *degrees = 41;
    return 0;
}
int nvmlDeviceGetPowerUsage(void *, unsigned *milliwatts)
{
    *milliwatts = 123'400;
    return is("old") ? kNotSupported : 0;
}
int nvmlDeviceGetUtilizationRates(void *, unsigned *rates)
{
    rates[0] = 37;
    rates[1] = 5;
    return 0;
}
int nvmlDeviceGetMemoryInfo(void *, unsigned long long *bytes)
{
    bytes[0] = 80'000'000'000ULL;
    bytes[1] = 79'000'000'000ULL;
    bytes[2] = 1'000'000'000ULL;
    return 0;
}
int nvmlDeviceGetCurrentClocksThrottleReasons(void *, unsigned long long *bits)
{
    *bits = is("limited") ? 0x44 : 0x1;
    return 0;
}
}
