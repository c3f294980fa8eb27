// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Frames of a program that uses tests/attach/programs/mockgl.c.

struct mock_functions {
    unsigned (*swap)(void *display, void *surface);
    void (*finish)(void);
    void (*draw)(unsigned mode, int first, int vertices);
    void (*texture)(unsigned target, int level, int internal, int width, int height, int border, unsigned format,
                    unsigned type, const void *pixels);
    void *(*image)(void *display, void *context, unsigned target, void *buffer, const int *attributes);
};

// Each frame: three draws, a finish, a swap; each tenth a texture and an image.
static inline void make_frames(const struct mock_functions *gl, int frames)
{
    for (int frame = 0; frame < frames; ++frame) {
        for (int i = 0; i < 3; ++i)
            gl->draw(4, 0, 3);
        gl->finish();
        if (frame % 10 == 0) {
            gl->texture(0xde1, -1, 0x8058, 640, 480, 0, 0x1908, 0x1401, (const void *)0x123456789abcdef0);
            gl->image((void *)1, (void *)2, 3, (void *)4, (const int *)0);
        }
        gl->swap((void *)1, (void *)5);
    }
}
