// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A library that a user preloads: it has a glFinish, too, and says how often it was called.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

static unsigned long s_calls;

__attribute__((visibility("default"))) void glFinish(void)
{
    void (*next)(void) = (void (*)(void))dlsym(RTLD_NEXT, "glFinish");
    ++s_calls;
    if (next)
        next();
}

__attribute__((destructor)) static void say(void)
{
    if (s_calls > 0)
        fprintf(stderr, "the user's glFinish %lu\n", s_calls);
}
