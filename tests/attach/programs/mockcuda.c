// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A libcuda without a GPU: the entry points that a program needs, which count their calls and check their arguments.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define VISIBLE __attribute__((visibility("default")))
typedef int result;

static unsigned long s_launches, s_copies, s_registrations, s_wrong;

VISIBLE unsigned long mockcuda_launches(void)
{
    return s_launches;
}
VISIBLE unsigned long mockcuda_copies(void)
{
    return s_copies;
}
VISIBLE unsigned long mockcuda_registrations(void)
{
    return s_registrations;
}
VISIBLE unsigned long mockcuda_wrong(void)
{
    return s_wrong;
}

static void *next_handle(void)
{
    static uintptr_t handle = 0x100000;
    return (void *)(handle += 0x1000);
}

VISIBLE result cuInit(unsigned flags)
{
    return flags == 0 ? 0 : 1;
}

VISIBLE result cuModuleGetFunction(void **function, void *module, const char *name)
{
    if (!module || strcmp(name, "missing") == 0)
        return 500; // CUDA_ERROR_NOT_FOUND
    *function = next_handle();
    return 0;
}

VISIBLE result cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                              unsigned bz, unsigned shared, void *stream, void **parameters, void **extra)
{
    (void)stream;
    ++s_launches;
    s_wrong += !function || gx != 1 || gy != 2 || gz != 3 || bx != 4 || by != 5 || bz != 6 || shared != 7
        || parameters != (void **)8 || extra != (void **)9;
    return 0;
}

VISIBLE result cuMemAlloc_v2(uint64_t *address, size_t bytes)
{
    *address = (uint64_t)(uintptr_t)next_handle();
    return bytes > 0 ? 0 : 1;
}

VISIBLE result cuMemFree_v2(uint64_t address)
{
    return address ? 0 : 1;
}

VISIBLE result cuMemHostAlloc(void **address, size_t bytes, unsigned flags)
{
    (void)flags;
    *address = malloc(bytes);
    return 0;
}

VISIBLE result cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *stream)
{
    (void)stream;
    ++s_copies;
    s_wrong += to == 0 || from == NULL || bytes != 4096;
    return 0;
}

VISIBLE result cuGraphicsEGLRegisterImage(void **resource, void *image, unsigned flags)
{
    ++s_registrations;
    s_wrong += image != (void *)11 || flags != 0;
    *resource = next_handle();
    return 0;
}

VISIBLE result cuGraphicsUnregisterResource(void *resource)
{
    return resource ? 0 : 1;
}

VISIBLE result cuStreamCreate(void **stream, unsigned flags)
{
    (void)flags;
    *stream = next_handle();
    return 0;
}

VISIBLE result cuStreamSynchronize(void *stream)
{
    (void)stream;
    return 0;
}

VISIBLE result cuCtxSynchronize(void)
{
    return 0;
}

VISIBLE result cuGetProcAddress_v2(const char *symbol, void **function, int version, uint64_t flags, int *status)
{
    static const struct {
        const char *name;
        void *function;
    } functions[] = {
        {"cuInit", (void *)cuInit},
        {"cuModuleGetFunction", (void *)cuModuleGetFunction},
        {"cuLaunchKernel", (void *)cuLaunchKernel},
        {"cuMemAlloc", (void *)cuMemAlloc_v2},
        {"cuMemFree", (void *)cuMemFree_v2},
        {"cuMemHostAlloc", (void *)cuMemHostAlloc},
        {"cuMemcpyHtoDAsync", (void *)cuMemcpyHtoDAsync_v2},
        {"cuGraphicsEGLRegisterImage", (void *)cuGraphicsEGLRegisterImage},
        {"cuGraphicsUnregisterResource", (void *)cuGraphicsUnregisterResource},
        {"cuStreamCreate", (void *)cuStreamCreate},
        {"cuStreamSynchronize", (void *)cuStreamSynchronize},
        {"cuCtxSynchronize", (void *)cuCtxSynchronize},
        {"cuGetProcAddress", (void *)cuGetProcAddress_v2},
    };
    s_wrong += version != 12020 || flags != 0;
    if (status)
        *status = 0;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
        if (strcmp(functions[i].name, symbol) == 0) {
            *function = functions[i].function;
            return 0;
        }
    *function = NULL;
    return 500;
}
