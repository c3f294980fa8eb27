// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/base/symbols.h"

#include <cstddef>
#include <cstdint>

namespace jetscope {

/// CUmemLocation of cuda.h.
struct MemoryPlace {
    int type = 0;
    int id = 0;
};

/// Functions of the CUDA driver for memory that older toolkits do not declare. Null where the driver lacks them. All
/// return CUresult, 0 for success; arguments as in cuda.h of CUDA 13.
struct MemoryDriver : SymbolTable {
    using SymbolTable::SymbolTable;

    static constexpr int kHostAllocDmabuf = 146; ///< CU_DEVICE_ATTRIBUTE_HOST_ALLOC_DMA_BUF_SUPPORTED
    static constexpr int kDmabufFile = 1;        ///< CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD

    int (*attribute)(int *value, int attribute, int device) = optional("cuDeviceGetAttribute");
    int (*getErrorString)(int code, const char **text) = optional("cuGetErrorString");
    int (*handleOf)(void *handle, std::uint64_t address, std::size_t bytes, int kind,
                    unsigned long long flags) = optional("cuMemGetHandleForAddressRange");
    int (*discardAndPrefetch)(std::uint64_t *addresses, std::size_t *bytes, std::size_t count, MemoryPlace *places,
                              std::size_t *firstOfPlace, std::size_t placeCount, unsigned long long flags,
                              void *stream) = optional("cuMemDiscardAndPrefetchBatchAsync");

    /// All are null without a driver.
    static const MemoryDriver &loaded();
    Status check(const char *call, int code) const;
};

} // namespace jetscope
