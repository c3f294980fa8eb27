// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "preload.h"

#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

// A program that ends by _exit or _Exit runs no handlers of exit. The library with CUPTI gives the times of the last
// work here first. Without that library they only pass through. Signal handlers may call them, too.

static void (*s_before_exit)(void);
static void (*s_real)(int);

// Called by the library with CUPTI once; `before` must return within a short time and be allowed in signal handlers.
__attribute__((visibility("default"))) void jetscope_before_exit_v1(void (*before)(void))
{
    if (!jsa_real_dlsym)
        jsa_find_dlsym();
    if (jsa_real_dlsym)
        *(void **)&s_real = jsa_real_dlsym(RTLD_NEXT, "_exit"); // A sanitizer's, for example.
    __atomic_store_n(&s_before_exit, before, __ATOMIC_RELEASE);
}

static void leave(int status) __attribute__((noreturn));
static void leave(int status)
{
    void (*const before)(void) = __atomic_load_n(&s_before_exit, __ATOMIC_ACQUIRE);
    if (before)
        before();
    if (s_real)
        s_real(status);
    for (;;)
        syscall(SYS_exit_group, status);
}

__attribute__((visibility("default"))) void _exit(int status)
{
    leave(status);
}

__attribute__((visibility("default"))) void _Exit(int status)
{
    leave(status);
}
