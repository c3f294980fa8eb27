// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The part of the libcuda without a GPU (mockcuda.c) for memory that other APIs see, EGLStreams, CUDA arrays, memory
// that the program maps by itself, and the times of events.

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define VISIBLE __attribute__((visibility("default")))
typedef int result;

static uint64_t next_handle(void)
{
    static uint64_t handle = 0x40000000;
    return handle += 0x1000;
}

// --- EGLStreams

VISIBLE result cuEGLStreamConsumerConnect(uint64_t *connection, void *stream)
{
    *connection = next_handle();
    return stream > (void *)0x7200 ? 0 : 1;
}
VISIBLE result cuEGLStreamConsumerDisconnect(uint64_t *connection)
{
    const result missing = *connection == 0;
    *connection = 0;
    return missing;
}
// Two resources in turn.
VISIBLE result cuEGLStreamConsumerAcquireFrame(uint64_t *connection, void **resource, void **stream, unsigned timeout)
{
    static unsigned s_frames;
    *resource = (void *)(uintptr_t)(0x50000000 + (s_frames++ % 2) * 0x1000);
    return *connection != 0 && stream != NULL && timeout == 16000 ? 0 : 1;
}
VISIBLE result cuEGLStreamConsumerReleaseFrame(uint64_t *connection, void *resource, void **stream)
{
    return *connection != 0 && resource >= (void *)0x50000000 && stream != NULL ? 0 : 1;
}

VISIBLE result cuGraphicsResourceGetMappedEglFrame(void *frame, void *resource, unsigned index, unsigned level)
{
    memset(frame, 0, 64);
    return resource && index == 0 && level == 0 ? 0 : 1;
}

// --- CUDA arrays

struct array_2d {
    size_t width, height;
    uint32_t format, channels;
};
struct array_3d {
    size_t width, height, depth;
    uint32_t format, channels, flags;
};

VISIBLE result cuArrayCreate_v2(uint64_t *array, const struct array_2d *wish)
{
    *array = next_handle();
    return wish && wish->width == 640 && wish->height == 480 && wish->channels == 4 ? 0 : 1;
}
VISIBLE result cuArray3DCreate_v2(uint64_t *array, const struct array_3d *wish)
{
    *array = next_handle();
    return wish && wish->width == 64 && wish->height == 32 && wish->depth == 6 && wish->flags == 0 ? 0 : 1;
}
VISIBLE result cuMipmappedArrayCreate(uint64_t *array, const struct array_3d *wish, unsigned levels)
{
    *array = next_handle();
    return wish && wish->width == 16 && wish->flags == 1 && levels == 5 ? 0 : 1;
}
VISIBLE result cuArrayDestroy(uint64_t array)
{
    return array ? 0 : 1;
}
VISIBLE result cuMipmappedArrayDestroy(uint64_t array)
{
    return array ? 0 : 1;
}

// --- memory that the program maps by itself

VISIBLE result cuMemCreate(uint64_t *handle, size_t bytes, const void *properties, uint64_t flags)
{
    *handle = next_handle();
    return bytes == 1 << 21 && properties && flags == 0 ? 0 : 1;
}
VISIBLE result cuMemRelease(uint64_t handle)
{
    return handle ? 0 : 1;
}
VISIBLE result cuMemMap(uint64_t address, size_t bytes, size_t offset, uint64_t handle, uint64_t flags)
{
    return address && bytes == 1 << 21 && offset == 0 && handle && flags == 0 ? 0 : 1;
}
VISIBLE result cuMemUnmap(uint64_t address, size_t bytes)
{
    return address && bytes == 1 << 22 ? 0 : 1;
}

VISIBLE result cuGraphLaunch(void *graph, void *stream)
{
    (void)stream;
    return graph ? 0 : 1;
}

// --- times of events

VISIBLE result cuEventElapsedTime(float *ms, void *from, void *to)
{
    *ms = 1;
    return from && to ? 0 : 1;
}
VISIBLE result cuEventElapsedTime_v2(float *ms, void *from, void *to)
{
    *ms = 1;
    return from && to ? 600 : 1; // CUDA_ERROR_NOT_READY
}
