// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Frames by calls of linked functions; part of programs, and a library of its own that is loaded later.

unsigned eglSwapBuffers(void *display, void *surface);
void glFinish(void);
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
