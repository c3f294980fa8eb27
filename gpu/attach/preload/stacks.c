// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "preload.h"

// The address to which a call returns is in a runtime where the program uses one (libcudart, also linked statically),
// and the collector finds out from the stack who called that. Only memory that is certainly mapped is read: the stack
// may be a coroutine's, and its end is not known.

extern void *__libc_stack_end __attribute__((weak)); // Of the first thread, as the kernel made it.

enum { kSmallestPage = 4096, kOfFirstThread = 1 << 20 };

// Behind what can be read from `from` on.
static uintptr_t readable_end(uintptr_t from)
{
    const uintptr_t first = &__libc_stack_end ? (uintptr_t)__libc_stack_end : 0;
    if (first > from && first - from < kOfFirstThread)
        return first;
    return ((from - 1) | (kSmallestPage - 1)) + 1; // The page of the frame below.
}

__attribute__((noinline)) void jsa_write_stack(void)
{
    const uintptr_t from = (uintptr_t)__builtin_dwarf_cfa();
    const uintptr_t end = readable_end(from);
    uint64_t data[JSA_ARGUMENTS] = {(uintptr_t)__builtin_return_address(0), from,
                                    *(const uintptr_t *)__builtin_frame_address(0)};
    uint32_t filled = JSA_STACK_HEAD;
    const uint64_t *word = (const uint64_t *)from;
    for (uint32_t i = 0; i < JSA_STACK_WORDS && (uintptr_t)(word + 1) <= end; ++i, ++word) {
        if (filled == JSA_ARGUMENTS) {
            if (!jsa_write_part(JSA_CALL_STACK, data))
                return;
            filled = 0;
        }
        data[filled++] = *word;
    }
    for (; filled < JSA_ARGUMENTS; ++filled)
        data[filled] = 0;
    jsa_write_part(JSA_CALL_STACK, data);
}
