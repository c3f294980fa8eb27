// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// callers FRAMES : two functions call a runtime (runtimestandin.c), which calls glFinish for them: `upload` in each
// frame, through a wrapper of the runtime that is inlined, and `present` in each third one, inlined itself.
#include <stdlib.h>
#include <time.h>

unsigned eglSwapBuffers(void *display, void *surface);
int standinSynchronize(int value);

// As the templates of cuda_runtime.h.
static inline __attribute__((always_inline)) int cudaStandinSynchronize(int value)
{
    return standinSynchronize(value);
}

static __attribute__((noinline)) int upload(int frame)
{
    return cudaStandinSynchronize(frame) + 1; // UPLOAD
}

static inline __attribute__((always_inline)) int present(int frame)
{
    return standinSynchronize(frame) + 2; // PRESENT
}

static __attribute__((noinline)) int show(int frame)
{
    return present(frame) + 3;
}

int main(int argc, char **argv)
{
    const int frames = argc > 1 ? atoi(argv[1]) : 0;
    int sum = 0;
    for (int frame = 0; frame < frames; ++frame) {
        sum += upload(frame);
        if (frame % 3 == 0)
            sum += show(frame);
        eglSwapBuffers((void *)1, (void *)2);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return sum == 0;
}
