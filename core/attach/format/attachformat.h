// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Shared memory between the library in an inspected program (gpu/attach/preload, C) and the collector (core/attach,
// C++). One memory file a session holds a header and rings; each thread of each process writes one ring, the collector
// reads all. Integers have the machine's byte order, because both sides run on one machine.
//
// The inspected program can write everything in this file. The collector therefore copies the layout from its own
// header only, masks every index and checks every number that it reads.

#include "core/attach/format/attachgpuformat.h"

#include <stdint.h>

#define JSA_MAGIC UINT64_C(0x6863617474612d6a) // "j-attach"
#define JSA_VERSION 12u

#define JSA_RINGS 512u // Threads recorded at the same time.
// A power of two: 650 ms of a thread that makes 100,000 calls a second. Pages are taken when they are first written, so
// a thread that makes few calls needs few.
#define JSA_RING_RECORDS 65536u
#define JSA_MOST_CALLS 256u // Of the table in attachcalls.h.
#define JSA_NAME_BYTES 16u  // Names of threads and processes as the kernel keeps them, with the final 0.
#define JSA_ARGUMENTS 5u
#define JSA_TEXT_BYTES 40u      // Text in one record of JSA_CALL_TEXT, data in one of JSA_CALL_DATA.
#define JSA_MOST_OPERATIONS 16u // Of a cuStreamBatchMemOp, a record of data each; a copy in rows has one.
// Of the stack, in records of JSA_CALL_STACK: where it goes on after the library's own function, the stack and frame
// pointers there, and words from the stack pointer on. A few calls have one, so that it is known what calls a runtime.
#define JSA_STACK_HEAD 3u
#define JSA_STACK_WORDS 256u

// The environment variable that says where the memory file is: "TOKEN:PATH". A path instead of a descriptor, so that
// the program finds its descriptors as without Jetscope and may close all of them. The token is that of jsa_session.
#define JSA_VARIABLE "JETSCOPE_ATTACH"
#define JSA_TOKEN_BYTES 16u
// The one with the path of the libcupti to use; it was tried in another process.
#define JSA_CUPTI_VARIABLE "JETSCOPE_CUPTI"

// What the times of records are.
enum jsa_clock {
    JSA_CLOCK_MONOTONIC = 0, // Nanoseconds of CLOCK_MONOTONIC.
    JSA_CLOCK_COUNTER = 1,   // Counts of the CPU's invariant counter (core/time/cpucounter.h).
};

// Bits of jsa_session.options.
#define JSA_OPTION_NO_CHILDREN 1u // Programs that the first one starts are not recorded.
#define JSA_OPTION_WATCH_READS 2u // The CPU's accesses to results of asynchronous copies are watched.

// In place of an errno: the kernel agreed to a watch that then saw no access.
enum { JSA_WATCH_SEES_NOTHING = 1 << 16 };

// At offset 0. Written by the collector before the program starts, except where noted.
struct jsa_session {
    uint64_t magic;
    uint32_t version;
    uint32_t clock; // enum jsa_clock
    uint32_t options;
    uint32_t quiet;           // The collector sets 1 to stop recording; calls then only pass through.
    uint32_t next_owner;      // Atomic counter for jsa_ring.owner; written by the program.
    uint32_t rings_used;      // 1 + the highest index of a ring ever taken; written by the program.
    uint32_t threads_refused; // Threads that found no free ring; written by the program.
    uint32_t rescans;         // Relocation tables patched in libraries that avoid preloading; written by the program.
    uint32_t record_cost;     // Time to record one call, measured at the program's start, in thousandths of a unit of
                              // the clock; written by the program.
    uint32_t unhooked;        // How often a function could not be hooked, for lack of a variant or of a version in the
                              // table; written by the program.
    uint32_t watches;         // Results that were watched, with JSA_OPTION_WATCH_READS; written by the program.
    uint32_t watches_refused; // Those that the kernel would not watch; written by the program.
    uint32_t watch_error;     // errno of the newest refusal, or JSA_WATCH_SEES_NOTHING; written by the program.
    uint32_t reserved;
    char token[JSA_TOKEN_BYTES];     // As in JSA_VARIABLE: another session may have its file under the same path later.
    uint64_t counts[JSA_MOST_CALLS]; // Atomic: calls of threads that found no free ring; written by the program.
};

// One call of a function. 64 bytes.
struct jsa_record {
    uint64_t begin; // Before the call, in jsa_session.clock.
    uint64_t end;   // After the call.
    uint16_t call;  // enum jsa_call
    uint16_t flags; // JSA_FLAG_*
    union {
        uint32_t lost;       // Calls of this thread directly before this record that have no record.
        uint32_t submission; // With JSA_FLAG_SUBMISSION, of a call behind which none was lost: CUPTI's correlation id.
    };
    uint64_t argument[JSA_ARGUMENTS]; // By call: see the table in attachcalls.h; the last is the caller's address.
};

#define JSA_FLAG_FAILED 1u     // The function reported an error.
#define JSA_FLAG_PER_THREAD 2u // Stream 0 is the thread's own default stream.
#define JSA_FLAG_SUBMISSION 4u // jsa_record.submission is valid.
#define JSA_CODE_SHIFT 4u // Of a call of CUDA that failed, the bits from here on are the error, which is below 1000.
#define JSA_CODE_MASK 0xfffu

enum jsa_ring_kind {
    JSA_RING_THREAD, // Holds struct jsa_record.
    JSA_RING_GPU,    // Holds struct jsa_gpu_record of the whole process; `tid` is its first thread.
    JSA_RING_MAPS    // Holds `head` bytes of /proc/self/maps from the start of a program; ready once whole.
};

// At JSA_RING_OFFSET(i). The records follow at JSA_RING_HEADER_BYTES.
struct jsa_ring {
    uint32_t owner; // Unique number of the writing thread; 0: free. Set by the program, cleared by the collector.
    uint32_t ready; // 1 when the fields below are valid.
    int32_t pid;
    int32_t tid;
    char thread_name[JSA_NAME_BYTES];
    char process_name[JSA_NAME_BYTES];
    uint32_t kind;          // enum jsa_ring_kind
    uint32_t pid_namespace; // In which pid and tid count: the inode of /proc/self/ns/pid; 0: not known.
    uint8_t reserved0[8];
    // Written by the program with each record.
    uint64_t head;       // Records ever written.
    uint64_t lost;       // Calls that have no record because the ring was full.
    uint64_t open_begin; // Start of the call in progress, valid while open_call is not 0.
    uint32_t open_call;  // enum jsa_call of the call in progress, or 0.
    uint8_t reserved1[36];
    // Written by the collector.
    uint64_t tail; // Records ever read.
    uint8_t reserved2[56];
    // Calls that ended, by enum jsa_call, whether or not they have a record; written by the program. Of functions that
    // are recorded, the sum is that of the records and of `lost`.
    uint64_t counts[JSA_MOST_CALLS];
    struct jsa_gpu_state gpu; // Of JSA_RING_GPU.
};

#define JSA_SESSION_BYTES 4096u
#define JSA_RING_HEADER_BYTES 4096u
#define JSA_RING_BYTES (JSA_RING_HEADER_BYTES + JSA_RING_RECORDS * 64u)
#define JSA_RING_OFFSET(i) ((uint64_t)JSA_SESSION_BYTES + (uint64_t)(i)*JSA_RING_BYTES)
#define JSA_FILE_BYTES JSA_RING_OFFSET(JSA_RINGS)
