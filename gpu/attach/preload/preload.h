// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Inside of the library that Jetscope loads into an inspected program. All of it runs on the program's threads, also in
// signal handlers and after fork: nothing on the way of a call allocates, locks, prints, makes a system call or changes
// errno. Setting up a ring for a thread makes a few system calls, once.

#include "core/attach/format/attachcalls.h"
#include "core/attach/format/attachformat.h"
#include "perthread.h"
#include "ticks.h"

#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define JSA_HIDDEN __attribute__((visibility("hidden")))
#define JSA_LIKELY(x) __builtin_expect(!!(x), 1)

// Several libraries of a process may have a function of the same name. Each gets a hook of its own that calls this one.
// Variant 0 is the symbol that the library exports; it calls what the program would have found without it. So does the
// last variant for the name with the ending of perthread.h.
#define JSA_VARIANTS 4
#define JSA_PER_THREAD_VARIANT 3

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
    uint32_t wants_draw; // Bits of JSA_EACH_DRAW: the next draw of such a kind gets a record.
    uint32_t refused;    // 1: there was no free ring, so calls are counted in the session only.
    uint32_t watches;    // Not 0: reads of results are watched (reads.c).
    uint32_t to_host;    // The copy in rows whose arguments were read last goes to the host.
    uint32_t submission; // CUPTI's id of what the recorded call in progress submits; 0: none so far.
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
// The same for data of the next record: `call` is JSA_CALL_DATA or JSA_CALL_STACK. 0 if there is no place for it.
JSA_HIDDEN int jsa_write_part(uint32_t call, const uint64_t data[JSA_ARGUMENTS]);
static inline void jsa_write_data(const uint64_t data[JSA_ARGUMENTS])
{
    jsa_write_part(JSA_CALL_DATA, data);
}
// Writes that something is drawn: there may be thousands of draws between two calls that are recorded.
// `kind`: one bit of JSA_EACH_DRAW.
JSA_HIDDEN void jsa_record_draw(uint32_t call, uint32_t kind, uint64_t site, uintptr_t frame);
#define JSA_EACH_DRAW 15u
// JSA_EACH_DRAW once contexts of GL share objects: only then does it matter which of them uses what.
extern JSA_HIDDEN uint32_t jsa_shares;
// Counts a call of a thread without a ring.
JSA_HIDDEN void jsa_count_refused(uint32_t call);
// The CPU's cost of one record in thousandths of a unit of the clock. Called once, before any thread records.
JSA_HIDDEN uint32_t jsa_measure_cost(void);

// --- stacks.c

// Writes the stack of the caller, as far as that can be read for certain. Only between jsa_enter and jsa_finish.
JSA_HIDDEN void jsa_write_stack(void);
// The first calls of a function on a thread have one, then one of 32, and later one of 512, at distances that no loop
// of the program has.
static inline int jsa_has_stack(uint32_t call)
{
    const struct jsa_ring *const ring = jsa_self.ring;
    if (!ring)
        return 0;
    const uint32_t made = (uint32_t)ring->counts[call];
    return made < 8 || made * UINT32_C(2654435761) < UINT32_MAX / (made < 4096 ? 32 : 512);
}

// --- reads.c

// By the library's constructor.
JSA_HIDDEN void jsa_prepare_reads(void);
// Watches the first bytes that a copy brings, if that is wanted. Only between jsa_enter and jsa_finish. Keeps errno.
JSA_HIDDEN void jsa_watch_result(uint32_t copy, uint64_t address);
// Records what was accessed since the last call, or forgets it if `frame` is 0. Keeps errno.
JSA_HIDDEN void jsa_take_reads(uintptr_t frame);

// --- rings.c

// Maps the head of the session's file, which stays mapped, and prepares the mapping of rings; null if it is not
// possible.
JSA_HIDDEN struct jsa_session *jsa_map_session(int file);
JSA_HIDDEN void jsa_unmap_session(void);
// A free ring, which is the caller's from now on; null if there is none or if it cannot be mapped.
JSA_HIDDEN struct jsa_ring *jsa_take_ring(uint32_t owner);

// --- wrap.c

extern JSA_HIDDEN void *jsa_real[JSA_CALL_COUNT][JSA_VARIANTS];
extern JSA_HIDDEN uint8_t jsa_flags[JSA_CALL_COUNT][JSA_VARIANTS]; // JSA_FLAG_PER_THREAD

// The hook that calls `real`, or `real` itself if there is none left.
JSA_HIDDEN void *jsa_wrap(uint32_t call, void *real, uint32_t flags);
// The same for an address that `from` returned, which may be the exported hook: a library that names its own functions
// gets this library's.
JSA_HIDDEN void *jsa_wrap_from(uint32_t call, const void *from, void *real, uint32_t flags);
// The number of the function that cuGetProcAddress gave for a name, which has no "_v2", or 0; a version that the table
// does not have is counted as not hooked. `flags` as in jsa_find.
JSA_HIDDEN uint32_t jsa_find_cuda(const char *name, const void *function, uint32_t *flags);
// What an exported hook calls, found at its first call by `caller`; null if there is none.
JSA_HIDDEN void *jsa_resolve(uint32_t call, uint32_t variant, void *caller);
// Forgets the functions of libraries that were unloaded.
JSA_HIDDEN void jsa_forget_unloaded(void);
// glibc's dlsym; null if it cannot be found.
extern JSA_HIDDEN void *(*jsa_real_dlsym)(void *handle, const char *name);
// glibc's dlclose, or the one of another library that is preloaded.
extern JSA_HIDDEN int (*jsa_real_dlclose)(void *handle);
JSA_HIDDEN void jsa_find_dlsym(void);
// Whether an object is a GL, EGL or CUDA driver, whose own calls are left alone.
JSA_HIDDEN int jsa_is_driver(const char *object);

struct jsa_answer {
    uint64_t given;
    void *address;
};
// What dlsym answers; with given = 0, glibc's dlsym answers.
JSA_HIDDEN struct jsa_answer jsa_answer_dlsym(void *handle, const char *name, void *caller);

// --- names.c

#define JSA_NAME_PLACE 64

// The name of a function; with JSA_FLAG_PER_THREAD the one with an ending, if there is one.
JSA_HIDDEN const char *jsa_name(uint32_t call, uint32_t flags, char place[JSA_NAME_PLACE]);
// The number of a function in the table, or 0. `flags` becomes JSA_FLAG_PER_THREAD if the name has an ending.
JSA_HIDDEN uint32_t jsa_find(const char *name, uint32_t *flags);
extern JSA_HIDDEN uint64_t jsa_compared; // Names with which names were compared, for tests.

// --- copies.c

// A part of what cuMemcpy2D or cuMemcpy3D was given.
enum jsa_copied {
    JSA_COPIED_TO,   // The first byte that is written; 0: in a CUDA array.
    JSA_COPIED_FROM, // The first byte that is read, or 0.
    JSA_COPIED_BYTES // All of them; writes a record of data with the rows, see attachcalls.h.
};
JSA_HIDDEN uint64_t jsa_copied(const void *copy, int dimensions, enum jsa_copied part);

// --- objects.c

// Waits for a moment, without being a cancellation point. Keeps errno.
JSA_HIDDEN void jsa_pause(void);
struct dl_phdr_info;
// dl_iterate_phdr, which is not called otherwise. A child of fork is shown the same without the lock of that function,
// but 0 for dlpi_adds and dlpi_subs, until it has loaded or unloaded a library.
JSA_HIDDEN int jsa_iterate(int (*callback)(struct dl_phdr_info *info, size_t size, void *data), void *data);
// By the library's constructor.
JSA_HIDDEN void jsa_prepare_forks(void);
// Around the call of the real dlclose. Keep errno.
JSA_HIDDEN void jsa_begin_unloading(void);
JSA_HIDDEN void jsa_end_unloading(void);

// --- lookup.c

// The function's address in the object around `place` or in the libraries that it was linked to, or null.
JSA_HIDDEN void *jsa_lookup_near(const void *place, const char *name);
// The program's own function, or that of a library that is preloaded before this one, or null: what RTLD_DEFAULT finds
// instead of the exported hook.
JSA_HIDDEN void *jsa_lookup_earlier(const char *name);
// What RTLD_NEXT finds, if it is in a library that the program was started with, or null.
JSA_HIDDEN void *jsa_lookup_next(const char *name);
// Whether any library but this one has a function of that name at another address.
JSA_HIDDEN int jsa_has_other(const char *name, const void *known);
// By the library's constructor.
JSA_HIDDEN void jsa_count_at_start(void);
extern JSA_HIDDEN int jsa_at_start; // Objects.

// An address that this library keeps.
struct jsa_kept {
    void *address;
    uint32_t slot;
    uint32_t held; // A loaded library has code there.
};
// Sets `held` where it is true.
JSA_HIDDEN void jsa_find_held(struct jsa_kept *kept, uint32_t count);

// --- rescan.c

// Libraries that were ever loaded, and that were ever unloaded.
struct jsa_loads {
    uint64_t adds, subs;
};
JSA_HIDDEN struct jsa_loads jsa_count_loads(void);
// After a dlclose; `before` are the counts before it. Forgets what was unloaded.
JSA_HIDDEN void jsa_after_unload(struct jsa_loads before);
// In a child after fork: the thread that was scanning is gone.
JSA_HIDDEN void jsa_scan_anew(void);
extern JSA_HIDDEN uint64_t jsa_scanned; // Relocations that were looked at, for tests.

// Patches calls of libraries that were loaded with RTLD_DEEPBIND, which the exported symbols do not reach. Cheap while
// no library was added. `may_wait`: the program waits here for another thread that loads a library, also without
// Jetscope. Keeps errno.
JSA_HIDDEN void jsa_rescan(int may_wait);

// --- hooks.c

// A hook, or null if the function has no such variant.
JSA_HIDDEN void *jsa_hook(uint32_t call, uint32_t variant);

static inline uint64_t jsa_now(void)
{
    if (JSA_LIKELY(jsa_clock == JSA_CLOCK_COUNTER))
        return jsa_ticks();
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
