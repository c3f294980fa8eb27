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

/// What a GPU did in an interval: busy, or idle while the CPU did something else. All times add up to the interval.
struct GpuTimes {
    static constexpr std::int64_t kShortGapNs = 20'000;

    Interval time;
    std::optional<std::uint32_t> gpu; ///< LaneInfo::gpu if the trace has work of several.
    std::int64_t kernelNs = 0;        ///< At least one kernel or draw ran.
    std::int64_t copyNs = 0;          ///< Only copies ran.
    std::int64_t boundedNs = 0;       ///< The part of both in which work ran at an unknown time within bounds.
    std::vector<GpuIdleCause> idle;   ///< Longest time first.

    std::int64_t idleNs() const { return time.endNs - time.startNs - kernelNs - copyNs; }
};

/// A period of GpuTimes::kShortGapNs or longer in which a GPU had nothing to do.
struct GpuIdleGap {
    static constexpr std::size_t kNoTrack = static_cast<std::size_t>(-1);

    Interval time;
    /// The span of the CPU that lasted for at least half of it, by track and index; of the trace that was read.
    std::size_t track = kNoTrack;
    std::uint64_t index = 0;

    bool hasCause() const { return track != kNoTrack; }
};

struct GpuIdleGaps {
    std::optional<std::uint32_t> gpu; ///< As in GpuTimes.
    std::vector<GpuIdleGap> gaps;     ///< In order of time.
};

/// Of each GPU that has work in the trace, at whatever time, in the order of their numbers; work of lanes without a
/// number comes last, or is that of the only GPU. Of a trace without such work nothing is known. The cause of a gap is
/// looked for on the thread that launched the work behind it, if the trace tells which (its edges must be those of
/// `time`), else on all threads: the deepest span that lasted for half of the gap or longer. Time grows with the spans
/// of the GPUs and with the gaps: not for threads that must not block. Empty when cancelled.
std::optional<std::vector<GpuTimes>> gpuTimes(const Trace &trace, Interval time, Progress &progress);

/// The gaps of each GPU in the whole trace, with the causes that gpuTimes() would name. Like that not for threads that
/// must not block. Empty when cancelled.
std::optional<std::vector<GpuIdleGaps>> gpuIdleGaps(const Trace &trace, Progress &progress);

} // namespace jetscope
