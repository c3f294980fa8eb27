// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// perthreadprogram WAY FRAMES : launches and copies in the default stream beside another stream. WAY is how it comes to
// its functions: "legacy" calls those of the legacy default stream; the others call those of the threads' own, as
// programs do that are built with --default-stream per-thread: "linked", "dlsym", or "getproc" as the runtime does.
// "versions" calls all four functions that the driver has for one name, which the runtime asks for, too; "by value"
// calls the function that takes a structure by value;
// "future" calls a version of a function that Jetscope does not know.
// Exits with 0 if all arguments arrived.
#include "gpu/attach/jetscope_mark.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int result;
typedef result launch(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,
                      void **);
typedef result copy(uint64_t, const void *, size_t);
typedef result wait_for(void *);
typedef result record(void *, void *);

extern launch cuLaunchKernel, cuLaunchKernel_ptsz;
extern copy cuMemcpyHtoD_v2_ptds;
extern wait_for cuStreamSynchronize, cuStreamSynchronize_ptsz;
extern record cuEventRecord, cuEventRecord_ptsz;
extern result cuInit(unsigned), cuStreamCreate(void **, unsigned), cuEventCreate(void **, unsigned),
    cuMemAlloc_v2(uint64_t *, size_t), cuModuleGetFunction(void **, void *, const char *),
    cuGetProcAddress_v2(const char *, void **, int, uint64_t, int *);
extern unsigned long mockcuda_wrong(void);

static void *find(const char *way, const char *name, const char *ending, void *linked)
{
    char all[64];
    void *found = NULL;
    snprintf(all, sizeof all, "%s%s", name, ending);
    if (strcmp(way, "dlsym") == 0)
        return dlsym(dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD), all);
    if (strcmp(way, "getproc") != 0)
        return linked;
    return cuGetProcAddress_v2(name, &found, 12020, 2, NULL) == 0 ? found : NULL;
}

static int call_versions(int frames)
{
    typedef result older(uint64_t, size_t, int, void *);
    typedef result newer(uint64_t, size_t, uint64_t, unsigned, void *);
    void *found[4] = {NULL, NULL, NULL, NULL};
    for (int i = 0; i < 4; ++i)
        if (cuGetProcAddress_v2("cuMemPrefetchAsync", &found[i], i < 2 ? 8000 : 12020, i % 2 * 2, NULL) != 0)
            return 3;
    for (int frame = 0; frame < frames; ++frame)
        for (int i = 0; i < 4; ++i) {
            if (i < 2)
                ((older *)found[i])(4096, 64, 0, NULL);
            else
                ((newer *)found[i])(4096, 64, 1, 0, NULL);
        }
    printf("cuMemPrefetchAsync %d\ncuMemPrefetchAsync_v2 %d\n", 2 * frames, 2 * frames);
    return mockcuda_wrong() == 0 ? 0 : 5;
}

static int call_future(int frames)
{
    typedef result newest(uint64_t, size_t, uint64_t, unsigned, void *, uint64_t, uint64_t);
    void *found = NULL;
    if (cuGetProcAddress_v2("cuMemPrefetchAsync", &found, 90000, 0, NULL) != 0)
        return 3;
    for (int frame = 0; frame < frames; ++frame)
        ((newest *)found)(4096, 64, 1, 0, NULL, 6, 7);
    return mockcuda_wrong() == 0 ? 0 : 5;
}

struct egl_frame {
    void *planes[3];
    unsigned width, height, depth, pitch, plane_count, channels, type, colour, format;
};
extern result cuEGLStreamProducerPresentFrame(void *, struct egl_frame, void *);

static int call_by_value(int frames)
{
    const struct egl_frame frame = {
        .planes = {(void *)13, NULL, (void *)14}, .width = 640, .height = 480, .format = 32};
    for (int i = 0; i < frames; ++i)
        cuEGLStreamProducerPresentFrame((void *)12, frame, (void *)15);
    printf("cuEGLStreamProducerPresentFrame %d\n", frames);
    return mockcuda_wrong() == 0 ? 0 : 5;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    const char *way = argv[1];
    if (strcmp(way, "versions") == 0)
        return call_versions(atoi(argv[2]));
    if (strcmp(way, "future") == 0)
        return call_future(atoi(argv[2]));
    if (strcmp(way, "by value") == 0)
        return call_by_value(atoi(argv[2]));
    const int legacy = strcmp(way, "legacy") == 0;
    launch *const launches =
        legacy ? cuLaunchKernel : (launch *)find(way, "cuLaunchKernel", "_ptsz", (void *)cuLaunchKernel_ptsz);
    copy *const copies = (copy *)find(way, "cuMemcpyHtoD", "_v2_ptds", (void *)cuMemcpyHtoD_v2_ptds);
    wait_for *const waits = legacy
        ? cuStreamSynchronize
        : (wait_for *)find(way, "cuStreamSynchronize", "_ptsz", (void *)cuStreamSynchronize_ptsz);
    record *const records =
        legacy ? cuEventRecord : (record *)find(way, "cuEventRecord", "_ptsz", (void *)cuEventRecord_ptsz);
    if (!launches || !copies || !waits || !records)
        return 3;
    static char host[4096];
    void *function = NULL, *stream = NULL, *event = NULL;
    uint64_t memory = 0;
    cuInit(0);
    cuModuleGetFunction(&function, (void *)1, "a_kernel");
    cuStreamCreate(&stream, 0);
    cuEventCreate(&event, 0);
    cuMemAlloc_v2(&memory, sizeof host);
    const int frames = atoi(argv[2]);
    for (int frame = 0; frame < frames; ++frame) {
        jetscope_frame_begin((uint64_t)frame);
        if (!legacy)
            copies(memory, host, sizeof host);
        launches(function, 1, 2, 3, 4, 5, 6, 7, stream, (void **)8, (void **)9);
        launches(function, 1, 2, 3, 4, 5, 6, 7, NULL, (void **)8, (void **)9);
        records(event, NULL);
        waits(NULL);
        jetscope_frame_end((uint64_t)frame);
    }
    printf("cuLaunchKernel %d\ncuMemcpyHtoD_v2 %d\ncuStreamSynchronize %d\ncuEventRecord %d\n", 2 * frames,
           legacy ? 0 : frames, frames, frames);
    return mockcuda_wrong() == 0 ? 0 : 5;
}
