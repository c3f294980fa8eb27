// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/progress.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace jetscope {

/// Why the GPU had nothing to do.
struct GpuIdleCause {
    enum class Kind : std::uint8_t {
        During,  ///< A span of the CPU lasted for at least half of the gap.
        Short,   ///< The gap was shorter than kShortGapNs: between launches.
        Nothing, ///< No such span was recorded.
    };
    Kind kind = Kind::Nothing;
    LaneId lane = 0;    ///< Of Kind::During, like the name.
    TraceName name = 0; ///< One of the names that are shown as one (NameGroups).
    std::int64_t ns = 0;
    std::uint64_t gaps = 0;
    Interval longest; ///< The longest of the gaps.
};

/// What the GPU did in an interval: busy, or idle while the CPU did something else. All times add up to the interval.
struct GpuTimes {
    static constexpr std::int64_t kShortGapNs = 20'000;

    Interval time;
    bool hasLanes = false;          ///< The trace has work of the GPU, at some time. Else nothing is known of it.
    std::int64_t kernelNs = 0;      ///< At least one kernel or draw ran.
    std::int64_t copyNs = 0;        ///< Only copies ran.
    std::int64_t boundedNs = 0;     ///< The part of both in which work ran at an unknown time within bounds.
    std::vector<GpuIdleCause> idle; ///< Longest time first.

    std::int64_t idleNs() const { return time.endNs - time.startNs - kernelNs - copyNs; }
};

/// The cause of a gap is looked for on the thread that launched the work behind it, if the trace tells which (its edges
/// must be those of `time`), else on all threads: the deepest span that lasted for half of the gap or longer. Time
/// grows with the spans of the GPU and with the gaps: not for threads that must not block. Empty when cancelled.
std::optional<GpuTimes> gpuTimes(const Trace &trace, Interval time, Progress &progress);

} // namespace jetscope
