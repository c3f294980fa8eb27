// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdint.h>

// The counter of core/time/cpucounter_aarch64.cpp.
static inline uint64_t jsa_ticks(void)
{
    uint64_t count;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(count)::"memory");
    return count;
}

// Brings memory near that is written soon.
static inline void jsa_will_write(const void *memory)
{
    __asm__ volatile("prfm pstl1keep, %0" : : "Q"(*(const char *)memory));
}

// From where a watched access is reported to where the program goes on.
#define JSA_BEHIND_ACCESS 4u

// Relocations that hold the address of a function of another library.
#define JSA_RELOCATION_CALL 1026u // R_AARCH64_JUMP_SLOT
#define JSA_RELOCATION_DATA 1025u // R_AARCH64_GLOB_DAT
// Versions of dlsym in glibc, newest first.
#define JSA_DLSYM_VERSIONS "GLIBC_2.34", "GLIBC_2.17"

// cuEGLStreamProducerPresentFrame takes a pointer, a CUeglFrame of 64 bytes and a pointer. Instead of the structure,
// the address of a copy is passed.
#define JSA_TAKE_FRAME uint64_t a0, uint64_t a1, uint64_t a2
#define JSA_GIVE_FRAME a0, a1, a2
