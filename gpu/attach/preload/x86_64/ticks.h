// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdint.h>
#include <x86intrin.h>

// The counter of core/time/cpucounter_x86.cpp.
static inline uint64_t jsa_ticks(void)
{
    return __rdtsc();
}

// Brings memory near that is written soon. Processors without the instruction ignore it.
static inline void jsa_will_write(const void *memory)
{
    __asm__ volatile("prefetchw %0" : : "m"(*(const char *)memory));
}

// From where a watched access is reported to where the program goes on.
#define JSA_BEHIND_ACCESS 0u

// Relocations that hold the address of a function of another library.
#define JSA_RELOCATION_CALL 7u // R_X86_64_JUMP_SLOT
#define JSA_RELOCATION_DATA 6u // R_X86_64_GLOB_DAT
// Versions of dlsym in glibc, newest first.
#define JSA_DLSYM_VERSIONS "GLIBC_2.34", "GLIBC_2.2.5"

// cuEGLStreamProducerPresentFrame takes a pointer, a CUeglFrame of 64 bytes and a pointer. The structure is passed on
// the stack, where the seventh of many integers is; four registers for arguments are unused.
#define JSA_TAKE_FRAME                                                                                                 \
    uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t f0, uint64_t f1,            \
        uint64_t f2, uint64_t f3, uint64_t f4, uint64_t f5, uint64_t f6, uint64_t f7
#define JSA_GIVE_FRAME a0, a1, a2, a3, a4, a5, f0, f1, f2, f3, f4, f5, f6, f7
