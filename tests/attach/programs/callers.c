// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// callers FRAMES : two functions call a runtime (runtimestandin.c), which calls glFinish for them: `upload` in each
// frame, `show` in each third one.
#include <stdlib.h>
#include <time.h>

unsigned eglSwapBuffers(void *display, void *surface);
int standinSynchronize(int value);

static __attribute__((noinline)) int upload(int frame)
{
    return standinSynchronize(frame) + 1; // UPLOAD
}

static __attribute__((noinline)) int show(int frame)
{
    return standinSynchronize(frame) + 2; // SHOW
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
