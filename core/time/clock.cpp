// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/time/clock.h"

#include "core/time/counterclock.h"
#include "core/time/cpucounter.h"

#include <algorithm>
#include <chrono>
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
constinit thread_local std::int64_t t_lastNs = 0;

} // namespace

std::int64_t nowNs()
{
    // A new anchor may differ from the old one by nanoseconds; a span's duration must not become negative.
    t_lastNs = std::max(t_lastNs, s_clock.nowNs());
    return t_lastNs;
}

std::int64_t nowWithSleepNs()
{
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

std::int64_t sleptNs()
{
    return nowWithSleepNs() - CpuSource::monotonicNs();
}

std::int64_t wallClockOffsetNs()
{
    const auto unixTime = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(unixTime).count() - nowNs();
}

} // namespace jetscope
