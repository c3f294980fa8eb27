// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the programs of hazards.c share: the functions of CUDA, found at run time, and the objects of a run.

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
    X(cuStreamAddCallback, (stream_t, void (*)(stream_t, int, void *), void *, unsigned))                              \
    X(cuLaunchHostFunc, (stream_t, void (*)(void *), void *))                                                          \
    X(cuMemsetD8_v2, (uint64_t, unsigned char, size_t))                                                                \
    X(cuMemsetD8Async, (uint64_t, unsigned char, size_t, stream_t))                                                    \
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
    X(cuMemcpyHtoD_v2, (uint64_t, const void *, size_t))                                                               \
    X(cuMemcpyDtoH_v2, (void *, uint64_t, size_t))                                                                     \
    X(cuMemcpyDtoDAsync_v2, (uint64_t, uint64_t, size_t, stream_t))                                                    \
    X(cuMemcpyAsync, (uint64_t, uint64_t, size_t, stream_t))                                                           \
    X(cuMemcpy2DAsync_v2, (const uint64_t *, stream_t))                                                                \
    X(cuMemsetD2D8Async, (uint64_t, size_t, unsigned char, size_t, size_t, stream_t))                                  \
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

static int now(void)
{
    return s.frame == kOnce;
}
static void launch(stream_t stream)
{
    CALL(cuLaunchKernel, s.function, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL);
}
static void wait_for(stream_t stream)
{
    CALL(cuStreamSynchronize, stream);
}

// A kernel of some 20 us.
static const char kKernel[] =
    ".version 6.0\n.target sm_50\n.address_size 64\n.visible .entry spin()\n{\n"
    ".reg .u64 %t<3>;\n.reg .pred %p;\nmov.u64 %t0, %globaltimer;\nadd.u64 %t1, %t0, 20000;\n"
    "again:\nmov.u64 %t2, %globaltimer;\nsetp.lt.u64 %p, %t2, %t1;\n@%p bra again;\nret;\n}\n";

static void prepare(void)
{
    int device = 0;
    void *module = NULL;
    CALL(cuInit, 0);
    CALL(cuDeviceGet, &device, 0);
    CALL(cuDevicePrimaryCtxRetain, &s.context, device);
    CALL(cuCtxSetCurrent, s.context);
    CALL(cuModuleLoadData, &module, kKernel);
    CALL(cuModuleGetFunction, &s.function, module, "spin");
    CALL(cuStreamCreate, &s.a, 1);
    CALL(cuStreamCreate, &s.b, 1);
    CALL(cuEventCreate, &s.event, 2);
    CALL(cuEventCreate, &s.other, 2);
    CALL(cuMemAlloc_v2, &s.device, kBytes);
    CALL(cuMemAlloc_v2, &s.device2, kBytes);
    CALL(cuMemAlloc_v2, &s.flag, kBytes);
    CALL(cuMemsetD8_v2, s.flag, 0, kBytes);
    CALL(cuCtxSynchronize);
    CALL(cuMemHostAlloc, &s.pinned, kBytes, 0);
    CALL(cuMemHostAlloc, &s.pinned2, kBytes, 0);
    s.pageable = aligned_alloc(kBytes, kBytes);
    memset(s.pageable, 0, kBytes);
    jetscope_name_buffer(s.pinned, kBytes, "result");
    jetscope_name_buffer(s.pageable, kBytes, "input");
}
