// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// For programs that want Jetscope to know their frames and buffers. Copy this header, or include it from where Jetscope
// is installed; nothing has to be linked. Under `jetscope attach` the calls are recorded; without it each is a test of
// a pointer. Any thread; frames should come from one thread. C and C++; define _GNU_SOURCE before the first include in
// C.

#include <dlfcn.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*jetscope_mark_function)(uint32_t kind, uint64_t first, uint64_t second, const char *name);

// The function of the library that `jetscope attach` loads into the program; null without it.
static inline jetscope_mark_function jetscope_find_mark(void)
{
    static jetscope_mark_function found;
    static int looked; // Looking twice at the same time does no harm.
    if (!__atomic_load_n(&looked, __ATOMIC_ACQUIRE)) {
        void *const address = dlsym(RTLD_DEFAULT, "jetscope_mark_v1");
        __atomic_store_n(&found, (jetscope_mark_function)address, __ATOMIC_RELAXED);
        __atomic_store_n(&looked, 1, __ATOMIC_RELEASE);
    }
    return __atomic_load_n(&found, __ATOMIC_RELAXED);
}

// The work for a frame begins. A frame lasts until the next one begins.
static inline void jetscope_frame_begin(uint64_t number)
{
    const jetscope_mark_function mark = jetscope_find_mark();
    if (mark)
        mark(1, number, 0, (const char *)0);
}

// The frame is complete.
static inline void jetscope_frame_end(uint64_t number)
{
    const jetscope_mark_function mark = jetscope_find_mark();
    if (mark)
        mark(2, number, 0, (const char *)0);
}

// Gives memory a name, which findings use until it is freed; of longer names only the first 160 bytes are kept.
static inline void jetscope_name_buffer(const void *address, uint64_t bytes, const char *name)
{
    const jetscope_mark_function mark = jetscope_find_mark();
    if (mark)
        mark(3, (uint64_t)(uintptr_t)address, bytes, name);
}

#ifdef __cplusplus
}
#endif
