// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/kerneldriver.h"

#include "gpu/base/symbols.h"

namespace jetscope {

Result<KernelDriver> KernelDriver::load(const std::string &path)
{
    JETSCOPE_TRY_ASSIGN(SymbolTable symbols, openDriver(path));
    KernelDriver api;
    symbols.find(api.init, "cuInit");
    symbols.find(api.getErrorString, "cuGetErrorString");
    symbols.find(api.deviceGet, "cuDeviceGet");
    symbols.find(api.retainPrimaryContext, "cuDevicePrimaryCtxRetain");
    symbols.find(api.getCurrentContext, "cuCtxGetCurrent");
    symbols.find(api.setCurrentContext, "cuCtxSetCurrent");
    symbols.find(api.synchronizeContext, "cuCtxSynchronize");
    symbols.find(api.loadModule, "cuModuleLoadData");
    symbols.find(api.unloadModule, "cuModuleUnload");
    symbols.find(api.getFunction, "cuModuleGetFunction");
    symbols.find(api.launchKernel, "cuLaunchKernel");
    symbols.find(api.createArray, "cuArray3DCreate_v2");
    symbols.find(api.destroyArray, "cuArrayDestroy");
    symbols.find(api.createSurface, "cuSurfObjectCreate");
    symbols.find(api.destroySurface, "cuSurfObjectDestroy");
    symbols.find(api.copy2dAsync, "cuMemcpy2DAsync_v2");
    symbols.find(api.set2dAsync, "cuMemsetD2D8Async");
    symbols.find(api.allocate, "cuMemAlloc_v2");
    symbols.find(api.allocateManaged, "cuMemAllocManaged");
    symbols.find(api.attach, "cuStreamAttachMemAsync");
    symbols.find(api.free, "cuMemFree_v2");
    symbols.find(api.copyToDevice, "cuMemcpyHtoD_v2");
    symbols.find(api.copyToHost, "cuMemcpyDtoH_v2");
    symbols.find(api.createStream, "cuStreamCreate");
    symbols.find(api.destroyStream, "cuStreamDestroy_v2");
    symbols.find(api.synchronizeStream, "cuStreamSynchronize");
    symbols.find(api.registerHost, "cuMemHostRegister_v2");
    symbols.find(api.unregisterHost, "cuMemHostUnregister");
    symbols.find(api.createEvent, "cuEventCreate");
    symbols.find(api.destroyEvent, "cuEventDestroy_v2");
    symbols.find(api.recordEvent, "cuEventRecord");
    symbols.find(api.queryEvent, "cuEventQuery");
    JETSCOPE_TRY(checkDriver(symbols));
    return api;
}

Status KernelDriver::check(const char *call, int code) const
{
    if (code == 0)
        return {};
    const char *text = nullptr;
    if (getErrorString(code, &text) != 0 || !text)
        text = "an error that the driver does not name";
    return Error{call, code, text};
}

} // namespace jetscope
