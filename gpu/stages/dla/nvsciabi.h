// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/base/symbols.h"

#include <cstddef>
#include <cstdint>

// The part of NvSciBuf's and NvSciSync's C interfaces that the standalone mode of cuDLA needs, after version 2 of both
// in the API reference of DRIVE OS 6 and 7 (nvscibuf.h, nvscisync.h, nvscierror.h). L4T has the same libraries without
// headers. Both begin with the same functions, whose names differ only in NvSciBuf and NvSciSync. Version 1 had other
// identifiers of GPUs and other values of permissions; no permission of NvSciSync is used here.
namespace jetscope::nvsci {

using Module = void *;
using List = void *;   ///< NvSciBufAttrList, NvSciSyncAttrList
using Object = void *; ///< NvSciBufObj, NvSciSyncObj

inline constexpr std::uint32_t kMajorVersion = 2;

// NvSciBufAttrKey: the type of the buffer << 16, and a number from there on.
inline constexpr int kTypes = 1;              ///< NvSciBufGeneralAttrKey_Types, of an int
inline constexpr int kNeedCpuAccess = 2;      ///< NvSciBufGeneralAttrKey_NeedCpuAccess, a bool
inline constexpr int kRequiredPermission = 3; ///< NvSciBufGeneralAttrKey_RequiredPerm, an int
inline constexpr int kGpuIds = 5;             ///< NvSciBufGeneralAttrKey_GpuId, of GpuId
inline constexpr int kRawBytes = 0x10000;     ///< NvSciBufRawBufferAttrKey_Size, a uint64_t
inline constexpr int kRawAlignment = 0x10001; ///< NvSciBufRawBufferAttrKey_Align, a uint64_t

inline constexpr int kRawBuffer = 1; ///< NvSciBufType_RawBuffer
inline constexpr int kReadWrite = 3; ///< NvSciBufAccessPerm_ReadWrite

inline constexpr int kErrorReconciliation = 0x10100;       ///< NvSciError_ReconciliationFailed
inline constexpr int kErrorUnsupportedConfig = 0x02000001; ///< NvSciError_UnsupportedConfig, of NvSciSync

struct GpuId { ///< NvSciRmGpuId: what cuDeviceGetUuid gives.
    unsigned char bytes[16] = {};
};

struct KeyValue { ///< NvSciBufAttrKeyValuePair
    int key = 0;
    const void *value = nullptr;
    std::size_t bytes = 0;
};
static_assert(sizeof(KeyValue) == 24);

/// NvSciSyncFence. All zeros: cleared. Else it holds a reference to its object until it is cleared.
struct Fence {
    std::uint64_t payload[6] = {};
};

/// Of one of the two libraries. They return NvSciError, 0 for success, or nothing.
struct Functions : SymbolTable {
    using SymbolTable::SymbolTable;

    int (*checkVersion)(std::uint32_t major, std::uint32_t minor,
                        bool *isCompatible) = find("CheckVersionCompatibility");
    int (*openModule)(Module *module) = find("ModuleOpen");
    void (*closeModule)(Module module) = find("ModuleClose");
    int (*createList)(Module module, List *list) = find("AttrListCreate");
    void (*freeList)(List list) = find("AttrListFree");
    int (*setAttributes)(List list, const KeyValue *pairs, std::size_t count) = find("AttrListSetAttrs");
    int (*reconcile)(const List *lists, std::size_t count, List *reconciled,
                     List *conflicts) = find("AttrListReconcile");
    int (*allocate)(List reconciled, Object *object) = find("ObjAlloc");
    void (*freeObject)(Object object) = find("ObjFree");
    void (*clearFence)(Fence *fence) = nullptr; ///< Of NvSciSync only.
};

} // namespace jetscope::nvsci
