// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Part of a program: mremap as emulators and some sandboxes have it.
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>

__attribute__((visibility("default"))) void *mremap(void *old, size_t old_bytes, size_t bytes, int flags, ...)
{
    (void)old;
    (void)old_bytes;
    (void)bytes;
    (void)flags;
    errno = ENOMEM;
    return (void *)-1;
}
