// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace jetscope {

/// How the clock of a trace's times and that of another machine were to each other. The truth is within the bound.
struct ClockMeeting {
    std::int64_t timeNs = 0;   ///< By the trace's clock.
    std::string clock;         ///< Whose the other one is: a name of a machine.
    std::int64_t offsetNs = 0; ///< The trace's clock minus the other one.
    std::int64_t boundNs = 0;

    bool operator==(const ClockMeeting &) const = default;
};

/// So many are kept of a trace: every half minute, for a month.
inline constexpr std::size_t kMostClockMeetings = 100'000;

/// A line for each other clock: "ada: 12.345 s behind this one within ±0.11 ms, measured 42 times".
std::vector<std::string> clockLines(const std::vector<ClockMeeting> &meetings);

} // namespace jetscope
