// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/clockcode.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace jetscope {

/// How black each cell is against its inverse, from -1 to 1: the bits of the time, then the check bits.
using ClockCells = std::array<float, 2 * kClockBits>;

/// A time of the clock and when it was on the screen.
struct ShownStretch {
    int ms = 0; ///< Negative for none.
    std::int64_t fromNs = 0;
    std::int64_t untilNs = 0;
};

/// When the clock in a picture was exposed.
struct FittedExposure {
    std::int64_t middleNs = 0;
    std::int64_t lengthNs = 0;
    std::int64_t boundNs = 0; ///< The middle is known to so much to both sides.
};

/// Finds the exposure of a picture that mixes several times: the only stretch of what the screen has shown whose mean
/// gives these cells. None if there is no such stretch, or another one that would do, too. `shown` is in order, without
/// holes.
std::optional<FittedExposure> fitExposure(const ClockCells &cells, std::span<const ShownStretch> shown);

} // namespace jetscope
