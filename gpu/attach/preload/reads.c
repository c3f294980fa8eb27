// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "preload.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// The thread that submits a copy to the host watches the first bytes of the result by a debug register of the
// processor, of which there are four. The kernel keeps the first access in a page that is mapped here, and then ends
// the watch, so that a program that polls its result is interrupted once. The mapping keeps the watch, so that the
// descriptor is closed at once. Whether the access came before a wait is for the collector to judge, which knows the
// waits of all threads: an access is reported at the thread's next call, with the time from which it was watched. What
// is accessed within a call is the driver's.

enum { kWatches = 4, kMostBytes = 8 };

struct watch {
    struct perf_event_mmap_page *head; // Null: none. The accesses are in the page behind it.
    uint32_t copy;                     // enum jsa_call
    uint64_t address;
    uint64_t since;
};
// Of a thread. What a process has mapped of the kernel's pages, its child after fork has not.
struct watches {
    uint32_t generation;
    uint32_t next;
    struct watch watch[kWatches];
};
static __thread struct watches s_watches __attribute__((tls_model("initial-exec")));
static pthread_key_t s_key;
static uint64_t s_page;

static void end_watch(struct watch *watch)
{
    if (watch->head)
        munmap(watch->head, 2 * s_page);
    watch->head = NULL;
}

static void end_thread(void *context)
{
    struct watches *const watches = context;
    jsa_self.watches = 0;
    for (int i = 0; i < kWatches && watches->generation == *jsa_generation; ++i)
        end_watch(&watches->watch[i]);
}

void jsa_prepare_reads(void)
{
    s_page = pthread_key_create(&s_key, end_thread) == 0 ? (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

// Null with errno if the kernel refuses. A processor watches aligned bytes only.
static void *begin_watch(uint64_t address)
{
    const uint64_t aligned = address & (0 - address);
    struct perf_event_attr wanted = {.type = PERF_TYPE_BREAKPOINT,
                                     .size = sizeof wanted,
                                     .sample_period = 1,
                                     .sample_type = PERF_SAMPLE_IP,
                                     .disabled = 1,
                                     .exclude_kernel = 1,
                                     .exclude_hv = 1,
                                     .bp_type = HW_BREAKPOINT_RW, // x86-64 has no watch of reads alone.
                                     .bp_addr = address,
                                     .bp_len = aligned < kMostBytes ? aligned : kMostBytes};
    const int file = (int)syscall(SYS_perf_event_open, &wanted, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (file < 0)
        return NULL;
    void *head = mmap(NULL, 2 * s_page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (head != MAP_FAILED && ioctl(file, PERF_EVENT_IOC_REFRESH, 1) != 0) {
        const int refused = errno;
        munmap(head, 2 * s_page);
        head = MAP_FAILED;
        errno = refused;
    }
    const int refused = errno;
    syscall(SYS_close, file); // close() is a cancellation point.
    errno = refused;
    return head != MAP_FAILED ? head : NULL;
}

// Where the program goes on after the access, if there was one; ends the watch then.
static uint64_t take_access(struct watch *watch)
{
    if (!watch->head || __atomic_load_n(&watch->head->data_head, __ATOMIC_ACQUIRE) == 0)
        return 0;
    const struct {
        struct perf_event_header header;
        uint64_t place;
    } *const access = (const void *)((const char *)watch->head + s_page);
    const uint64_t place = access->header.type == PERF_RECORD_SAMPLE ? access->place + JSA_BEHIND_ACCESS : 0;
    end_watch(watch);
    return place;
}

// Whether a watch sees an access, tried once: there are virtual machines whose kernel agrees to watches that never see
// anything. Else false with errno.
static int sees_accesses(void)
{
    enum { kUntried, kNo, kYes };
    static uint32_t s_known = kUntried;
    static volatile uint64_t s_tried;
    uint32_t known = __atomic_load_n(&s_known, __ATOMIC_RELAXED);
    if (known == kUntried) {
        struct watch watch = {begin_watch((uintptr_t)&s_tried), 0, 0, 0};
        if (!watch.head)
            return 0;
        s_tried = s_tried + 1;
        known = take_access(&watch) != 0 ? kYes : kNo;
        end_watch(&watch);
        __atomic_store_n(&s_known, known, __ATOMIC_RELAXED);
    }
    errno = JSA_WATCH_SEES_NOTHING;
    return known == kYes;
}

void jsa_watch_result(uint32_t copy, uint64_t address)
{
    struct jsa_thread *const self = &jsa_self;
    struct watches *const watches = &s_watches;
    if ((jsa_session->options & JSA_OPTION_WATCH_READS) == 0 || !self->ring || address == 0 || s_page == 0)
        return;
    const int saved = errno;
    if (watches->generation != *jsa_generation)
        *watches = (struct watches){.generation = *jsa_generation};
    uint32_t place = 0;
    while (place < kWatches && (!watches->watch[place].head || watches->watch[place].address != address))
        ++place;
    if (place == kWatches) // The oldest one ends.
        place = watches->next++ % kWatches;
    struct watch *const watch = &watches->watch[place];
    end_watch(watch);
    *watch = (struct watch){sees_accesses() ? begin_watch(address) : NULL, copy, address, jsa_now()};
    if (!watch->head)
        __atomic_store_n(&jsa_session->watch_error, (uint32_t)errno, __ATOMIC_RELAXED);
    __atomic_fetch_add(watch->head ? &jsa_session->watches : &jsa_session->watches_refused, 1, __ATOMIC_RELAXED);
    self->watches = self->watches || watch->head;
    pthread_setspecific(s_key, watches);
    errno = saved;
}

__attribute__((noinline)) void jsa_take_reads(uintptr_t frame)
{
    const int saved = errno;
    struct watches *const watches = &s_watches;
    jsa_self.watches = 0;
    uint32_t left = 0;
    for (int i = 0; i < kWatches; ++i) {
        struct watch *const watch = &watches->watch[i];
        const uint64_t place = take_access(watch);
        left |= watch->head != NULL;
        const uint64_t begin = place != 0 && frame != 0 ? jsa_enter(JSA_CALL_READ, frame) : 0;
        const uint64_t argument[JSA_ARGUMENTS] = {watch->address, watch->copy, 0, 0, place};
        if (begin != 0)
            jsa_finish(JSA_CALL_READ, 0, watch->since, argument);
    }
    jsa_self.watches = left;
    errno = saved;
}
