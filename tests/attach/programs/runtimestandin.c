// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Stands between a program and a library that is hooked, as CUDA's runtime does: by its name and by calls within it,
// with stack frames of its own.
#include <string.h>

void glFinish(void);

static __attribute__((noinline)) int inner(char *text, int value)
{
    char more[300];
    memset(more, value, sizeof more);
    glFinish();
    return text[value & 15] + more[value & 255];
}

static __attribute__((noinline)) int outer(int value)
{
    char text[96];
    memset(text, value, sizeof text);
    return inner(text, value) - 2 * (char)value;
}

int standinSynchronize(int value)
{
    return outer(value) + 1;
}
