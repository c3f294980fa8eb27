// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the library with CUPTI in an inspected program (gpu/attach/inject, C) writes into a ring of its own, one a
// process: hardware times of work, and how CUPTI fares. The same rules hold as for attachformat.h: the program can
// write everything here.

#include <stdint.h>

enum jsa_gpu_kind {
    JSA_GPU_TEXT = 1, // Up to 40 bytes of a name at `device`, continued by the next record.
    JSA_GPU_NAME,     // The end of a name; `name` is its number.
    JSA_GPU_KERNEL,
    JSA_GPU_COPY,
    JSA_GPU_SET,
    // A submission by the program. `thread` made it; device, context and stream are 0. There are no such records, only
    // their count, where the records of the calls themselves have the id (JSA_FLAG_SUBMISSION).
    JSA_GPU_CALL,
    JSA_GPU_KINDS
};

// 64 bytes, in place of jsa_record.
struct jsa_gpu_record {
    uint64_t begin; // CLOCK_MONOTONIC nanoseconds. Of work on the GPU: as the hardware stamped it.
    uint64_t end;
    uint16_t kind;  // enum jsa_gpu_kind
    uint8_t detail; // COPY: CUpti_ActivityMemcpyKind.
    uint8_t reserved0;
    uint32_t thread;
    uint32_t device; // CUPTI's numbers.
    uint32_t context;
    uint32_t stream;
    uint32_t correlation; // The same in a submission and in all of its work; rises with the calls of a process.
    uint64_t bytes;
    uint64_t name; // KERNEL
    uint64_t reserved1;
};

#define JSA_GPU_TEXT_OFFSET 24u // Of `device`.
#define JSA_GPU_TEXT_BYTES 40u
#define JSA_GPU_NAME_BYTES 512u // Of longer names the beginning.

enum jsa_gpu_state_value { JSA_GPU_ABSENT, JSA_GPU_STARTING, JSA_GPU_RECORDING, JSA_GPU_REFUSED };

// What CUPTI was asked when it refused to start.
enum jsa_gpu_step {
    JSA_GPU_STEP_NONE,
    JSA_GPU_STEP_LOAD,   // `reason` is the dynamic linker's.
    JSA_GPU_STEP_SYMBOL, // `reason` is the missing function.
    JSA_GPU_STEP_VERSION,
    JSA_GPU_STEP_CLOCK,
    JSA_GPU_STEP_BUFFERS,
    JSA_GPU_STEP_KERNELS // No kernels; then nothing is recorded.
};

// In the header of the ring. The counts are in jsa_ring.counts by enum jsa_gpu_kind: what CUPTI delivered, whether or
// not there was room for a record.
struct jsa_gpu_state {
    uint32_t state;                  // enum jsa_gpu_state_value
    uint32_t step;                   // enum jsa_gpu_step
    int32_t code;                    // CUptiResult of the step.
    uint32_t version;                // Of cuptiGetVersion.
    int32_t refusals[JSA_GPU_KINDS]; // CUptiResult of enabling each kind; 0: it is recorded.
    uint32_t reserved;
    uint64_t dropped;    // Records that CUPTI dropped for want of a buffer.
    uint64_t no_buffer;  // Requests for a buffer that were refused, because all were in use.
    uint64_t untimed;    // Start or end is 0: CUPTI could not determine it. No record.
    uint64_t negative;   // Ends before it starts. No record.
    uint64_t unknown;    // Of kinds that were not asked for. No record.
    uint64_t damaged;    // Buffers that ended inside a record.
    uint64_t flushed_ns; // When the last flush began that has returned.
    uint64_t flush_ns;   // Spent in flushes,
    uint64_t flushes;    // by a thread of the library.
    char reason[160];
};
