// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/board/reading.h"
#include "core/figures/overlap.h"
#include "core/trace/countertrack.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// Whether a counter is the power of the rail that feeds the whole module or board.
bool isInputRail(std::string_view counter);

/// Indices of the counters whose powers add up to the best known power of the machine: the input rail of a board, else
/// the sum of its rails, else the power of a discrete GPU and of the processor packages. Empty if there is none.
std::vector<std::size_t> energyCounters(std::span<const CounterTrack> counters);

/// The index of the first sample at or after a time.
std::uint64_t firstSampleFrom(const CounterTrack &track, std::int64_t ns);

/// Energy over a time.
struct Energy {
    Reading<double> joules;
    std::string source; ///< "power VDD_IN", "power GPU + power CPU package-0"; empty if unknown.
};

/// Integrates the power by the trapezoidal rule over the readings and their times. Unknown if a reading is unknown, if
/// there are fewer than three, or if none was made for more than a second. At the ends a reading counts for a quarter
/// of a second.
Energy energyWithin(std::span<const CounterTrack> counters, Interval time);

} // namespace jetscope
