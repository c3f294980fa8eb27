// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the programs of hazards.c share: the functions of CUDA, found at run time, and the objects of a run.

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

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
    X(cuStreamAddCallback, (stream_t, void (*)(stream_t, int, void *), void *, unsigned))                              \
    X(cuLaunchHostFunc, (stream_t, void (*)(void *), void *))                                                          \
    X(cuMemsetD8_v2, (uint64_t, unsigned char, size_t))                                                                \
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
    void *context, *function;
    stream_t a, b; // Non-blocking ones.
    event_t event, other;
    uint64_t device, device2, managed, flag;
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
