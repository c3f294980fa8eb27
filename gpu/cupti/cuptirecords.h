// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The used part of CUPTI's records, in C and C++: for Jetscope's own session (cuptiabi.h) and for the library that
// records in inspected programs (gpu/attach/inject). Source: cupti_activity.h of CUDA 13.0 and
// cupti_activity_deprecated.h for the records of CUDA 12.2. tst_cuptilayout compares it with the headers of the build's
// toolkit. Only cuptiActivityGetNextRecord may compute the distance between records.

#include <stdint.h>

// CUpti_ActivityKind. KERNEL (3) is never enabled because it serialises kernels.
#define JSC_KIND_MEMCPY 1u
#define JSC_KIND_MEMSET 2u
#define JSC_KIND_DRIVER 4u
#define JSC_KIND_RUNTIME 5u
#define JSC_KIND_CONCURRENT_KERNEL 10u
#define JSC_KIND_SYNCHRONIZATION 38u
#define JSC_KIND_MEMORY2 49u

// CUptiResult
#define JSC_SUCCESS 0
#define JSC_MAX_LIMIT_REACHED 12 // The buffer has no more records.

#define JSC_FLUSH_FORCED 1u        // CUPTI_ACTIVITY_FLAG_FLUSH_FORCED
#define JSC_DOMAIN_DRIVER 1        // CUPTI_CB_DOMAIN_DRIVER_API
#define JSC_SITE_ENTER 0           // CUPTI_API_ENTER
#define JSC_THREAD_IDS_OF_SYSTEM 1 // CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM

// cuptiGetVersion of the releases whose records have the layouts below: CUDA 12.2 to 12.9, with one more number in case
// 12.9 is updated again, and 13.
#define JSC_FIRST_OF_12_2 20u
#define JSC_LAST_OF_12 29u
#define JSC_FIRST_OF_13 130000u
#define JSC_END_OF_13 140000u

// The leading fields of CUpti_ActivityKernel9 (CUDA 12.0 to 12.9) and Kernel10 (13.0), at the same offsets in both.
// Later versions append to it (Kernel11 of CUDA 13.2 and Kernel12 of 13.3, according to the release notes of CUPTI).
struct jsc_kernel_record {
    uint32_t kind;
    uint8_t cacheConfig;
    uint8_t sharedMemoryConfig;
    uint16_t registersPerThread;
    uint32_t partitionedCacheRequested;
    uint32_t partitionedCacheExecuted;
    uint64_t start; // ns; 0 if CUPTI could not determine it.
    uint64_t end;
    uint64_t completed;
    uint32_t deviceId;
    uint32_t contextId;
    uint32_t streamId;
    int32_t grid[3];
    int32_t block[3];
    int32_t staticSharedMemory;
    int32_t dynamicSharedMemory;
    uint32_t localMemoryPerThread;
    uint32_t localMemoryTotal;
    uint32_t correlationId;
    int64_t gridId;
    const char *name; // Mangled; valid while its module is loaded.
};

// The leading fields of CUpti_ActivityMemcpy5 (CUDA 11.1 to 12.7) and Memcpy6 (from 12.8).
struct jsc_memcpy_record {
    uint32_t kind;
    uint8_t copyKind; // CUpti_ActivityMemcpyKind, see GpuCopy.
    uint8_t sourceKind;
    uint8_t targetKind;
    uint8_t flags;
    uint64_t bytes;
    uint64_t start;
    uint64_t end;
    uint32_t deviceId;
    uint32_t contextId;
    uint32_t streamId;
    uint32_t correlationId;
};

// The leading fields of CUpti_ActivityMemset4 (from CUDA 11.1).
struct jsc_memset_record {
    uint32_t kind;
    uint32_t value;
    uint64_t bytes;
    uint64_t start;
    uint64_t end;
    uint32_t deviceId;
    uint32_t contextId;
    uint32_t streamId;
    uint32_t correlationId;
};

// CUpti_ActivityAPI, unchanged from CUDA 12.2 to 13.0: a call of the driver or of the runtime. Times are the CPU's.
struct jsc_call_record {
    uint32_t kind;
    uint32_t callbackId;
    uint64_t start;
    uint64_t end;
    uint32_t processId;
    uint32_t threadId; // The kernel's thread id after cuptiSetThreadIdType(JSC_THREAD_IDS_OF_SYSTEM).
    uint32_t correlationId;
    uint32_t returnValue;
};

// CUpti_CallbackData of cupti_callbacks.h, unchanged from CUDA 12.2 to 13.0: what a callback learns of a call of the
// driver, on the thread that makes it.
struct jsc_callback_data {
    int32_t site; // CUpti_ApiCallbackSite
    const char *functionName;
    const void *functionParams;
    void *functionReturnValue;
    const char *symbolName;
    void *context;
    uint32_t contextUid;
    uint64_t *correlationData;
    uint32_t correlationId; // As in the records of the call's work. A call of the runtime shares it with the driver's.
};

// The leading fields of CUpti_ActivitySynchronization (to CUDA 12.7) and Synchronization2. Times are the CPU's.
struct jsc_sync_record {
    uint32_t kind;
    uint32_t type; // 1 event, 2 a stream waits for an event, 3 stream, 4 context.
    uint64_t start;
    uint64_t end;
    uint32_t correlationId;
    uint32_t contextId;
    uint32_t streamId; // UINT32_MAX: none.
    uint32_t eventId;
};

// The leading fields of CUpti_ActivityMemory3 and Memory4, kind MEMORY2.
struct jsc_memory_record {
    uint32_t kind;
    uint32_t operation;  // 1 allocation, 2 release.
    uint32_t memoryKind; // CUpti_ActivityMemoryKind
    uint32_t correlationId;
    uint64_t address;
    uint64_t bytes;
    uint64_t timestamp;
    uint64_t pc;
    uint32_t processId;
    uint32_t deviceId;
    uint32_t contextId;
    uint32_t streamId;
};
