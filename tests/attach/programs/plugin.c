// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Frames by calls of linked functions; part of programs, and a library of its own that is loaded later.

unsigned eglSwapBuffers(void *display, void *surface);
void glFinish(void);
void glFlush(void);
void glDrawArrays(unsigned mode, int first, int vertices);
void glTexImage2D(unsigned target, int level, int internal, int width, int height, int border, unsigned format,
                  unsigned type, const void *pixels);
void *eglCreateImageKHR(void *display, void *context, unsigned target, void *buffer, const int *attributes);

__attribute__((visibility("default"))) void linked_frames(int frames)
{
    for (int frame = 0; frame < frames; ++frame) {
        for (int i = 0; i < 3; ++i)
            glDrawArrays(4, 0, 3);
        glFinish();
        if (frame % 10 == 0) {
            glTexImage2D(0xde1, -1, 0x8058, 640, 480, 0, 0x1908, 0x1401, (const void *)0x123456789abcdef0);
            eglCreateImageKHR((void *)1, (void *)2, 3, (void *)4, (const int *)0);
        }
        eglSwapBuffers((void *)1, (void *)5);
    }
}

#ifdef CALLS_WHEN_UNLOADED
__attribute__((destructor)) static void leave(void)
{
    glFlush();
}
#endif

#ifdef CALLS_WHEN_LOADED
#include <pthread.h>

static void *swap(void *nothing)
{
    linked_frames(1);
    glFlush(); // The first such call of the process.
    return nothing;
}

// The dynamic linker holds its lock meanwhile.
__attribute__((constructor)) static void come(void)
{
    pthread_t thread;
    if (pthread_create(&thread, 0, swap, 0) == 0)
        pthread_join(thread, 0);
}
#endif
