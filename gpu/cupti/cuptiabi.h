// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/base/symbols.h"
#include "gpu/cupti/cuptirecords.h"

#include <cstddef>
#include <cstdint>

/// The used part of CUPTI's binary interface. It is declared here because libcupti is loaded at run time and the build
/// machine may lack its headers. Source, unless another is named: cupti_activity.h, cupti_result.h and cupti_version.h
/// of CUDA 13.0. tst_cuptilayout compares it with the headers of the build's toolkit.
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

/// CUpti_ActivityKind.
using ActivityKind = std::uint32_t;

constexpr ActivityKind kMemcpy = JSC_KIND_MEMCPY;
constexpr ActivityKind kMemset = JSC_KIND_MEMSET;
constexpr ActivityKind kDriver = JSC_KIND_DRIVER;
constexpr ActivityKind kRuntime = JSC_KIND_RUNTIME;
constexpr ActivityKind kConcurrentKernel = JSC_KIND_CONCURRENT_KERNEL;
constexpr ActivityKind kSynchronization = JSC_KIND_SYNCHRONIZATION;
constexpr ActivityKind kMemory2 = JSC_KIND_MEMORY2;

constexpr std::uint32_t kFlushForced = JSC_FLUSH_FORCED;

using KernelRecord = ::jsc_kernel_record;
using MemcpyRecord = ::jsc_memcpy_record;
using MemsetRecord = ::jsc_memset_record;
using CallRecord = ::jsc_call_record;
using SyncRecord = ::jsc_sync_record;
using MemoryRecord = ::jsc_memory_record;

static_assert(offsetof(KernelRecord, start) == 16 && offsetof(KernelRecord, deviceId) == 40
              && offsetof(KernelRecord, correlationId) == 92 && offsetof(KernelRecord, name) == 104);
static_assert(offsetof(MemcpyRecord, bytes) == 8 && offsetof(MemcpyRecord, deviceId) == 32
              && sizeof(MemcpyRecord) == 48);
static_assert(offsetof(MemsetRecord, bytes) == 8 && offsetof(MemsetRecord, deviceId) == 32
              && sizeof(MemsetRecord) == 48);
static_assert(sizeof(CallRecord) == 40 && sizeof(SyncRecord) == 40 && sizeof(MemoryRecord) == 64);

/// CUpti_BuffersCallbackRequestFunc, CUpti_BuffersCallbackCompleteFunc, CUpti_TimestampCallbackFunc (CUPTIAPI is empty
/// on Linux).
using BufferRequested = void (*)(std::uint8_t **buffer, std::size_t *size, std::size_t *mostRecords);
using BufferCompleted = void (*)(void *context, std::uint32_t streamId, std::uint8_t *buffer, std::size_t size,
                                 std::size_t validSize);
using Timestamp = std::uint64_t (*)();
/// CUpti_CallbackFunc; of a call of the driver or the runtime `data` is a jsc_callback_data.
using Callback = void (*)(void *userData, int domain, std::uint32_t callback, const void *data);

/// The used functions of libcupti. Contexts, streams and records are opaque handles of the driver and CUPTI.
struct Api : SymbolTable {
    using SymbolTable::SymbolTable;

    ResultCode (*getVersion)(std::uint32_t *version) = find("cuptiGetVersion");
    ResultCode (*getResultString)(ResultCode code, const char **text) = find("cuptiGetResultString");
    ResultCode (*registerTimestampCallback)(Timestamp now) = find("cuptiActivityRegisterTimestampCallback");
    ResultCode (*registerCallbacks)(BufferRequested requested,
                                    BufferCompleted completed) = find("cuptiActivityRegisterCallbacks");
    ResultCode (*enable)(ActivityKind kind) = find("cuptiActivityEnable");
    ResultCode (*disable)(ActivityKind kind) = find("cuptiActivityDisable");
    ResultCode (*flushAll)(std::uint32_t flag) = find("cuptiActivityFlushAll");
    ResultCode (*getNextRecord)(std::uint8_t *buffer, std::size_t validSize,
                                void **record) = find("cuptiActivityGetNextRecord");
    ResultCode (*getDroppedRecords)(void *context, std::uint32_t streamId,
                                    std::size_t *dropped) = find("cuptiActivityGetNumDroppedRecords");
    ResultCode (*subscribe)(void **subscriber, Callback callback, void *userData) = find("cuptiSubscribe");
    ResultCode (*unsubscribe)(void *subscriber) = find("cuptiUnsubscribe");
    ResultCode (*enableCallback)(std::uint32_t on, void *subscriber, int domain,
                                 std::uint32_t callback) = find("cuptiEnableCallback");
    ResultCode (*getStreamId)(void *context, void *stream, std::uint8_t perThreadStream,
                              std::uint32_t *streamId) = find("cuptiGetStreamIdEx");
};

} // namespace jetscope::cupti
