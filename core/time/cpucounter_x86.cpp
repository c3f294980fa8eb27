// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/time/cpucounter.h"

#include <cpuid.h>
#include <x86intrin.h>

namespace jetscope {

bool hasCpuCounter()
{
    // Leaf 8000'0007h, EDX bit 8: the TSC is invariant, with a constant rate in all power states.
    constexpr unsigned kPowerLeaf = 0x80000007;
    constexpr unsigned kInvariantTsc = 1u << 8;
    unsigned eax = 0;
    unsigned ebx = 0;
    unsigned ecx = 0;
    unsigned edx = 0;
    return __get_cpuid(kPowerLeaf, &eax, &ebx, &ecx, &edx) != 0 && (edx & kInvariantTsc) != 0;
}

std::uint64_t readCpuCounter()
{
    return __rdtsc();
}

std::uint64_t cpuCounterHz()
{
    return 0;
}

} // namespace jetscope
