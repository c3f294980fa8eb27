// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The programs of hazards.c that are about EGL and GL.

#include "hazardcalls.h"

// The CPU reads 16 x 16 pixels there.
static void read_by_gl(const void *pixels)
{
    static void (*upload)(unsigned, int, int, int, int, int, unsigned, unsigned, const void *);
    if (!upload)
        *(void **)&upload = gl("glTexSubImage2D");
    upload(0x0DE1, 0, 0, 0, 16, 16, 0x1908, 0x1401, pixels);
}
// A picture is 128 bytes wide. GL reads the left half of its rows while the right half is copied. The mistake: it is
// not told how far apart the rows are.
static void read_rows(void)
{
    void (*store)(unsigned, int);
    *(void **)&store = gl("glPixelStorei");
    if (!now())
        return;
    const uint64_t copy[] = {0,        0, 2,   0,
                             s.device, 0, 128, // CU_MEMORYTYPE_DEVICE
                             64,       0, 1,   (uint64_t)(uintptr_t)s.pinned,
                             0,        0, 128, // CU_MEMORYTYPE_HOST
                             64,       16};
    CALL(cuMemcpy2DAsync_v2, copy, s.a);
    store(0x0CF2, s.bad ? 0 : 32); // GL_UNPACK_ROW_LENGTH
    read_by_gl(s.pinned);
    store(0x0CF2, 0);
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
static void *make_sync(event_t event)
{
    void *(*make)(void *, unsigned, const intptr_t *);
    *(void **)&make = gl("eglCreateSync");
    const intptr_t attributes[] = {0x323C, (intptr_t)event, 0x3038};
    return make((void *)1, 0x323B, attributes);
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

// A stream waits for the default stream, but that is no work behind the record.
static void sync_default(void)
{
    if (!now())
        return;
    launch(s.a);
    CALL(cuEventRecord, s.event, NULL);
    if (s.bad)
        launch(NULL);
    make_sync(s.event);
    wait_for(NULL);
    wait_for(s.a);
}
static void finish(void)
{
    void (*wait)(void);
    *(void **)&wait = gl("glFinish");
    wait();
}
// GL waits for the copy, and the CPU for GL.
static void free_behind_gl(void)
{
    unsigned (*wait)(void *, void *, int);
    *(void **)&wait = gl("eglWaitSync");
    void *memory = NULL;
    if (!now())
        return;
    CALL(cuMemHostAlloc, &memory, kBytes, 0);
    CALL(cuMemcpyHtoDAsync_v2, s.device, memory, kBytes, s.a);
    CALL(cuEventRecord, s.event, s.a);
    wait((void *)1, make_sync(s.event), 0);
    if (!s.bad)
        finish();
    CALL(cuMemFreeHost, memory);
}
// The consumer of an EGLStream comes behind the copy.
static void free_presented(void)
{
    struct frame {
        uint64_t words[8];
    } frame = {{1, 2, 3, 4, 5, 6, 7, 8}};
    int (*present)(void *, struct frame, stream_t *);
    *(void **)&present = dlsym(s.cuda, "cuEGLStreamProducerPresentFrame");
    void *memory = NULL;
    if (!now())
        return;
    CALL(cuMemHostAlloc, &memory, kBytes, 0);
    CALL(cuMemcpyHtoDAsync_v2, s.device, memory, kBytes, s.a);
    CALL(present, (void *)14, frame, &s.a);
    if (!s.bad)
        finish();
    CALL(cuMemFreeHost, memory);
}
static void free_unmapped(void)
{
    int (*unmap)(unsigned, void **, stream_t);
    *(void **)&unmap = dlsym(s.cuda, "cuGraphicsUnmapResources");
    void *memory = NULL, *resource = (void *)13;
    if (!now())
        return;
    CALL(cuMemHostAlloc, &memory, kBytes, 0);
    CALL(cuMemcpyHtoDAsync_v2, s.device, memory, kBytes, s.a);
    CALL(unmap, 1, &resource, s.a);
    if (!s.bad)
        finish();
    CALL(cuMemFreeHost, memory);
}

// --- objects

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
