// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/base/symbols.h"

#include <cstddef>
#include <cstdint>

// The part of cuDLA's C interface that stages use, after the reference of cuDLA 1.2 (cudla.h). All functions return
// cudlaStatus, 0 for success.
namespace jetscope::cudla {

using Device = void *;
using Module = void *;

// cudlaMode
inline constexpr std::uint32_t kHybrid = 0;     ///< CUDLA_CUDA_DLA
inline constexpr std::uint32_t kStandalone = 1; ///< CUDLA_STANDALONE
// cudlaNvSciSyncAttributes
inline constexpr std::uint32_t kSyncWait = 1;
inline constexpr std::uint32_t kSyncSignal = 2;

inline constexpr int kErrorInvalidParam = 1;
inline constexpr int kErrorUnsupportedOperation = 13;
inline constexpr int kErrorEngineTimeout = 0x40000006;
inline constexpr int kCudaExternalDevice = 911; ///< CUDA_ERROR_EXTERNAL_DEVICE: ask cudlaGetLastError (rule F2).

// cudlaModuleAttributeType
inline constexpr int kInputCount = 0;
inline constexpr int kOutputCount = 1;
inline constexpr int kInputTensors = 2;
inline constexpr int kOutputTensors = 3;

// Of a tensor descriptor.
inline constexpr std::uint8_t kNchw = 1;
inline constexpr std::uint8_t kNhwc = 2;
inline constexpr std::uint8_t kNcxHwx = 3; ///< Channels in groups of 32 bytes.
inline constexpr std::uint8_t kFloat = 1;
inline constexpr std::uint8_t kHalf = 2;
inline constexpr std::uint8_t kInt8 = 4;
inline constexpr std::uint8_t kUint8 = 5;

struct TensorDescriptor { ///< cudlaModuleTensorDescriptor
    char name[81] = {};
    std::uint64_t size = 0; ///< Bytes.
    std::uint64_t n = 0;
    std::uint64_t c = 0;
    std::uint64_t h = 0;
    std::uint64_t w = 0;
    std::uint8_t dataFormat = 0;
    std::uint8_t dataType = 0;
    std::uint8_t dataCategory = 0;
    std::uint8_t pixelFormat = 0;
    std::uint8_t pixelMapping = 0; ///< 0: pitch-linear.
    std::uint32_t stride[8] = {};  ///< Bytes: of an element, of a row, of a channel or group of channels.
};
static_assert(offsetof(TensorDescriptor, size) == 88 && offsetof(TensorDescriptor, stride) == 136);

union Attribute { ///< cudlaModuleAttribute
    std::uint32_t count;
    TensorDescriptor *tensors;
};

struct ExternalMemory {           ///< cudlaExternalMemoryHandleDesc
    const void *object = nullptr; ///< An NvSciBufObj.
    unsigned long long bytes = 0;
};

struct ExternalSemaphore {        ///< cudlaExternalSemaphoreHandleDesc
    const void *object = nullptr; ///< An NvSciSyncObj.
};

struct Fence {             ///< CudlaFence
    void *fence = nullptr; ///< An NvSciSyncFence.
    int type = 1;          ///< CUDLA_NVSCISYNC_FENCE
};

struct WaitEvents { ///< cudlaWaitEvents
    const Fence *fences = nullptr;
    std::uint32_t count = 0;
};

struct SignalEvents {                           ///< cudlaSignalEvents
    std::uint64_t *const *semaphores = nullptr; ///< As registered.
    Fence *fences = nullptr;                    ///< Are set by the submission.
    std::uint32_t count = 0;
};

struct Task { ///< cudlaTask
    Module module = nullptr;
    std::uint64_t *const *outputs = nullptr;
    std::uint32_t outputCount = 0;
    std::uint32_t inputCount = 0;
    const std::uint64_t *const *inputs = nullptr;
    const WaitEvents *waitEvents = nullptr; ///< In standalone mode only, as those below.
    SignalEvents *signalEvents = nullptr;
};

struct Functions : SymbolTable {
    using SymbolTable::SymbolTable;

    int (*getVersion)(std::uint64_t *version) = find("cudlaGetVersion"); ///< 1000000 * major + 1000 * minor + patch
    int (*deviceCount)(std::uint64_t *count) = find("cudlaDeviceGetCount");
    int (*createDevice)(std::uint64_t device, Device *handle, std::uint32_t flags) = find("cudlaCreateDevice");
    int (*destroyDevice)(Device device) = find("cudlaDestroyDevice");
    int (*registerMemory)(Device device, const std::uint64_t *memory, std::size_t bytes, std::uint64_t **registered,
                          std::uint32_t flags) = find("cudlaMemRegister");
    int (*unregisterMemory)(Device device, const std::uint64_t *registered) = find("cudlaMemUnregister");
    int (*loadModule)(Device device, const std::uint8_t *bytes, std::size_t count, Module *module,
                      std::uint32_t flags) = find("cudlaModuleLoadFromMemory");
    int (*unloadModule)(Module module, std::uint32_t flags) = find("cudlaModuleUnload");
    int (*moduleAttribute)(Module module, int type, Attribute *attribute) = find("cudlaModuleGetAttributes");
    int (*submitTask)(Device device, const Task *tasks, std::uint32_t count, void *stream,
                      std::uint32_t flags) = find("cudlaSubmitTask");
    int (*lastError)(Device device) = find("cudlaGetLastError");
    // For the standalone mode; null where the library lacks them.
    SymbolTable standalone = SymbolTable(library());
    int (*importMemory)(Device device, const ExternalMemory *memory, std::uint64_t **registered,
                        std::uint32_t flags) = standalone.find("cudlaImportExternalMemory");
    int (*importSemaphore)(Device device, const ExternalSemaphore *semaphore, std::uint64_t **registered,
                           std::uint32_t flags) = standalone.find("cudlaImportExternalSemaphore");
    int (*syncAttributes)(std::uint64_t *list, std::uint32_t flags) =
        standalone.find("cudlaGetNvSciSyncAttributes"); ///< Of an NvSciSyncAttrList.
};

} // namespace jetscope::cudla
