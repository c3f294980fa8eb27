// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/enumtable.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace jetscope {

/// The clocks of this machine that others date with.
enum class SystemClock : std::uint8_t {
    Monotonic,
    Boot,     ///< As Monotonic, but it goes on while the machine sleeps.
    Realtime, ///< Unix time.
    Raw,      ///< As Monotonic, but without the corrections of NTP.
    Atomic,   ///< TAI: Unix time without leap seconds.
    Counter,  ///< The CPU's counter from the start of the machine, in nanoseconds: what Jetson's cameras date with.
};

struct SystemClockRow {
    SystemClock clock;
    std::string_view key;
    std::string_view name;
};

inline constexpr auto kSystemClocks = std::to_array<SystemClockRow>({
    {SystemClock::Monotonic, "monotonic", "CLOCK_MONOTONIC"},
    {SystemClock::Boot, "boot", "CLOCK_BOOTTIME"},
    {SystemClock::Realtime, "realtime", "CLOCK_REALTIME"},
    {SystemClock::Raw, "raw", "CLOCK_MONOTONIC_RAW"},
    {SystemClock::Atomic, "tai", "CLOCK_TAI"},
    {SystemClock::Counter, "counter", "the CPU's counter"},
});
static_assert(hasEveryRow(kSystemClocks, &SystemClockRow::clock));

constexpr const SystemClockRow &rowOf(SystemClock clock)
{
    return kSystemClocks[static_cast<std::size_t>(clock)];
}

/// How far a clock was ahead of nowNs() at a moment.
struct SystemClockReading {
    SystemClock clock = SystemClock::Monotonic;
    std::int64_t atNs = 0; ///< By nowNs().
    std::int64_t aheadNs = 0;
    std::int64_t boundNs = 0; ///< It is right to this much.
};

/// All clocks that this machine has, read now. The counter is left out where its rate is not told.
std::vector<SystemClockReading> readClocks();

} // namespace jetscope
