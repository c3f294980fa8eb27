// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

/// The used part of CUPTI's binary interface. It is declared here because libcupti is loaded at run time and the build
/// machine may lack its headers. Source, unless another is named: cupti_activity.h, cupti_result.h and cupti_version.h
/// of CUDA 13.0, and cupti_activity_deprecated.h for the records of CUDA 12.2. tst_cuptilayout compares it with the
/// headers of the build's toolkit.
namespace jetscope::cupti {

/// CUptiResult.
using ResultCode = int;

constexpr ResultCode kSuccess = 0;
constexpr ResultCode kOutOfMemory = 8;
constexpr ResultCode kMaxLimitReached = 12; ///< The buffer has no more records.
constexpr ResultCode kNotCompatible = 14;
constexpr ResultCode kNotInitialized = 15;
constexpr ResultCode kInvalidKind = 21; ///< From cuptiActivityGetNextRecord: an incomplete or invalid record.
constexpr ResultCode kHardwareBusy = 26;
constexpr ResultCode kNotSupported = 27;
constexpr ResultCode kVirtualizedDeviceNotSupported = 33;
constexpr ResultCode kInsufficientPrivileges = 35;
constexpr ResultCode kOldProfilerInitialized = 36;
constexpr ResultCode kMultipleSubscribers = 39;
constexpr ResultCode kVirtualizedDevicePrivileges = 40;
constexpr ResultCode kConfidentialComputing = 41;
constexpr ResultCode kMiningDevice = 42;
constexpr ResultCode kMigDevice = 43;
constexpr ResultCode kSliDevice = 44;
constexpr ResultCode kWslDevice = 45;
constexpr ResultCode kUnknown = 999;

/// CUpti_ActivityKind. KERNEL (3) is never enabled because it serialises kernels.
using ActivityKind = std::uint32_t;

constexpr ActivityKind kMemcpy = 1;
constexpr ActivityKind kMemset = 2;
constexpr ActivityKind kConcurrentKernel = 10;

constexpr std::uint32_t kFlushForced = 1; ///< CUPTI_ACTIVITY_FLAG_FLUSH_FORCED

/// The leading fields of CUpti_ActivityKernel9 (CUDA 12.0 to 12.9) and Kernel10 (13.0), at the same offsets in both.
/// Later versions append to it (Kernel11 of CUDA 13.2 and Kernel12 of 13.3, according to the release notes of CUPTI).
/// Only cuptiActivityGetNextRecord may compute the distance between records.
struct KernelRecord {
    ActivityKind kind;
    std::uint8_t cacheConfig;
    std::uint8_t sharedMemoryConfig;
    std::uint16_t registersPerThread;
    std::uint32_t partitionedCacheRequested;
    std::uint32_t partitionedCacheExecuted;
    std::uint64_t start; ///< ns; 0 if CUPTI could not determine it.
    std::uint64_t end;
    std::uint64_t completed;
    std::uint32_t deviceId;
    std::uint32_t contextId;
    std::uint32_t streamId;
    std::int32_t grid[3];
    std::int32_t block[3];
    std::int32_t staticSharedMemory;
    std::int32_t dynamicSharedMemory;
    std::uint32_t localMemoryPerThread;
    std::uint32_t localMemoryTotal;
    std::uint32_t correlationId;
    std::int64_t gridId;
    const char *name; ///< Mangled; valid while its module is loaded.
};

/// The leading fields of CUpti_ActivityMemcpy5 (CUDA 11.1 to 12.7) and Memcpy6 (from 12.8).
struct MemcpyRecord {
    ActivityKind kind;
    std::uint8_t copyKind; ///< CUpti_ActivityMemcpyKind, see GpuCopy.
    std::uint8_t sourceKind;
    std::uint8_t targetKind;
    std::uint8_t flags;
    std::uint64_t bytes;
    std::uint64_t start;
    std::uint64_t end;
    std::uint32_t deviceId;
    std::uint32_t contextId;
    std::uint32_t streamId;
    std::uint32_t correlationId;
};

/// The leading fields of CUpti_ActivityMemset4 (from CUDA 11.1).
struct MemsetRecord {
    ActivityKind kind;
    std::uint32_t value;
    std::uint64_t bytes;
    std::uint64_t start;
    std::uint64_t end;
    std::uint32_t deviceId;
    std::uint32_t contextId;
    std::uint32_t streamId;
    std::uint32_t correlationId;
};

static_assert(offsetof(KernelRecord, start) == 16 && offsetof(KernelRecord, deviceId) == 40
              && offsetof(KernelRecord, correlationId) == 92 && offsetof(KernelRecord, name) == 104);
static_assert(offsetof(MemcpyRecord, bytes) == 8 && offsetof(MemcpyRecord, deviceId) == 32
              && sizeof(MemcpyRecord) == 48);
static_assert(offsetof(MemsetRecord, bytes) == 8 && offsetof(MemsetRecord, deviceId) == 32
              && sizeof(MemsetRecord) == 48);

/// CUpti_BuffersCallbackRequestFunc, CUpti_BuffersCallbackCompleteFunc, CUpti_TimestampCallbackFunc (CUPTIAPI is empty
/// on Linux).
using BufferRequested = void (*)(std::uint8_t **buffer, std::size_t *size, std::size_t *mostRecords);
using BufferCompleted = void (*)(void *context, std::uint32_t streamId, std::uint8_t *buffer, std::size_t size,
                                 std::size_t validSize);
using Timestamp = std::uint64_t (*)();

/// The used functions of libcupti. Contexts, streams and records are opaque handles of the driver and CUPTI.
struct Api {
    ResultCode (*getVersion)(std::uint32_t *version) = nullptr;
    ResultCode (*getResultString)(ResultCode code, const char **text) = nullptr;
    ResultCode (*registerTimestampCallback)(Timestamp now) = nullptr;
    ResultCode (*registerCallbacks)(BufferRequested requested, BufferCompleted completed) = nullptr;
    ResultCode (*enable)(ActivityKind kind) = nullptr;
    ResultCode (*disable)(ActivityKind kind) = nullptr;
    ResultCode (*flushAll)(std::uint32_t flag) = nullptr;
    ResultCode (*getNextRecord)(std::uint8_t *buffer, std::size_t validSize, void **record) = nullptr;
    ResultCode (*getDroppedRecords)(void *context, std::uint32_t streamId, std::size_t *dropped) = nullptr;
    ResultCode (*getStreamId)(void *context, void *stream, std::uint8_t perThreadStream,
                              std::uint32_t *streamId) = nullptr;
};

} // namespace jetscope::cupti
