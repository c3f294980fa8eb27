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

// Relocations that hold the address of a function of another library.
#define JSA_RELOCATION_CALL 7u // R_X86_64_JUMP_SLOT
#define JSA_RELOCATION_DATA 6u // R_X86_64_GLOB_DAT
// Versions of dlsym in glibc, newest first.
#define JSA_DLSYM_VERSIONS "GLIBC_2.34", "GLIBC_2.2.5"
