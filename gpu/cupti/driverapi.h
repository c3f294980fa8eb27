// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/base/symbols.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace jetscope {

/// The CUDA driver functions that a CuptiTrial uses for its work. They are loaded at run time, so that a trial works in
/// builds without the CUDA toolkit and with only the driver. All return CUresult, 0 for success. Names and arguments as
/// in cuda.h of CUDA 11 to 13.
struct DriverApi : SymbolTable {
    using SymbolTable::SymbolTable;

    int (*init)(unsigned flags) = find("cuInit");
    int (*getErrorString)(int code, const char **text) = find("cuGetErrorString");
    int (*deviceGet)(int *device, int ordinal) = find("cuDeviceGet");
    int (*deviceAttribute)(int *value, int attribute, int device) = optional("cuDeviceGetAttribute"); ///< May be null.
    int (*retainPrimaryContext)(void **context, int device) = find("cuDevicePrimaryCtxRetain");
    int (*releasePrimaryContext)(int device) = find("cuDevicePrimaryCtxRelease_v2");
    int (*setCurrentContext)(void *context) = find("cuCtxSetCurrent");
    int (*synchronizeContext)() = find("cuCtxSynchronize");
    int (*allocate)(std::uint64_t *pointer, std::size_t bytes) = find("cuMemAlloc_v2");
    int (*free)(std::uint64_t pointer) = find("cuMemFree_v2");
    int (*memset8)(std::uint64_t pointer, unsigned char value, std::size_t bytes) = find("cuMemsetD8_v2");
    int (*copyToHost)(void *target, std::uint64_t source, std::size_t bytes) = find("cuMemcpyDtoH_v2");
    int (*loadModule)(void **module, const void *image) = find("cuModuleLoadData");
    int (*unloadModule)(void *module) = find("cuModuleUnload");
    int (*getFunction)(void **function, void *module, const char *name) = find("cuModuleGetFunction");
    int (*launchKernel)(void *function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                        unsigned blockY, unsigned blockZ, unsigned sharedBytes, void *stream, void **arguments,
                        void **extra) = find("cuLaunchKernel");

    /// `path` is libcuda.so.1 except in tests. Stays loaded.
    static Result<DriverApi> load(const std::string &path) { return loadDriver<DriverApi>(path); }
};

/// cuCtxGetCurrent of the driver that this process has already loaded; null without a driver or a context.
void *currentCudaContext();

} // namespace jetscope
