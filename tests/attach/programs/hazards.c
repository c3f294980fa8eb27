// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// hazards CUDA GL NAME good|bad FRAMES : a program that makes one mistake ("bad"), or its repaired twin ("good"). CUDA
// is the path of libcuda, GL that of a library with glTexSubImage2D and the like, or "-". Without a name it lists all.
// Exits with 77 if the libraries lack what it needs. Links against nothing, so that the same program runs with the real
// libraries.
#include "gpu/attach/jetscope_mark.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void *stream_t;
typedef void *event_t;
enum { kBytes = 4096, kOnce = 20 }; // The frame in which a mistake is made that is made once.

// name, arguments
#define CUDA(X)                                                                                                        \
    X(cuInit, (unsigned))                                                                                              \
    X(cuDeviceGet, (int *, int))                                                                                       \
    X(cuDevicePrimaryCtxRetain, (void **, int))                                                                        \
    X(cuCtxSetCurrent, (void *))                                                                                       \
    X(cuCtxSynchronize, (void))                                                                                        \
    X(cuModuleLoadData, (void **, const void *))                                                                       \
    X(cuModuleGetFunction, (void **, void *, const char *))                                                            \
    X(cuLaunchKernel,                                                                                                  \
      (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, stream_t, void **, void **))      \
    X(cuLaunchHostFunc, (stream_t, void (*)(void *), void *))                                                          \
    X(cuMemAlloc_v2, (uint64_t *, size_t))                                                                             \
    X(cuMemFree_v2, (uint64_t))                                                                                        \
    X(cuMemAllocAsync, (uint64_t *, size_t, stream_t))                                                                 \
    X(cuMemFreeAsync, (uint64_t, stream_t))                                                                            \
    X(cuDeviceGetDefaultMemPool, (void **, int))                                                                       \
    X(cuMemPoolSetAttribute, (void *, int, void *))                                                                    \
    X(cuMemHostAlloc, (void **, size_t, unsigned))                                                                     \
    X(cuMemFreeHost, (void *))                                                                                         \
    X(cuMemHostRegister_v2, (void *, size_t, unsigned))                                                                \
    X(cuMemHostUnregister, (void *))                                                                                   \
    X(cuMemAllocManaged, (uint64_t *, size_t, unsigned))                                                               \
    X(cuStreamAttachMemAsync, (stream_t, uint64_t, size_t, unsigned))                                                  \
    X(cuMemcpyHtoDAsync_v2, (uint64_t, const void *, size_t, stream_t))                                                \
    X(cuMemcpyDtoHAsync_v2, (void *, uint64_t, size_t, stream_t))                                                      \
    X(cuMemcpyDtoH_v2, (void *, uint64_t, size_t))                                                                     \
    X(cuMemcpyDtoDAsync_v2, (uint64_t, uint64_t, size_t, stream_t))                                                    \
    X(cuStreamCreate, (stream_t *, unsigned))                                                                          \
    X(cuStreamSynchronize, (stream_t))                                                                                 \
    X(cuStreamWaitEvent, (stream_t, event_t, unsigned))                                                                \
    X(cuEventCreate, (event_t *, unsigned))                                                                            \
    X(cuEventRecord, (event_t, stream_t))                                                                              \
    X(cuEventSynchronize, (event_t))                                                                                   \
    X(cuEventDestroy_v2, (event_t))
#define DECLARE(name, arguments) static int(*name) arguments;
CUDA(DECLARE)

static struct {
    void *cuda, *gl;
    int bad;
    int frame;
    void *function;
    stream_t a, b; // Non-blocking ones.
    event_t event, other;
    uint64_t device, device2, managed;
    void *pinned, *pinned2;
    char *pageable;
} s;

static void check(const char *what, int code)
{
    if (code != 0) {
        fprintf(stderr, "%s: error %d\n", what, code);
        exit(1);
    }
}
#define CALL(name, ...) check(#name, name(__VA_ARGS__))

static void *gl(const char *name)
{
    void *function = s.gl ? dlsym(s.gl, name) : NULL;
    if (!function)
        exit(77);
    return function;
}

static void launch(stream_t stream)
{
    CALL(cuLaunchKernel, s.function, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL);
}
static void wait_for(stream_t stream)
{
    CALL(cuStreamSynchronize, stream);
}
// The CPU reads 16 x 16 pixels there.
static void read_by_gl(const void *pixels)
{
    static void (*upload)(unsigned, int, int, int, int, int, unsigned, unsigned, const void *);
    if (!upload)
        *(void **)&upload = gl("glTexSubImage2D");
    upload(0x0DE1, 0, 0, 0, 16, 16, 0x1908, 0x1401, pixels);
}
static int now(void)
{
    return s.frame == kOnce;
}

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
static void refill(void)
{
    if (!s.bad)
        wait_for(s.a);
    CALL(cuMemcpyHtoDAsync_v2, s.device, s.pinned, kBytes, s.a);
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

// --- Tegra only

static void image_flags(void)
{
    int (*add)(void **, void *, unsigned), (*end)(void *);
    *(void **)&add = dlsym(s.cuda, "cuGraphicsEGLRegisterImage");
    *(void **)&end = dlsym(s.cuda, "cuGraphicsUnregisterResource");
    void *resource = NULL;
    if (now() && add(&resource, (void *)11, s.bad ? 1 : 0) == 0)
        end(resource);
}
static void event_of_sync(void)
{
    int (*make)(event_t *, void *, unsigned);
    *(void **)&make = dlsym(s.cuda, "cuEventCreateFromEGLSync");
    event_t event = NULL;
    if (!now())
        return;
    CALL(make, &event, (void *)12, 0);
    CALL(cuEventRecord, s.bad ? event : s.event, s.a);
    CALL(cuEventDestroy_v2, event);
}
static void make_sync(event_t event)
{
    void *(*make)(void *, unsigned, const intptr_t *);
    *(void **)&make = gl("eglCreateSync");
    const intptr_t attributes[] = {0x323C, (intptr_t)event, 0x3038};
    make((void *)1, 0x323B, attributes);
}
static void sync_late(void)
{
    if (!now())
        return;
    CALL(cuEventRecord, s.event, s.a);
    if (s.bad)
        launch(s.a);
    make_sync(s.event);
    wait_for(s.a);
}
static void sync_unrecorded(void)
{
    if (!now())
        return;
    if (!s.bad)
        CALL(cuEventRecord, s.other, s.a);
    make_sync(s.other);
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
        uint64_t keep = 1 << 20;
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
static void leak_events(void)
{
    event_t event = NULL;
    CALL(cuEventCreate, &event, 0);
    if (!s.bad)
        CALL(cuEventDestroy_v2, event);
}
static void leak_textures(void)
{
    void (*make)(int, unsigned *), (*end)(int, const unsigned *);
    *(void **)&make = gl("glGenTextures");
    *(void **)&end = gl("glDeleteTextures");
    unsigned names[3] = {0, 0, 0};
    make(2, names);
    if (!s.bad)
        end(3, names);
}

static const struct {
    const char *name, *found;
    void (*frame)(void);
} s_rows[] = {
    {"streams", "hazard-B5", streams},
    {"read-early", "hazard-O1", read_early},
    {"refill", "hazard-O1", refill},
    {"free-host", "hazard-A11", free_host},
    {"unregister", "hazard-A11", unregister},
    {"free-in-stream", "hazard-A11", free_in_stream},
    {"managed-touch", "hazard-A1", managed_touch},
    {"managed-new", "hazard-A3", managed_new},
    {"managed-frames", "hazard-A1", managed_frames},
    {"attach-early", "hazard-A4", attach_early},
    {"attach-part", "hazard-A6", attach_part},
    {"attach-behind", "hazard-A7", attach_behind},
    {"host-function", "hazard-B1", call_in_host_function},
    {"image-flags", "hazard-C3", image_flags},
    {"sync-late", "hazard-D1", sync_late},
    {"sync-unrecorded", "hazard-D2", sync_unrecorded},
    {"event-of-sync", "hazard-D4", event_of_sync},
    {"sync-more", "sync-waits-for-more", sync_more},
    {"device-sync", "device-sync-per-frame", device_sync},
    {"registration", "registration-per-frame", registration},
    {"allocation", "allocation-per-frame", allocation},
    {"pool", "pool-keeps-nothing", pool},
    {"default-stream", "default-stream", default_stream},
    {"pageable", "pageable-async-copy", pageable},
    {"managed-copy", "managed-copy", managed_copy},
    {"round-trip", "host-round-trip", round_trip},
    {"leak-events", "growing-objects", leak_events},
    {"leak-textures", "growing-objects", leak_textures},
};
enum { kRows = sizeof s_rows / sizeof *s_rows };

// A kernel of some 20 us.
static const char kKernel[] =
    ".version 6.0\n.target sm_50\n.address_size 64\n.visible .entry spin()\n{\n"
    ".reg .u64 %t<3>;\n.reg .pred %p;\nmov.u64 %t0, %globaltimer;\nadd.u64 %t1, %t0, 20000;\n"
    "again:\nmov.u64 %t2, %globaltimer;\nsetp.lt.u64 %p, %t2, %t1;\n@%p bra again;\nret;\n}\n";

static void prepare(void)
{
    int device = 0;
    void *context = NULL, *module = NULL;
    CALL(cuInit, 0);
    CALL(cuDeviceGet, &device, 0);
    CALL(cuDevicePrimaryCtxRetain, &context, device);
    CALL(cuCtxSetCurrent, context);
    CALL(cuModuleLoadData, &module, kKernel);
    CALL(cuModuleGetFunction, &s.function, module, "spin");
    CALL(cuStreamCreate, &s.a, 1);
    CALL(cuStreamCreate, &s.b, 1);
    CALL(cuEventCreate, &s.event, 2);
    CALL(cuEventCreate, &s.other, 2);
    CALL(cuMemAlloc_v2, &s.device, kBytes);
    CALL(cuMemAlloc_v2, &s.device2, kBytes);
    CALL(cuMemHostAlloc, &s.pinned, kBytes, 0);
    CALL(cuMemHostAlloc, &s.pinned2, kBytes, 0);
    s.pageable = aligned_alloc(kBytes, kBytes);
    memset(s.pageable, 0, kBytes);
}

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
