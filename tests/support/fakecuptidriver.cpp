// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The driver functions that a trial run of CUPTI uses, in the library of the fake libcupti.
#include "tests/support/fakecuptidriver.h"

#include "gpu/cupti/cuptiabi.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

using namespace jetscope;
using jetscope::testing::fakeCuptiSetting;
using jetscope::testing::fakeCuptiWork;

static int s_handle; // Of anything.

extern "C" {

int cuInit(unsigned)
{
    return 0;
}
int cuGetErrorString(int, const char **text)
{
    *text = "invalid device ordinal";
    return 0;
}
int cuDeviceGet(int *device, int ordinal)
{
    *device = ordinal;
    return fakeCuptiSetting("device") == "none" ? 101 : 0;
}
int cuDevicePrimaryCtxRetain(void **context, int)
{
    *context = &s_handle;
    return 0;
}
int cuDevicePrimaryCtxRelease_v2(int)
{
    return 0;
}
int cuCtxSetCurrent(void *)
{
    return 0;
}
int cuCtxSynchronize()
{
    return 0;
}
int cuMemAlloc_v2(std::uint64_t *pointer, std::size_t bytes)
{
    *pointer = reinterpret_cast<std::uintptr_t>(std::malloc(bytes));
    return 0;
}
int cuMemFree_v2(std::uint64_t pointer)
{
    std::free(reinterpret_cast<void *>(pointer));
    return 0;
}
int cuMemsetD8_v2(std::uint64_t pointer, unsigned char value, std::size_t bytes)
{
    std::memset(reinterpret_cast<void *>(pointer), value, bytes);
    fakeCuptiWork(cupti::kMemset, bytes, nullptr);
    return 0;
}
int cuMemcpyDtoH_v2(void *target, std::uint64_t source, std::size_t bytes)
{
    std::memcpy(target, reinterpret_cast<const void *>(source), bytes);
    fakeCuptiWork(cupti::kMemcpy, bytes, nullptr);
    return 0;
}
int cuModuleLoadData(void **module, const void *)
{
    *module = &s_handle;
    return fakeCuptiSetting("compiler") == "none" ? 218 : 0;
}
int cuModuleUnload(void *)
{
    return 0;
}
int cuModuleGetFunction(void **function, void *module, const char *)
{
    *function = module;
    return 0;
}
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,
                   void **)
{
    fakeCuptiWork(cupti::kConcurrentKernel, 0, "jetscopeTrial");
    return 0;
}

} // extern "C"
