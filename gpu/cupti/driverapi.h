// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace jetscope {

/// The CUDA driver functions that a CuptiTrial uses for its work. They are loaded at run time, so that a trial works in
/// builds without the CUDA toolkit and with only the driver. All return CUresult, 0 for success. Names and arguments as
/// in cuda.h of CUDA 11 to 13.
struct DriverApi {
    int (*init)(unsigned flags) = nullptr;
    int (*getErrorString)(int code, const char **text) = nullptr;
    int (*deviceGet)(int *device, int ordinal) = nullptr;
    int (*deviceAttribute)(int *value, int attribute, int device) = nullptr; ///< May be null.
    int (*retainPrimaryContext)(void **context, int device) = nullptr;
    int (*releasePrimaryContext)(int device) = nullptr; ///< cuDevicePrimaryCtxRelease_v2
    int (*setCurrentContext)(void *context) = nullptr;
    int (*synchronizeContext)() = nullptr;
    int (*allocate)(std::uint64_t *pointer, std::size_t bytes) = nullptr;                    ///< cuMemAlloc_v2
    int (*free)(std::uint64_t pointer) = nullptr;                                            ///< cuMemFree_v2
    int (*memset8)(std::uint64_t pointer, unsigned char value, std::size_t bytes) = nullptr; ///< cuMemsetD8_v2
    int (*copyToHost)(void *target, std::uint64_t source, std::size_t bytes) = nullptr;      ///< cuMemcpyDtoH_v2
    int (*loadModule)(void **module, const void *image) = nullptr;                           ///< cuModuleLoadData
    int (*unloadModule)(void *module) = nullptr;
    int (*getFunction)(void **function, void *module, const char *name) = nullptr;
    int (*launchKernel)(void *function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                        unsigned blockY, unsigned blockZ, unsigned sharedBytes, void *stream, void **arguments,
                        void **extra) = nullptr;

    /// `path` is libcuda.so.1 except in tests. Stays loaded.
    static Result<DriverApi> load(const std::string &path);
};

/// cuCtxGetCurrent of the driver that this process has already loaded; null without a driver or a context.
void *currentCudaContext();

} // namespace jetscope
