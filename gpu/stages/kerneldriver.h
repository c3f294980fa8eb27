// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/base/symbols.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace jetscope {

/// Structures of the CUDA driver as cuda.h of CUDA 11 to 13 declares them.
namespace driver {

inline constexpr int kArrayOfBytes = 1;       ///< CU_AD_FORMAT_UNSIGNED_INT8
inline constexpr unsigned kSurfaceAccess = 2; ///< CUDA_ARRAY3D_SURFACE_LDST
inline constexpr int kHostMemory = 1;         ///< CU_MEMORYTYPE_HOST
inline constexpr int kDeviceMemory = 2;       ///< CU_MEMORYTYPE_DEVICE
inline constexpr int kArrayMemory = 3;        ///< CU_MEMORYTYPE_ARRAY
inline constexpr unsigned kNonBlocking = 1;   ///< CU_STREAM_NON_BLOCKING
inline constexpr unsigned kWithoutTiming = 2; ///< CU_EVENT_DISABLE_TIMING
inline constexpr unsigned kAttachGlobal = 1;  ///< CU_MEM_ATTACH_GLOBAL
inline constexpr unsigned kAttachHost = 2;    ///< CU_MEM_ATTACH_HOST
inline constexpr int kNotReady = 600;         ///< CUDA_ERROR_NOT_READY

struct ArrayShape { ///< CUDA_ARRAY3D_DESCRIPTOR
    std::size_t width = 0;
    std::size_t height = 0;
    std::size_t depth = 0;
    int format = kArrayOfBytes;
    unsigned channels = 1;
    unsigned flags = kSurfaceAccess;
};

struct SurfaceTarget { ///< CUDA_RESOURCE_DESC of an array
    int type = 0;
    void *array = nullptr;
    int reserved[30] = {};
    unsigned flags = 0;
};

struct CopyEnd {
    std::size_t xBytes = 0;
    std::size_t y = 0;
    int memory = kDeviceMemory;
    const void *host = nullptr;
    std::uint64_t device = 0;
    void *array = nullptr;
    std::size_t pitch = 0;
};

struct Copy2d { ///< CUDA_MEMCPY2D
    CopyEnd from;
    CopyEnd to;
    std::size_t widthBytes = 0;
    std::size_t height = 0;
};

} // namespace driver

/// The functions of the CUDA driver that stages need, loaded at run time. All return
/// CUresult, 0 for success.
struct KernelDriver : SymbolTable {
    using SymbolTable::SymbolTable;

    int (*init)(unsigned flags) = find("cuInit");
    int (*getErrorString)(int code, const char **text) = find("cuGetErrorString");
    int (*deviceGet)(int *device, int ordinal) = find("cuDeviceGet");
    int (*retainPrimaryContext)(void **context, int device) = find("cuDevicePrimaryCtxRetain");
    int (*getCurrentContext)(void **context) = find("cuCtxGetCurrent");
    int (*setCurrentContext)(void *context) = find("cuCtxSetCurrent");
    int (*synchronizeContext)() = find("cuCtxSynchronize");
    int (*loadModule)(void **module, const void *image) = find("cuModuleLoadData");
    int (*unloadModule)(void *module) = find("cuModuleUnload");
    int (*getFunction)(void **function, void *module, const char *name) = find("cuModuleGetFunction");
    int (*launchKernel)(void *function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                        unsigned blockY, unsigned blockZ, unsigned sharedBytes, void *stream, void **arguments,
                        void **extra) = find("cuLaunchKernel");
    int (*createArray)(void **array, const driver::ArrayShape *shape) = find("cuArray3DCreate_v2");
    int (*destroyArray)(void *array) = find("cuArrayDestroy");
    int (*createSurface)(std::uint64_t *surface, const driver::SurfaceTarget *target) = find("cuSurfObjectCreate");
    int (*destroySurface)(std::uint64_t surface) = find("cuSurfObjectDestroy");
    int (*copy2dAsync)(const driver::Copy2d *copy, void *stream) = find("cuMemcpy2DAsync_v2");
    int (*set2dAsync)(std::uint64_t memory, std::size_t pitch, unsigned char value, std::size_t width,
                      std::size_t height, void *stream) = find("cuMemsetD2D8Async");
    int (*allocate)(std::uint64_t *memory, std::size_t bytes) = find("cuMemAlloc_v2");
    int (*allocateManaged)(std::uint64_t *memory, std::size_t bytes, unsigned flags) = find("cuMemAllocManaged");
    int (*attach)(void *stream, std::uint64_t memory, std::size_t bytes,
                  unsigned flags) = find("cuStreamAttachMemAsync");
    int (*free)(std::uint64_t memory) = find("cuMemFree_v2");
    int (*copyToDevice)(std::uint64_t to, const void *from, std::size_t bytes) = find("cuMemcpyHtoD_v2");
    int (*copyToHost)(void *to, std::uint64_t from, std::size_t bytes) = find("cuMemcpyDtoH_v2");
    int (*createStream)(void **stream, unsigned flags) = find("cuStreamCreate");
    int (*destroyStream)(void *stream) = find("cuStreamDestroy_v2");
    int (*synchronizeStream)(void *stream) = find("cuStreamSynchronize");
    int (*registerHost)(void *memory, std::size_t bytes, unsigned flags) = find("cuMemHostRegister_v2");
    int (*unregisterHost)(void *memory) = find("cuMemHostUnregister");
    int (*createEvent)(void **event, unsigned flags) = find("cuEventCreate");
    int (*destroyEvent)(void *event) = find("cuEventDestroy_v2");
    int (*recordEvent)(void *event, void *stream) = find("cuEventRecord");
    int (*queryEvent)(void *event) = find("cuEventQuery");

    /// `path` is libcuda.so.1 except in tests. Stays loaded.
    static Result<KernelDriver> load(const std::string &path) { return loadDriver<KernelDriver>(path); }
    Status check(const char *call, int code) const;
};

} // namespace jetscope
