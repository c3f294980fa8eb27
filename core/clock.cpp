// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/clock.h"

#include "core/counterclock.h"
#include "core/cpucounter.h"

#include <ctime>

namespace jetscope {

namespace {

struct CpuSource {
    static bool hasCounter() { return hasCpuCounter(); }
    static std::uint64_t counter() { return readCpuCounter(); }
    static std::int64_t monotonicNs()
    {
        timespec now{};
        clock_gettime(CLOCK_MONOTONIC, &now);
        return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
    }
};

constinit CounterClock<CpuSource> s_clock;

} // namespace

std::int64_t nowNs()
{
    return s_clock.nowNs();
}

} // namespace jetscope
