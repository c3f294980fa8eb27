// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/overlap.h"
#include "core/trace/countertrack.h"

#include <cstdint>
#include <optional>

namespace jetscope {

/// A counter over a time, each value weighted by how long it held. Times at which the value is unknown do not count and
/// are not filled.
struct CurveStatistics {
    double min = 0;
    double mean = 0;
    double p95 = 0; ///< For 95 % of the known time the value was this or less.
    double max = 0;
    std::int64_t knownNs = 0; ///< For how long the value was known.

    /// The integral in units of value times second: for a power the energy in joules.
    double integral() const { return mean * static_cast<double>(knownNs) / 1e9; }
};

/// Empty if no value is known within the time.
std::optional<CurveStatistics> statisticsOf(const CounterTrack &track, Interval time);

} // namespace jetscope
