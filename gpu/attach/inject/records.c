// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "inject.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

// CUPTI asks for a buffer on the thread that launches, and keeps it until all work in it has completed: large enough
// that it asks rarely, small enough that buffers come back. The first ones have their pages before the program
// launches.
enum { kBufferBytes = 256 * 1024, kBuffers = 128, kReadyBuffers = 4 };
static struct {
    uint8_t *memory; // Mapped at first use, never given back.
    uint32_t taken;
} s_buffers[kBuffers];
static uint32_t s_held;
static int s_zeroed; // CUPTI does not clear buffers itself.
static pthread_mutex_t s_decoding = PTHREAD_MUTEX_INITIALIZER;
static pid_t s_process; // Another one after fork, where CUPTI's threads do not exist.

static void *map_buffer(int flags)
{
    void *const memory = mmap(NULL, kBufferBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void jsi_begin_records(void)
{
    s_process = getpid();
    for (int i = 0; i < kReadyBuffers; ++i)
        s_buffers[i].memory = map_buffer(MAP_POPULATE);
}

void jsi_zero_buffers(void)
{
    s_zeroed = 1;
}

uint64_t jsi_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

int jsi_has_buffers(void)
{
    return __atomic_load_n(&s_held, __ATOMIC_RELAXED) != 0;
}

static void add(uint64_t *count, uint64_t more)
{
    __atomic_fetch_add(count, more, __ATOMIC_RELAXED);
}

// On any thread, also on one of the program that launches work: without a lock.
void jsi_buffer_requested(uint8_t **buffer, size_t *size, size_t *most_records)
{
    const int saved = errno;
    *most_records = 0; // As many as fit.
    *buffer = NULL;
    *size = 0;
    for (int i = 0; i < kBuffers; ++i) {
        uint32_t no = 0;
        if (__atomic_load_n(&s_buffers[i].taken, __ATOMIC_RELAXED) != 0
            || !__atomic_compare_exchange_n(&s_buffers[i].taken, &no, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            continue;
        if (!s_buffers[i].memory) {
            void *const memory = map_buffer(0);
            if (!memory) {
                __atomic_store_n(&s_buffers[i].taken, 0, __ATOMIC_RELEASE);
                break;
            }
            s_buffers[i].memory = memory;
        }
        __atomic_fetch_add(&s_held, 1, __ATOMIC_RELAXED);
        *buffer = s_buffers[i].memory;
        *size = kBufferBytes;
        errno = saved;
        return;
    }
    if (jsi_ring)
        add(&jsi_ring->gpu.no_buffer, 1); // CUPTI drops the record and counts it.
    errno = saved;
}

static void release(uint8_t *buffer)
{
    for (int i = 0; i < kBuffers; ++i)
        if (s_buffers[i].memory == buffer && __atomic_load_n(&s_buffers[i].taken, __ATOMIC_RELAXED) != 0) {
            if (s_zeroed)
                memset(buffer, 0, kBufferBytes);
            __atomic_fetch_sub(&s_held, 1, __ATOMIC_RELAXED);
            __atomic_store_n(&s_buffers[i].taken, 0, __ATOMIC_RELEASE);
            return;
        }
}

// --- decoding, under the lock

static void count(enum jsa_gpu_kind kind)
{
    uint64_t *const counted = &jsi_ring->counts[kind];
    __atomic_store_n(counted, *counted + 1, __ATOMIC_RELAXED);
}

// Counts a piece of work and returns its record, or null if there is none to write.
static struct jsa_gpu_record *timed(enum jsa_gpu_kind kind, uint64_t begin, uint64_t end)
{
    count(kind);
    if (begin == 0 || end == 0 || end < begin) {
        add(begin == 0 || end == 0 ? &jsi_ring->gpu.untimed : &jsi_ring->gpu.negative, 1);
        return NULL;
    }
    struct jsa_gpu_record *const record = jsi_next_record();
    if (!record)
        return NULL;
    memset(record, 0, sizeof *record);
    record->begin = begin;
    record->end = end;
    record->kind = (uint16_t)kind;
    return record;
}

#define PLACE(record, from)                                                                                            \
    ((record)->device = (from)->deviceId, (record)->context = (from)->contextId, (record)->stream = (from)->streamId,  \
     (record)->correlation = (from)->correlationId)

static void decode_kernel(const struct jsc_kernel_record *from)
{
    const uint64_t name = jsi_name(from->name); // Its records come before.
    struct jsa_gpu_record *const record = timed(JSA_GPU_KERNEL, from->start, from->end);
    if (!record)
        return;
    PLACE(record, from);
    record->name = name;
    jsi_publish();
}

static void decode_copy(const struct jsc_memcpy_record *from)
{
    struct jsa_gpu_record *const record = timed(JSA_GPU_COPY, from->start, from->end);
    if (!record)
        return;
    PLACE(record, from);
    record->detail = from->copyKind;
    record->bytes = from->bytes;
    jsi_publish();
}

static void decode_set(const struct jsc_memset_record *from)
{
    struct jsa_gpu_record *const record = timed(JSA_GPU_SET, from->start, from->end);
    if (!record)
        return;
    PLACE(record, from);
    record->bytes = from->bytes;
    jsi_publish();
}

static void decode_call(const struct jsc_call_record *from)
{
    struct jsa_gpu_record *const record = timed(JSA_GPU_CALL, from->start, from->end);
    if (!record)
        return;
    record->thread = from->threadId;
    record->correlation = from->correlationId;
    jsi_publish();
}

// False if the valid bytes end inside the record. Only the leading fields are read, which all releases share.
static int decode_record(const uint8_t *at, size_t left)
{
    union {
        uint32_t kind;
        struct jsc_kernel_record kernel;
        struct jsc_memcpy_record copy;
        struct jsc_memset_record set;
        struct jsc_call_record call;
    } record;
    if (left < sizeof record.kind)
        return 0;
    memcpy(&record.kind, at, sizeof record.kind);
#define DECODE(number, member, function)                                                                               \
    case number:                                                                                                       \
        if (left < sizeof record.member)                                                                               \
            return 0;                                                                                                  \
        memcpy(&record.member, at, sizeof record.member);                                                              \
        function(&record.member);                                                                                      \
        return 1;
    switch (record.kind) {
        DECODE(JSC_KIND_CONCURRENT_KERNEL, kernel, decode_kernel)
        DECODE(JSC_KIND_MEMCPY, copy, decode_copy)
        DECODE(JSC_KIND_MEMSET, set, decode_set)
        DECODE(JSC_KIND_DRIVER, call, decode_call)
        DECODE(JSC_KIND_RUNTIME, call, decode_call)
    default:
        add(&jsi_ring->gpu.unknown, 1);
        return 1;
    }
#undef DECODE
}

static void decode(uint8_t *buffer, size_t bytes)
{
    const uint8_t *before = NULL;
    void *next = NULL;
    int code;
    while ((code = jsi_cupti.next_record(buffer, bytes, &next)) == JSC_SUCCESS) {
        const uint8_t *const at = next;
        const int moved = before ? at > before : at >= buffer;
        if (!moved || at >= buffer + bytes || !decode_record(at, (size_t)(buffer + bytes - at)))
            break;
        before = at;
    }
    if (code != JSC_MAX_LIMIT_REACHED)
        add(&jsi_ring->gpu.damaged, 1);
}

// Mostly on CUPTI's own thread or this library's. If CUPTI returns a buffer on a thread of the program, that waits as
// long as another buffer is decoded, some 200 us.
void jsi_buffer_completed(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid_size)
{
    (void)context;
    (void)stream;
    if (!buffer)
        return;
    const int saved = errno;
    struct jsa_ring *const ring = jsi_ring;
    if (ring && getpid() == s_process && __atomic_load_n(&ring->owner, __ATOMIC_RELAXED) == jsi_owner) {
        pthread_mutex_lock(&s_decoding);
        size_t dropped = 0;
        if (jsi_cupti.dropped(NULL, 0, &dropped) == JSC_SUCCESS)
            add(&ring->gpu.dropped, dropped);
        const size_t bytes = valid_size < size ? valid_size : size;
        if (bytes > 0)
            decode(buffer, bytes < kBufferBytes ? bytes : kBufferBytes);
        pthread_mutex_unlock(&s_decoding);
    }
    release(buffer);
    errno = saved;
}
