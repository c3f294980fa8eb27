// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/time/cpucounter.h"

namespace jetscope {

bool hasCpuCounter()
{
    // The generic timer's virtual count is invariant by the architecture, and Linux allows user programs to read it.
    return true;
}

std::uint64_t readCpuCounter()
{
    std::uint64_t count = 0;
    // The barrier keeps the processor from reading the counter before earlier instructions have completed (Arm
    // Architecture Reference Manual, CNTVCT_EL0); Linux's own clock does the same.
    asm volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(count)::"memory");
    return count;
}

std::uint64_t cpuCounterHz()
{
    std::uint64_t hz = 0;
    asm volatile("mrs %0, cntfrq_el0" : "=r"(hz));
    return hz;
}

} // namespace jetscope
