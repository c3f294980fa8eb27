// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// nvbufprogram WAY FRAMES : an engine copies into a buffer that the CPU has mapped to read, or out of one that it has
// mapped to write. WAY says how it is synchronized.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct surface;
int NvBufSurfaceCreate(struct surface **surface, uint32_t batch, const void *parameters);
int NvBufSurfaceDestroy(struct surface *surface);
int NvBufSurfaceMap(struct surface *surface, int index, int plane, int type);
int NvBufSurfaceUnMap(struct surface *surface, int index, int plane);
int NvBufSurfaceSyncForCpu(struct surface *surface, int index, int plane);
int NvBufSurfaceSyncForDevice(struct surface *surface, int index, int plane);
int NvBufSurfTransform(struct surface *from, struct surface *to, const void *parameters);
int NvBufSurfTransformAsync(struct surface *from, struct surface *to, const void *parameters, void **done);
int NvBufSurfTransformSyncObjWait(void *done, uint32_t limit);
int NvBufferCreateEx(int *descriptor, const void *parameters);
int NvBufferDestroy(int descriptor);
int NvBufferMemMap(int descriptor, unsigned plane, int way, void **address);
int NvBufferMemUnMap(int descriptor, unsigned plane, void **address);
int NvBufferMemSyncForCpu(int descriptor, unsigned plane, void **address);
int NvBufferMemSyncForDevice(int descriptor, unsigned plane, void **address);
int NvBufferTransform(int from, int to, const void *parameters);
void mocknvbuf_kind(uint32_t kind);

enum { kRead, kWrite, kReadWrite };
static const char *s_way;

static int is(const char *way)
{
    return strcmp(s_way, way) == 0;
}

static void read_mapped(struct surface *from, struct surface *to, int frames)
{
    const int each = is("mapped each time") || is("mapped each time, synchronized");
    if (!each)
        NvBufSurfaceMap(to, 0, -1, is("read and write") ? kReadWrite : kRead);
    for (int i = 0; i < frames; ++i) {
        NvBufSurfTransform(from, to, "");
        if (each)
            NvBufSurfaceMap(to, 0, -1, kRead);
        if (is("synchronized") || is("mapped each time, synchronized") || (is("sometimes") && i % 10 == 0))
            NvBufSurfaceSyncForCpu(to, 0, -1);
        usleep(1000); // The CPU reads.
        if (each)
            NvBufSurfaceUnMap(to, 0, -1);
    }
    if (!each)
        NvBufSurfaceUnMap(to, 0, -1);
}

static void read_later(struct surface *from, struct surface *to, int frames)
{
    NvBufSurfaceMap(to, 0, -1, kRead);
    for (int i = 0; i < frames; ++i) {
        void *done = NULL;
        NvBufSurfTransformAsync(from, to, "", &done);
        if (is("later, waited"))
            NvBufSurfTransformSyncObjWait(done, 1000);
        NvBufSurfaceSyncForCpu(to, 0, -1);
        usleep(1000); // The CPU reads.
        if (is("later"))
            NvBufSurfTransformSyncObjWait(done, 1000);
    }
    NvBufSurfaceUnMap(to, 0, -1);
}

static void write_mapped(struct surface *from, struct surface *to, int frames)
{
    const int each = is("write, mapped each time") || is("write, mapped each time, synchronized");
    if (!each)
        NvBufSurfaceMap(from, 0, -1, kWrite);
    for (int i = 0; i < frames; ++i) {
        if (each)
            NvBufSurfaceMap(from, 0, -1, kWrite);
        usleep(1000); // The CPU writes.
        if (is("write, synchronized") || is("write, mapped each time, synchronized"))
            NvBufSurfaceSyncForDevice(from, 0, -1);
        if (each)
            NvBufSurfaceUnMap(from, 0, -1);
        NvBufSurfTransform(from, to, "");
    }
    if (!each)
        NvBufSurfaceUnMap(from, 0, -1);
}

static void read_old(int frames)
{
    int from, to;
    void *address = NULL;
    NvBufferCreateEx(&from, "");
    NvBufferCreateEx(&to, "");
    NvBufferMemMap(to, 0, kRead, &address);
    for (int i = 0; i < frames; ++i) {
        NvBufferTransform(from, to, "");
        if (is("old, synchronized"))
            NvBufferMemSyncForCpu(to, 0, &address);
        usleep(1000);
    }
    NvBufferMemUnMap(to, 0, &address);
    NvBufferDestroy(to);
    NvBufferDestroy(from);
}

static void write_old(int frames)
{
    int from, to;
    void *address = NULL;
    NvBufferCreateEx(&from, "");
    NvBufferCreateEx(&to, "");
    NvBufferMemMap(from, 0, kWrite, &address);
    for (int i = 0; i < frames; ++i) {
        usleep(1000);
        if (is("old write, synchronized"))
            NvBufferMemSyncForDevice(from, 0, &address);
        NvBufferTransform(from, to, "");
    }
    NvBufferMemUnMap(from, 0, &address);
    NvBufferDestroy(to);
    NvBufferDestroy(from);
}

int main(int argc, char **argv)
{
    struct surface *from, *to;
    if (argc < 3)
        return 2;
    s_way = argv[1];
    const int frames = atoi(argv[2]);
    if (is("CUDA's memory"))
        mocknvbuf_kind(2);
    if (strncmp(s_way, "old write", 9) == 0) {
        write_old(frames);
    } else if (strncmp(s_way, "old", 3) == 0) {
        read_old(frames);
    } else {
        NvBufSurfaceCreate(&from, 1, "");
        NvBufSurfaceCreate(&to, 1, "");
        if (strncmp(s_way, "write", 5) == 0)
            write_mapped(from, to, frames);
        else
            (strncmp(s_way, "later", 5) == 0 ? read_later : read_mapped)(from, to, frames);
        NvBufSurfaceDestroy(to);
        NvBufSurfaceDestroy(from);
    }
    puts("done");
    return 0;
}
