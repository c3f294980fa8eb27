// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// cudaprogram LIBRARY WAY FRAMES : uses CUDA as the static runtime does (dlsym of cuGetProcAddress_v2, everything else
// through it), well ("good") or with every waste that Jetscope looks for ("wasteful"), or with 100 launches and a wait
// in each millisecond ("rate"), or until a wait that never ends ("hang"; without
// marks of its frames: "hang unmarked"), or before a child process ("child"), or it
// ends with 3 in another way
// ("_exit", "_Exit", "quick_exit", "_exit in a signal handler"). Exits
// with 0 if all arguments arrived.
#define _GNU_SOURCE
#include "gpu/attach/jetscope_mark.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef int result;

static result (*s_get)(const char *, void **, int, uint64_t, int *);

static void *get(const char *name)
{
    void *function = NULL;
    s_get(name, &function, 12020, 0, NULL);
    return function;
}

static void leave(int signal)
{
    (void)signal;
    _exit(3);
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return 3;
    const int wasteful = strcmp(argv[2], "wasteful") == 0;
    *(void **)&s_get = dlsym(library, "cuGetProcAddress_v2");
    *(void **)&s_get = get("cuGetProcAddress"); // As the runtime does.
    result (*init)(unsigned) = (result(*)(unsigned))get("cuInit");
    result (*find)(void **, void *, const char *) =
        (result(*)(void **, void *, const char *))get("cuModuleGetFunction");
    result (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,
                     void **) = (void *)get("cuLaunchKernel");
    result (*allocate)(uint64_t *, size_t) = (result(*)(uint64_t *, size_t))get("cuMemAlloc");
    result (*release)(uint64_t) = (result(*)(uint64_t))get("cuMemFree");
    result (*host)(void **, size_t, unsigned) = (result(*)(void **, size_t, unsigned))get("cuMemHostAlloc");
    result (*copy)(uint64_t, const void *, size_t, void *) = (void *)get("cuMemcpyHtoDAsync");
    result (*image)(void **, void *, unsigned) =
        (result(*)(void **, void *, unsigned))get("cuGraphicsEGLRegisterImage");
    result (*end_image)(void *) = (result(*)(void *))get("cuGraphicsUnregisterResource");
    result (*make_stream)(void **, unsigned) = (result(*)(void **, unsigned))get("cuStreamCreate");
    result (*wait)(void *) = (result(*)(void *))get("cuStreamSynchronize");
    result (*wait_all)(void) = (result(*)(void))get("cuCtxSynchronize");

    void *function = NULL, *stream = NULL, *pinned = NULL, *resource = NULL;
    uint64_t memory = 0;
    static char pageable[4096];
    init(0);
    find(&function, (void *)1, "a_kernel_with_a_rather_long_name_that_needs_two_records");
    if (find(&function, (void *)1, "missing") == 0)
        return 4;
    make_stream(&stream, 0);
    allocate(&memory, 4096);
    host(&pinned, 4096, 0);
    image(&resource, (void *)11, 0);
    const int frames = atoi(argv[3]);
    const int is_marked = strcmp(argv[2], "hang unmarked") != 0;
    const int launches_each = strcmp(argv[2], "rate") == 0 ? 99 : 0;
    struct timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    for (int frame = 0; frame < frames; ++frame) {
        if (is_marked)
            jetscope_frame_begin((uint64_t)frame);
        if (wasteful) {
            end_image(resource);
            image(&resource, (void *)11, 0);
            release(memory);
            allocate(&memory, 4096);
            launch(function, 1, 2, 3, 4, 5, 6, 7, NULL, (void **)8, (void **)9);
        }
        copy(memory, wasteful ? pageable : pinned, 4096, stream);
        launch(function, 1, 2, 3, 4, 5, 6, 7, stream, (void **)8, (void **)9);
        for (int i = 0; i < launches_each; ++i)
            launch(function, 1, 2, 3, 4, 5, 6, 7, stream, (void **)8, (void **)9);
        if (launches_each > 0) {
            next.tv_nsec += 1000000;
            next.tv_sec += next.tv_nsec / 1000000000;
            next.tv_nsec %= 1000000000;
            clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
        }
        if (wasteful)
            wait_all();
        else
            wait(stream);
        if (is_marked)
            jetscope_frame_end((uint64_t)frame);
    }
    if (strcmp(argv[2], "child") == 0) { // What a child would find.
        fflush(stdout);
        if (system(
                "echo variables $(env | grep -c -e JETSCOPE_ATTACH -e JETSCOPE_CUPTI -e CUDA_INJECTION -e LD_PRELOAD)"))
            return 6;
    }
    fflush(stdout);
    if (strcmp(argv[2], "_exit") == 0)
        _exit(3);
    if (strcmp(argv[2], "_Exit") == 0)
        _Exit(3);
    if (strcmp(argv[2], "quick_exit") == 0)
        quick_exit(3);
    if (strncmp(argv[2], "_exit in", 8) == 0) {
        signal(SIGUSR1, leave);
        raise(SIGUSR1);
    }
    if (strncmp(argv[2], "hang", 4) == 0)
        wait((void *)0xdead); // It says so.
    unsigned long (*launched)(void) = (unsigned long (*)(void))dlsym(library, "mockcuda_launches");
    unsigned long (*copies)(void) = (unsigned long (*)(void))dlsym(library, "mockcuda_copies");
    unsigned long (*registrations)(void) = (unsigned long (*)(void))dlsym(library, "mockcuda_registrations");
    unsigned long (*wrong)(void) = (unsigned long (*)(void))dlsym(library, "mockcuda_wrong");
    printf("cuLaunchKernel %lu\ncuMemcpyHtoDAsync_v2 %lu\ncuGraphicsEGLRegisterImage %lu\n", launched(), copies(),
           registrations());
    return wrong() == 0 ? 0 : 5;
}
