// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// hazards CUDA GL NAME good|bad FRAMES : a program that makes one mistake ("bad"), or its repaired twin ("good"). CUDA
// is the path of libcuda, GL that of a library with glTexSubImage2D and the like, or "-". Without a name it lists all.
// Exits with 77 if the libraries lack what it needs. Links against nothing, so that the same program runs with the real
// libraries.
#include "gpu/attach/jetscope_mark.h"
#include "hazardcalls.h"
#include "hazardsofgl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- orders

static void streams(void)
{
    CALL(cuMemcpyHtoDAsync_v2, s.device, s.pinned, kBytes, s.a);
    if (!s.bad) {
        CALL(cuEventRecord, s.event, s.a);
        CALL(cuStreamWaitEvent, s.b, s.event, 0);
    }
    CALL(cuMemcpyDtoHAsync_v2, s.pinned2, s.device, kBytes, s.b);
    wait_for(s.b);
    wait_for(s.a);
}
// The driver may lack these functions.
static void write_value(stream_t stream, uint32_t value)
{
    static int (*write)(stream_t, uint64_t, uint32_t, unsigned);
    if (!write && !(*(void **)&write = dlsym(s.cuda, "cuStreamWriteValue32_v2")))
        exit(77);
    CALL(write, stream, s.flag, value, 0);
}
static void wait_value(stream_t stream, uint32_t value)
{
    static int (*wait)(stream_t, uint64_t, uint32_t, unsigned);
    if (!wait && !(*(void **)&wait = dlsym(s.cuda, "cuStreamWaitValue32_v2")))
        exit(77);
    CALL(wait, stream, s.flag, value, 0); // At least.
}
// The mistake: the value of the frame before is already there.
static void values(void)
{
    const uint32_t value = (uint32_t)s.frame + 1;
    CALL(cuMemcpyHtoDAsync_v2, s.device, s.pinned, kBytes, s.a);
    write_value(s.a, value);
    wait_value(s.b, s.bad ? value - 1 : value);
    CALL(cuMemcpyDtoHAsync_v2, s.pinned2, s.device, kBytes, s.b);
    wait_for(s.b);
    wait_for(s.a);
}
// The stream that waits is told first.
static void values_early(void)
{
    const uint32_t value = (uint32_t)s.frame + 1;
    if (!s.bad)
        wait_value(s.b, value);
    CALL(cuMemcpyDtoHAsync_v2, s.pinned2, s.device, kBytes, s.b);
    CALL(cuMemcpyHtoDAsync_v2, s.device, s.pinned, kBytes, s.a);
    write_value(s.a, value);
    wait_for(s.b);
    wait_for(s.a);
}
static void values_batch(void)
{
    static int (*batch)(stream_t, unsigned, const uint64_t *, unsigned);
    if (!batch && !(*(void **)&batch = dlsym(s.cuda, "cuStreamBatchMemOp_v2")))
        exit(77);
    const uint64_t value = (uint64_t)s.frame + 1;
    const uint64_t writes[2][6] = {{5, s.flag + 8, value, 0}, {5, s.flag, value, 0}}; // 64 bits.
    const uint64_t waits[1][6] = {{4, s.flag, value, 1}};                             // Equal.
    CALL(cuMemcpyHtoDAsync_v2, s.device, s.pinned, kBytes, s.a);
    CALL(batch, s.a, 2, writes[0], 0);
    if (!s.bad)
        CALL(batch, s.b, 1, waits[0], 0);
    CALL(cuMemcpyDtoHAsync_v2, s.pinned2, s.device, kBytes, s.b);
    wait_for(s.b);
    wait_for(s.a);
}
static void read_early(void)
{
    if (!now())
        return;
    CALL(cuMemcpyDtoHAsync_v2, s.pinned, s.device, kBytes, s.a);
    if (!s.bad)
        wait_for(s.a);
    read_by_gl(s.pinned);
    wait_for(s.a);
}
// Another thread waits for the copy and hands it over by a condition variable. The mistake: it does so before it waits.
static struct {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int handed, read;
} s_hand = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0};

static void set_state(int *state)
{
    pthread_mutex_lock(&s_hand.mutex);
    *state = 1;
    pthread_cond_broadcast(&s_hand.changed);
    pthread_mutex_unlock(&s_hand.mutex);
}
static void await_state(const int *state)
{
    pthread_mutex_lock(&s_hand.mutex);
    while (!*state)
        pthread_cond_wait(&s_hand.changed, &s_hand.mutex);
    pthread_mutex_unlock(&s_hand.mutex);
}
static void *wait_and_hand_over(void *context)
{
    CALL(cuCtxSetCurrent, context);
    if (!s.bad)
        CALL(cuEventSynchronize, s.event);
    set_state(&s_hand.handed);
    await_state(&s_hand.read);
    if (s.bad)
        CALL(cuEventSynchronize, s.event);
    return NULL;
}
static void hand_over(void)
{
    pthread_t thread;
    if (!now())
        return;
    CALL(cuMemcpyDtoHAsync_v2, s.pinned, s.device, kBytes, s.a);
    CALL(cuEventRecord, s.event, s.a);
    s_hand.handed = s_hand.read = 0;
    check("pthread_create", pthread_create(&thread, NULL, wait_and_hand_over, s.context));
    await_state(&s_hand.handed);
    read_by_gl(s.pinned);
    set_state(&s_hand.read);
    pthread_join(thread, NULL);
    wait_for(s.a);
}
// A callback tells the CPU.
static void told(stream_t stream, int code, void *data)
{
    (void)stream;
    (void)code;
    __atomic_store_n((int *)data, 1, __ATOMIC_RELEASE);
}
static void callback(void)
{
    int is_complete = 0;
    if (!now())
        return;
    CALL(cuMemcpyDtoHAsync_v2, s.pinned, s.device, kBytes, s.a);
    if (!s.bad) {
        CALL(cuStreamAddCallback, s.a, told, &is_complete, 0);
        while (!__atomic_load_n(&is_complete, __ATOMIC_ACQUIRE))
            sched_yield();
    }
    read_by_gl(s.pinned);
    wait_for(s.a);
}
static void refill(void)
{
    if (!s.bad)
        wait_for(s.a);
    CALL(cuMemcpyHtoDAsync_v2, s.device, s.pinned, kBytes, s.a);
}

// --- rows of a picture of 128 x 32 bytes

enum { kPitch = 128, kHalf = 64, kPictureRows = 32 };

static void copy_half(size_t x, const void *from, stream_t stream)
{
    const uint64_t copy[] = {0,        0,           1,      (uint64_t)(uintptr_t)from,
                             0,        0,           kHalf, // CU_MEMORYTYPE_HOST
                             x,        0,           2,      0,
                             s.device, 0,           kPitch, // CU_MEMORYTYPE_DEVICE
                             kHalf,    kPictureRows};
    CALL(cuMemcpy2DAsync_v2, copy, stream);
}
// The repaired twin needs no order, because the halves have no byte in common.
static void halves(void)
{
    copy_half(0, s.pinned, s.a);
    copy_half(s.bad ? kHalf - 1 : kHalf, s.pinned2, s.b);
    wait_for(s.b);
    wait_for(s.a);
}
static void halves_set(void)
{
    copy_half(0, s.pinned, s.a);
    CALL(cuMemsetD2D8Async, s.device + (s.bad ? kHalf - 1 : kHalf), kPitch, 0, kHalf, kPictureRows, s.b);
    wait_for(s.b);
    wait_for(s.a);
}
static void half_refill(void)
{
    if (!s.bad)
        wait_for(s.a);
    copy_half(0, s.pinned, s.a);
}
static void half_pageable(void)
{
    copy_half(0, s.bad ? s.pageable : s.pinned, s.a);
    wait_for(s.a);
}

// --- ends

static void free_host(void)
{
    void *memory = NULL;
    if (!now())
        return;
    CALL(cuMemHostAlloc, &memory, kBytes, 0);
    CALL(cuMemcpyHtoDAsync_v2, s.device, memory, kBytes, s.a);
    if (!s.bad)
        wait_for(s.a);
    CALL(cuMemFreeHost, memory);
}
static void free_pool(void)
{
    uint64_t memory = 0;
    if (!now())
        return;
    CALL(cuMemAllocAsync, &memory, kBytes, s.a);
    CALL(cuMemcpyHtoDAsync_v2, memory, s.pinned, kBytes, s.a);
    if (!s.bad)
        wait_for(s.a);
    CALL(cuMemFree_v2, memory); // Which does not wait, as it does for other memory.
    wait_for(s.a);
}
// Sets of pinned memory block, but for asynchronous ones.
static void free_set(void)
{
    void *memory = NULL;
    if (!now())
        return;
    CALL(cuMemHostAlloc, &memory, kBytes, 0);
    if (s.bad)
        CALL(cuMemsetD8Async, (uint64_t)(uintptr_t)memory, 1, kBytes, s.a);
    else
        CALL(cuMemsetD8_v2, (uint64_t)(uintptr_t)memory, 1, kBytes);
    CALL(cuMemFreeHost, memory);
    wait_for(s.a);
}
// A blocking copy from pageable memory waits for its stream first: the default stream, and so for blocking ones.
static void free_staged(void)
{
    static stream_t blocking;
    void *memory = NULL;
    if (!blocking)
        CALL(cuStreamCreate, &blocking, 0);
    if (!now())
        return;
    CALL(cuMemHostAlloc, &memory, kBytes, 0);
    CALL(cuMemcpyHtoDAsync_v2, s.device, memory, kBytes, s.bad ? s.a : blocking);
    CALL(cuMemcpyHtoD_v2, s.device2, s.pageable, kBytes);
    CALL(cuMemFreeHost, memory);
    wait_for(s.a);
}
static void unregister(void)
{
    if (!now())
        return;
    CALL(cuMemHostRegister_v2, s.pageable, kBytes, 0);
    CALL(cuMemcpyHtoDAsync_v2, s.device, s.pageable, kBytes, s.a);
    if (!s.bad)
        wait_for(s.a);
    CALL(cuMemHostUnregister, s.pageable);
}
static void free_in_stream(void)
{
    uint64_t memory = 0;
    if (!now())
        return;
    CALL(cuMemAllocAsync, &memory, kBytes, s.a);
    CALL(cuMemcpyHtoDAsync_v2, memory, s.pinned, kBytes, s.a);
    if (!s.bad) {
        CALL(cuEventRecord, s.event, s.a);
        CALL(cuStreamWaitEvent, s.b, s.event, 0);
    }
    CALL(cuMemFreeAsync, memory, s.b);
    wait_for(s.b);
    wait_for(s.a);
}

// --- managed memory

static void managed_touch(void)
{
    launch(s.a);
    if (!s.bad)
        wait_for(s.a);
    if (now())
        read_by_gl((void *)(uintptr_t)s.managed);
    wait_for(s.a);
}
static void managed_new(void)
{
    uint64_t memory = 0;
    if (!now())
        return;
    launch(s.a);
    if (!s.bad)
        wait_for(s.a);
    CALL(cuMemAllocManaged, &memory, kBytes, 1);
    read_by_gl((void *)(uintptr_t)memory);
    wait_for(s.a);
}
static void managed_frames(void)
{
    launch(s.a);
    if (s.bad) {
        CALL(cuEventRecord, s.frame % 2 ? s.event : s.other, s.a);
        CALL(cuEventSynchronize, s.frame % 2 ? s.other : s.event);
    } else {
        wait_for(s.a);
    }
}
// The CPU uses the memory at the top of the frame.
static void managed_first(void)
{
    if (!s.bad)
        wait_for(s.a);
    launch(s.a);
}
static void attach_early(void)
{
    if (!now())
        return;
    CALL(cuStreamAttachMemAsync, s.a, s.managed, 0, 2);
    if (!s.bad)
        wait_for(s.a);
    read_by_gl((void *)(uintptr_t)s.managed);
    wait_for(s.a);
}
static void attach_part(void)
{
    if (now())
        cuStreamAttachMemAsync(s.a, s.managed, s.bad ? kBytes / 2 : 0, 2);
}
static void nothing(void *data)
{
    (void)data;
}
static void attach_behind(void)
{
    if (!now())
        return;
    CALL(cuLaunchHostFunc, s.a, nothing, NULL);
    if (!s.bad)
        wait_for(s.a);
    CALL(cuStreamAttachMemAsync, s.a, s.managed, 0, 4);
    wait_for(s.a);
}

// --- host functions

static void allocates(void *data)
{
    (void)data;
    uint64_t memory = 0;
    cuMemAlloc_v2(&memory, kBytes);
}
static void call_in_host_function(void)
{
    if (!now())
        return;
    CALL(cuLaunchHostFunc, s.a, s.bad ? allocates : nothing, NULL);
    wait_for(s.a);
}

// --- waste

static void sync_more(void)
{
    CALL(cuMemcpyDtoHAsync_v2, s.pinned, s.device, kBytes, s.a);
    if (!s.bad)
        CALL(cuEventRecord, s.event, s.a);
    launch(s.a);
    if (s.bad)
        wait_for(s.a);
    else
        CALL(cuEventSynchronize, s.event);
}
static void device_sync(void)
{
    launch(s.a);
    if (s.bad)
        CALL(cuCtxSynchronize);
    else
        wait_for(s.a);
}
static void registration(void)
{
    if (s.bad || s.frame == 0)
        CALL(cuMemHostRegister_v2, s.pageable, kBytes, 0);
    if (s.bad)
        CALL(cuMemHostUnregister, s.pageable);
}
static void allocation(void)
{
    static uint64_t memory;
    if (s.bad || s.frame == 0)
        CALL(cuMemAlloc_v2, &memory, kBytes);
    if (s.bad)
        CALL(cuMemFree_v2, memory);
}
static void pool(void)
{
    if (s.frame == 0 && !s.bad) {
        void *all = NULL;
        uint64_t keep = 64 << 20;
        CALL(cuDeviceGetDefaultMemPool, &all, 0);
        CALL(cuMemPoolSetAttribute, all, 4, &keep);
    }
    uint64_t memory = 0;
    CALL(cuMemAllocAsync, &memory, kBytes, s.a);
    CALL(cuMemFreeAsync, memory, s.a);
    wait_for(s.a);
}
static void default_stream(void)
{
    static stream_t blocking;
    if (!blocking)
        CALL(cuStreamCreate, &blocking, 0);
    launch(blocking);
    if (s.bad)
        launch(NULL);
    wait_for(blocking);
}
static void pageable(void)
{
    CALL(cuMemcpyHtoDAsync_v2, s.device, s.bad ? (void *)s.pageable : s.pinned, kBytes, s.a);
    wait_for(s.a);
}
static void managed_copy(void)
{
    CALL(cuMemcpyHtoDAsync_v2, s.device, s.bad ? (void *)(uintptr_t)s.managed : s.pinned, kBytes, s.a);
    wait_for(s.a);
}
static void round_trip(void)
{
    if (s.bad) {
        CALL(cuMemcpyDtoH_v2, s.pinned, s.device, kBytes);
        CALL(cuMemcpyHtoDAsync_v2, s.device2, s.pinned, kBytes, s.a);
    } else {
        CALL(cuMemcpyDtoDAsync_v2, s.device2, s.device, kBytes, s.a);
    }
    wait_for(s.a);
}
// Copies whose direction is not in their call.
static void round_trip_default(void)
{
    const uint64_t host = (uint64_t)(uintptr_t)s.pinned;
    CALL(cuMemcpyAsync, s.bad ? host : s.device2, s.device, kBytes, s.a);
    wait_for(s.a);
    if (s.bad)
        CALL(cuMemcpyAsync, s.device2, host, kBytes, s.a);
    wait_for(s.a);
}
static void leak_events(void)
{
    event_t event = NULL;
    CALL(cuEventCreate, &event, 0);
    if (!s.bad)
        CALL(cuEventDestroy_v2, event);
}

static const struct {
    const char *name, *found;
    void (*frame)(void);
} s_rows[] = {
    {"streams", "hazard-B5", streams},
    {"values", "hazard-B5", values},
    {"values-early", "hazard-B5", values_early},
    {"values-batch", "hazard-B5", values_batch},
    {"read-early", "hazard-O1", read_early},
    {"read-rows", "hazard-O1", read_rows},
    {"hand-over", "hazard-O1", hand_over},
    {"callback", "hazard-O1", callback},
    {"refill", "hazard-O1", refill},
    {"halves", "hazard-B5", halves},
    {"halves-set", "hazard-B5", halves_set},
    {"half-refill", "hazard-O1", half_refill},
    {"free-host", "hazard-A11", free_host},
    {"free-pool", "hazard-A11", free_pool},
    {"free-set", "hazard-A11", free_set},
    {"free-staged", "hazard-A11", free_staged},
    {"free-behind-gl", "hazard-A11", free_behind_gl},
    {"free-unmapped", "hazard-A11", free_unmapped},
    {"free-presented", "hazard-A11", free_presented},
    {"unregister", "hazard-A11", unregister},
    {"free-in-stream", "hazard-A11", free_in_stream},
    {"managed-touch", "hazard-A1", managed_touch},
    {"managed-new", "hazard-A3", managed_new},
    {"managed-frames", "hazard-A1", managed_frames},
    {"managed-first", "hazard-A1", managed_first},
    {"attach-early", "hazard-A4", attach_early},
    {"attach-part", "hazard-A6", attach_part},
    {"attach-behind", "hazard-A7", attach_behind},
    {"host-function", "hazard-B1", call_in_host_function},
    {"image-flags", "hazard-C3", image_flags},
    {"sync-late", "hazard-D1", sync_late},
    {"sync-default", "hazard-D1", sync_default},
    {"sync-unrecorded", "hazard-D2", sync_unrecorded},
    {"event-of-sync", "hazard-D4", event_of_sync},
    {"sync-more", "sync-waits-for-more", sync_more},
    {"device-sync", "device-sync-per-frame", device_sync},
    {"registration", "registration-per-frame", registration},
    {"allocation", "allocation-per-frame", allocation},
    {"pool", "pool-keeps-nothing", pool},
    {"default-stream", "default-stream", default_stream},
    {"pageable", "pageable-async-copy", pageable},
    {"half-pageable", "pageable-async-copy", half_pageable},
    {"managed-copy", "managed-copy", managed_copy},
    {"round-trip", "host-round-trip", round_trip},
    {"round-trip-default", "host-round-trip", round_trip_default},
    {"leak-events", "growing-objects", leak_events},
    {"leak-textures", "growing-objects", leak_textures},
};
enum { kRows = sizeof s_rows / sizeof *s_rows };

int main(int argc, char **argv)
{
    if (argc != 6) {
        for (int i = 0; i < kRows; ++i)
            printf("%s %s\n", s_rows[i].name, s_rows[i].found);
        return argc == 1 ? 0 : 2;
    }
    s.cuda = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    s.gl = strcmp(argv[2], "-") == 0 ? NULL : dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
    if (!s.cuda)
        return 77;
#define FIND(name, arguments)                                                                                          \
    *(void **)&name = dlsym(s.cuda, #name);                                                                            \
    if (!name)                                                                                                         \
        return 77;
    CUDA(FIND)
    int row = 0;
    while (row < kRows && strcmp(s_rows[row].name, argv[3]) != 0)
        ++row;
    if (row == kRows)
        return 2;
    s.bad = strcmp(argv[4], "bad") == 0;
    prepare();
    if (strncmp(argv[3], "managed", 7) == 0 || strncmp(argv[3], "attach", 6) == 0)
        CALL(cuMemAllocManaged, &s.managed, kBytes, 1);
    for (s.frame = 0; s.frame < atoi(argv[5]); ++s.frame) {
        jetscope_frame_begin((uint64_t)s.frame);
        s_rows[row].frame();
        jetscope_frame_end((uint64_t)s.frame);
    }
    CALL(cuCtxSynchronize);
    return 0;
}
