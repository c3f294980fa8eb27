// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/base/symbols.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace jetscope {

/// Structures of the CUDA driver for memory and synchronization of NvSci, as cuda.h of CUDA 11 to 13 declares them.
namespace driver {

inline constexpr int kSignalsSync = 1;  ///< CUDA_NVSCISYNC_ATTR_SIGNAL
inline constexpr int kWaitsForSync = 2; ///< CUDA_NVSCISYNC_ATTR_WAIT

struct ExternalMemory { ///< CUDA_EXTERNAL_MEMORY_HANDLE_DESC
    int type = 8;       ///< CU_EXTERNAL_MEMORY_HANDLE_TYPE_NVSCIBUF
    const void *object = nullptr;
    const void *unused = nullptr;
    unsigned long long bytes = 0;
    unsigned flags = 0;
    unsigned reserved[16] = {};
};
static_assert(offsetof(ExternalMemory, bytes) == 24 && sizeof(ExternalMemory) == 104);

struct ExternalBuffer { ///< CUDA_EXTERNAL_MEMORY_BUFFER_DESC
    unsigned long long offset = 0;
    unsigned long long bytes = 0;
    unsigned flags = 0;
    unsigned reserved[16] = {};
};
static_assert(sizeof(ExternalBuffer) == 88);

struct ExternalSemaphore { ///< CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC
    int type = 6;          ///< CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_NVSCISYNC
    const void *object = nullptr;
    const void *unused = nullptr;
    unsigned flags = 0;
    unsigned reserved[16] = {};
};
static_assert(offsetof(ExternalSemaphore, flags) == 24 && sizeof(ExternalSemaphore) == 96);

struct SemaphoreUse { ///< CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS and CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS
    unsigned long long value = 0;
    void *fence = nullptr; ///< An NvSciSyncFence.
    unsigned unused[14] = {};
    unsigned flags = 0;
    unsigned reserved[16] = {};
};
static_assert(offsetof(SemaphoreUse, flags) == 72 && sizeof(SemaphoreUse) == 144);

} // namespace driver

/// The functions of the CUDA driver for memory and synchronization that other engines share, loaded at run time. All
/// return CUresult, 0 for success: KernelDriver::check.
struct CudaExternal : SymbolTable {
    using SymbolTable::SymbolTable;

    int (*currentDevice)(int *device) = find("cuCtxGetDevice");
    int (*deviceUuid)(unsigned char *bytes, int device) = find("cuDeviceGetUuid"); ///< 16 bytes.
    int (*syncAttributes)(void *list, int device, int flags) = find("cuDeviceGetNvSciSyncAttributes");
    int (*importMemory)(void **memory, const driver::ExternalMemory *what) = find("cuImportExternalMemory");
    int (*mapMemory)(std::uint64_t *mapped, void *memory,
                     const driver::ExternalBuffer *what) = find("cuExternalMemoryGetMappedBuffer");
    int (*destroyMemory)(void *memory) = find("cuDestroyExternalMemory"); ///< What was mapped is freed before.
    int (*importSemaphore)(void **semaphore, const driver::ExternalSemaphore *what) = find("cuImportExternalSemaphore");
    int (*destroySemaphore)(void *semaphore) = find("cuDestroyExternalSemaphore");
    int (*signal)(void *const *semaphores, const driver::SemaphoreUse *uses, unsigned count,
                  void *stream) = find("cuSignalExternalSemaphoresAsync");
    int (*wait)(void *const *semaphores, const driver::SemaphoreUse *uses, unsigned count,
                void *stream) = find("cuWaitExternalSemaphoresAsync");

    /// `path` is libcuda.so.1 except in tests. Stays loaded.
    static Result<CudaExternal> load(const std::string &path) { return loadDriver<CudaExternal>(path); }
};

} // namespace jetscope
