// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace jetscope {

/// The clock shows milliseconds modulo this.
inline constexpr int kClockMs = 4096;
inline constexpr int kClockBits = 12;

/// A time of the clock as bits: its Gray code, and check bits. Two different times differ in at least 8 of the 24 bits
/// (extended Golay code), and so do bits of two times that a picture mixes.
struct ClockCode {
    std::uint16_t data = 0;
    std::uint16_t check = 0;

    bool operator==(const ClockCode &) const = default;
};

/// What the clock shows at a time of nowNs().
int clockMsAt(std::int64_t ns);
/// `ms` modulo kClockMs.
ClockCode clockCode(std::int64_t ms);
/// The time from 0 to kClockMs - 1; none if the bits do not fit together.
std::optional<int> clockTime(const ClockCode &code);

} // namespace jetscope
