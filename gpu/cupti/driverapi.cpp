// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cupti/driverapi.h"

#include "gpu/base/symbols.h"

#include <dlfcn.h>

namespace jetscope {

Result<DriverApi> DriverApi::load(const std::string &path)
{
    JETSCOPE_TRY_ASSIGN(SymbolTable symbols, openDriver(path));
    DriverApi api;
    symbols.find(api.init, "cuInit");
    symbols.find(api.getErrorString, "cuGetErrorString");
    symbols.find(api.deviceGet, "cuDeviceGet");
    symbols.find(api.retainPrimaryContext, "cuDevicePrimaryCtxRetain");
    symbols.find(api.releasePrimaryContext, "cuDevicePrimaryCtxRelease_v2");
    symbols.find(api.setCurrentContext, "cuCtxSetCurrent");
    symbols.find(api.synchronizeContext, "cuCtxSynchronize");
    symbols.find(api.allocate, "cuMemAlloc_v2");
    symbols.find(api.free, "cuMemFree_v2");
    symbols.find(api.memset8, "cuMemsetD8_v2");
    symbols.find(api.copyToHost, "cuMemcpyDtoH_v2");
    symbols.find(api.loadModule, "cuModuleLoadData");
    symbols.find(api.unloadModule, "cuModuleUnload");
    symbols.find(api.getFunction, "cuModuleGetFunction");
    symbols.find(api.launchKernel, "cuLaunchKernel");
    JETSCOPE_TRY(checkDriver(symbols));
    symbols.find(api.deviceAttribute, "cuDeviceGetAttribute"); // May be missing.
    return api;
}

void *currentCudaContext()
{
    // Use only a driver that is already loaded: without one no context can be current.
    void *const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    if (!driver)
        return nullptr;
    int (*getCurrent)(void **context) = nullptr;
    SymbolTable(driver).find(getCurrent, "cuCtxGetCurrent");
    void *context = nullptr;
    if (!getCurrent || getCurrent(&context) != 0)
        context = nullptr;
    dlclose(driver); // Releases only the reference taken above.
    return context;
}

} // namespace jetscope
