// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A libnvbufsurface without a Jetson, with the names of libnvbuf_utils, too. It counts its calls and checks that their
// arguments arrive unchanged.

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VISIBLE __attribute__((visibility("default")))
enum { kMaxFunctions = 32, kMade = 0x5e7f };

struct surface {
    uint32_t made; // kMade as long as it exists.
    uint32_t images;
    uint32_t filled, contiguous;
    uint32_t kind; // Where NvBufSurface has its memType.
    uint32_t unused;
};
static uint32_t s_kind = 4; // NVBUF_MEM_SURFACE_ARRAY

static struct {
    const char *name;
    unsigned long calls;
} s_counts[kMaxFunctions];
static unsigned long s_wrong;

VISIBLE unsigned long mocknvbuf_wrong(void)
{
    return s_wrong;
}
// A line for each function that was called.
VISIBLE void mocknvbuf_print(void)
{
    for (int i = 0; i < kMaxFunctions && s_counts[i].name; ++i)
        printf("%s %lu\n", s_counts[i].name, s_counts[i].calls);
}

static int did(const char *name, int good)
{
    int i = 0;
    while (s_counts[i].name && strcmp(s_counts[i].name, name) != 0)
        ++i;
    s_counts[i].name = name;
    ++s_counts[i].calls;
    s_wrong += !good;
    return good ? 0 : -1;
}
VISIBLE void mocknvbuf_kind(uint32_t kind)
{
    s_kind = kind;
}
static int is_made(const struct surface *surface)
{
    return surface && surface->made == kMade;
}

VISIBLE int NvBufSurfaceAllocate(struct surface **surface, uint32_t batch, const void *parameters)
{
    *surface = calloc(1, sizeof **surface);
    (*surface)->made = kMade;
    (*surface)->kind = s_kind;
    return did(__func__, batch == 3 && parameters != NULL);
}
VISIBLE int NvBufSurfaceCreate(struct surface **surface, uint32_t batch, const void *parameters)
{
    *surface = calloc(1, sizeof **surface);
    (*surface)->made = kMade;
    (*surface)->kind = s_kind;
    return did(__func__, batch == 1 && parameters != NULL);
}
VISIBLE int NvBufSurfaceDestroy(struct surface *surface)
{
    const int result = did(__func__, is_made(surface) && surface->images == 0);
    free(surface);
    return result;
}
VISIBLE int NvBufSurfaceMap(struct surface *surface, int index, int plane, int type)
{
    return did(__func__, is_made(surface) && index == 0 && plane == -1 && type >= 0 && type <= 2);
}
VISIBLE int NvBufSurfaceUnMap(struct surface *surface, int index, int plane)
{
    return did(__func__, is_made(surface) && index == 0 && plane == -1);
}
VISIBLE int NvBufSurfaceSyncForCpu(struct surface *surface, int index, int plane)
{
    return did(__func__, is_made(surface) && index == 0 && plane == -1);
}
VISIBLE int NvBufSurfaceSyncForDevice(struct surface *surface, int index, int plane)
{
    return did(__func__, is_made(surface) && index == 0 && plane == -1);
}
VISIBLE int NvBufSurfaceMapEglImage(struct surface *surface, int index)
{
    const int result = did(__func__, is_made(surface) && index == 0 && surface->images == 0);
    ++surface->images;
    return result;
}
VISIBLE int NvBufSurfaceUnMapEglImage(struct surface *surface, int index)
{
    const int result = did(__func__, is_made(surface) && index == 0 && surface->images == 1);
    --surface->images;
    return result;
}
VISIBLE int NvBufSurfTransform(struct surface *from, struct surface *to, const void *parameters)
{
    return did(__func__, is_made(from) && is_made(to) && from != to && parameters != NULL);
}
VISIBLE int NvBufSurfTransformAsync(struct surface *from, struct surface *to, const void *parameters, void **done)
{
    *done = to;
    return did(__func__, is_made(from) && is_made(to) && from != to && parameters != NULL);
}
VISIBLE int NvBufSurfTransformSyncObjWait(void *done, uint32_t limit)
{
    return did(__func__, is_made(done) && limit == 1000);
}
// A library that calls itself: not the program's call.
VISIBLE int NvBufSurfaceCopy(struct surface *from, struct surface *to)
{
    const int result = did(__func__, is_made(from) && is_made(to));
    return NvBufSurfaceSyncForDevice(to, 0, -1) == 0 ? result : -1;
}

// --- libnvbuf_utils

static int s_descriptors;

VISIBLE int NvBufferCreateEx(int *descriptor, const void *parameters)
{
    *descriptor = ++s_descriptors;
    return did(__func__, parameters != NULL);
}
VISIBLE int NvBufferDestroy(int descriptor)
{
    return did(__func__, descriptor > 0 && descriptor <= s_descriptors);
}
VISIBLE void *NvEGLImageFromFd(void *display, int descriptor)
{
    const int result = did(__func__, display == (void *)1 && descriptor > 0);
    return result == 0 ? (void *)(0x70000000ull + (unsigned)descriptor) : NULL;
}
VISIBLE int NvDestroyEGLImage(void *display, void *image)
{
    return did(__func__, display == (void *)1 && (uint64_t)(uintptr_t)image > 0x70000000);
}
VISIBLE int NvBufferMemMap(int descriptor, unsigned plane, int way, void **address)
{
    static char s_memory[64];
    *address = s_memory;
    return did(__func__, descriptor > 0 && plane == 0 && way >= 0 && way <= 2);
}
VISIBLE int NvBufferMemUnMap(int descriptor, unsigned plane, void **address)
{
    return did(__func__, descriptor > 0 && plane == 0 && *address);
}
VISIBLE int NvBufferMemSyncForCpu(int descriptor, unsigned plane, void **address)
{
    return did(__func__, descriptor > 0 && plane == 0 && *address);
}
VISIBLE int NvBufferMemSyncForDevice(int descriptor, unsigned plane, void **address)
{
    return did(__func__, descriptor > 0 && plane == 0 && *address);
}
VISIBLE int NvBufferTransform(int from, int to, const void *parameters)
{
    return did(__func__, from > 0 && to > 0 && from != to && parameters != NULL);
}
