// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Inside of the library that Jetscope loads into an inspected program. All of it runs on the program's threads, also in
// signal handlers and after fork: nothing on the way of a call allocates, locks, prints, makes a system call or changes
// errno. Setting up a ring for a thread makes a few system calls, once.

#include "core/attach/attachcalls.h"
#include "core/attach/attachformat.h"
#include "ticks.h"

#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define JSA_HIDDEN __attribute__((visibility("hidden")))
#define JSA_LIKELY(x) __builtin_expect(!!(x), 1)

// Several libraries of a process may have a function of the same name. Each gets a hook of its own that calls this one.
// Variant 0 is the symbol that the library exports; it calls what the program would have found without it.
#define JSA_VARIANTS 3

struct jsa_thread {
    struct jsa_ring *ring; // Null: calls of this thread are not recorded.
    struct jsa_record *records;
    uint64_t tail_seen;  // The collector's last known place.
    uintptr_t frame;     // Stack address of the recorded call in progress; 0: none.
    uint32_t owner;      // As in the ring while it is this thread's.
    uint32_t nested;     // Calls inside of it so far.
    uint32_t generation; // Of the process that this was set up for; differs after fork.
    uint32_t lost;       // Since the last record.
    uint32_t draws;      // Since the last swap.
    uint32_t refused;    // 1: there was no free ring, so calls are counted in the session only.
};

// Of a thread that is not set up: never a process's generation, and not what the kernel leaves after fork.
#define JSA_NO_GENERATION UINT32_MAX
// So many calls inside of one call are taken for calls after it, because it was left by longjmp or an exception.
#define JSA_MOST_NESTED 32u

extern JSA_HIDDEN __thread struct jsa_thread jsa_self __attribute__((tls_model("initial-exec")));
// The process's generation, never 0; the kernel clears it in a child after fork.
extern JSA_HIDDEN uint32_t *jsa_generation;
extern JSA_HIDDEN struct jsa_session *jsa_session; // Never null; without a collector all zero and quiet.
extern JSA_HIDDEN uint32_t jsa_clock;

// --- session.c

// Sets up this thread's ring; after fork, the process's. Keeps errno.
JSA_HIDDEN void jsa_begin_thread(void);
// Begins a recorded call; 0 if the call is not recorded. `frame` is the stack address of the hook.
JSA_HIDDEN uint64_t jsa_enter(uint32_t call, uintptr_t frame);
// Ends the call that jsa_enter began, counts it and writes its record.
JSA_HIDDEN void jsa_finish(uint32_t call, uint32_t flags, uint64_t begin, const uint64_t argument[JSA_ARGUMENTS]);
// Writes text, up to 160 bytes, as records before the next one. Only between jsa_enter and jsa_finish.
JSA_HIDDEN void jsa_write_text(const char *text);
// The same for data of the next record.
JSA_HIDDEN void jsa_write_data(const uint64_t data[JSA_ARGUMENTS]);
// Counts a call of a thread without a ring.
JSA_HIDDEN void jsa_count_refused(uint32_t call);
// The CPU's cost of one record in thousandths of a unit of the clock. Called once, before any thread records.
JSA_HIDDEN uint32_t jsa_measure_cost(void);

// --- wrap.c

extern JSA_HIDDEN void *jsa_real[JSA_CALL_COUNT][JSA_VARIANTS];
extern JSA_HIDDEN uint8_t jsa_flags[JSA_CALL_COUNT][JSA_VARIANTS]; // JSA_FLAG_PER_THREAD
extern JSA_HIDDEN const char *const jsa_names[JSA_CALL_COUNT];

// The number of a function in the table, or 0.
JSA_HIDDEN uint32_t jsa_find(const char *name);
// The same for a name without "_v2", as cuGetProcAddress takes it.
JSA_HIDDEN uint32_t jsa_find_cuda(const char *name);
// The hook that calls `real`, or `real` itself if there is none left.
JSA_HIDDEN void *jsa_wrap(uint32_t call, void *real, uint32_t flags);
// The same for an address that `from` returned, which may be the exported hook: a library that names its own functions
// gets this library's.
JSA_HIDDEN void *jsa_wrap_from(uint32_t call, const void *from, void *real, uint32_t flags);
// What the exported hook calls, found at its first call by `caller`; null if there is none.
JSA_HIDDEN void *jsa_resolve(uint32_t call, void *caller);
// glibc's dlsym; null if it cannot be found.
extern JSA_HIDDEN void *(*jsa_real_dlsym)(void *handle, const char *name);
JSA_HIDDEN void jsa_find_dlsym(void);
// Whether an object is a GL, EGL or CUDA driver, whose own calls are left alone.
JSA_HIDDEN int jsa_is_driver(const char *object);

struct jsa_answer {
    uint64_t given;
    void *address;
};
// What dlsym answers; with given = 0, glibc's dlsym answers.
JSA_HIDDEN struct jsa_answer jsa_answer_dlsym(void *handle, const char *name, void *caller);

// --- lookup.c

// The function's address in the object around `place` or in the libraries that it was linked to, or null.
JSA_HIDDEN void *jsa_lookup_near(const void *place, const char *name);

// --- rescan.c

// Patches calls of libraries that were loaded with RTLD_DEEPBIND, which the exported symbols do not reach. Cheap while
// no library was added. Keeps errno.
JSA_HIDDEN void jsa_rescan(void);

// --- hooks.c

extern JSA_HIDDEN void *const jsa_hooks[JSA_CALL_COUNT][JSA_VARIANTS];

static inline uint64_t jsa_now(void)
{
    if (JSA_LIKELY(jsa_clock == JSA_CLOCK_COUNTER))
        return jsa_ticks();
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
