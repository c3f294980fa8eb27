// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/time/clockreadings.h"

#include "core/time/clock.h"
#include "core/time/cpucounter.h"

#include <ctime>
#include <optional>

namespace jetscope {

namespace {

constexpr std::int64_t kClockSecondNs = 1'000'000'000;

std::optional<std::int64_t> systemTime(clockid_t id)
{
    timespec now{};
    if (clock_gettime(id, &now) != 0)
        return std::nullopt;
    return std::int64_t{now.tv_sec} * kClockSecondNs + now.tv_nsec;
}

std::optional<std::int64_t> counterNs()
{
    const std::uint64_t hz = cpuCounterHz();
    if (hz == 0)
        return std::nullopt;
    const std::uint64_t count = readCpuCounter();
    return static_cast<std::int64_t>(count / hz) * kClockSecondNs
        + static_cast<std::int64_t>(count % hz * static_cast<std::uint64_t>(kClockSecondNs) / hz);
}

std::optional<std::int64_t> systemTime(SystemClock clock)
{
    switch (clock) {
    case SystemClock::Monotonic:
        return systemTime(CLOCK_MONOTONIC);
    case SystemClock::Boot:
        return systemTime(CLOCK_BOOTTIME);
    case SystemClock::Realtime:
        return systemTime(CLOCK_REALTIME);
    case SystemClock::Raw:
        return systemTime(CLOCK_MONOTONIC_RAW);
    case SystemClock::Atomic:
        return systemTime(CLOCK_TAI);
    case SystemClock::Counter:
        return counterNs();
    }
    return std::nullopt;
}

/// Between two readings of our clock. Of some tries the quickest, which was not interrupted.
std::optional<SystemClockReading> systemReading(SystemClock clock)
{
    constexpr int kTries = 9;
    std::optional<SystemClockReading> best;
    for (int i = 0; i < kTries; ++i) {
        const std::int64_t before = nowNs();
        const std::optional<std::int64_t> time = systemTime(clock);
        const std::int64_t took = nowNs() - before;
        if (!time)
            return std::nullopt;
        const std::int64_t atNs = before + took / 2;
        if (!best || took / 2 + 1 < best->boundNs)
            best = SystemClockReading{clock, atNs, *time - atNs, took / 2 + 1};
    }
    return best;
}

} // namespace

std::vector<SystemClockReading> readClocks()
{
    std::vector<SystemClockReading> readings;
    for (const SystemClockRow &row : kSystemClocks)
        if (const std::optional<SystemClockReading> reading = systemReading(row.clock))
            readings.push_back(*reading);
    // TAI is Unix time until someone has told the kernel of leap seconds.
    return readings;
}

} // namespace jetscope
