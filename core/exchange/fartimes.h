// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/overlap.h"
#include "core/progress.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace jetscope {

/// The times of a trace without those that cannot be: 0 where a producer had none, and what is far outside of all
/// others.
struct PlausibleTimes {
    Interval starts;              ///< The events of the trace begin here; one that lasts until then may begin before.
    std::int64_t latestEndNs = 0; ///< None ends later.

    bool has(std::int64_t startNs, std::int64_t endNs) const
    {
        return endNs >= starts.startNs && startNs <= starts.endNs && endNs <= latestEndNs;
    }
    bool has(std::int64_t ns) const { return has(ns, ns); }
};

/// Whether the times between `firstNs` and `lastNs` are so far apart that it is worth to look at each of them.
bool mayHaveFarTimes(std::int64_t firstNs, std::int64_t lastNs, bool hasZero);

/// Looks for times that cannot be, given the beginning of every event; `zeroNs` is where a time of 0 in the file lies.
/// Most of the events must be close together, as they are in any recording. Empty when cancelled.
std::optional<PlausibleTimes> plausibleTimes(std::vector<std::int64_t> starts, std::int64_t zeroNs, Progress &progress,
                                             double fraction);

} // namespace jetscope
