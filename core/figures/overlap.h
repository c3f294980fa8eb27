// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

/// A half-open time interval [startNs, endNs).
struct Interval {
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;

    bool operator==(const Interval &) const = default;
};

using Intervals = std::vector<Interval>;

/// Lower and upper bound of a ratio.
struct RatioBounds {
    double atLeast = 0;
    double atMost = 0;
};

/// If the bounds differ by more than this (five percentage points), no single ratio is reported.
inline constexpr double kMaxRatioSpread = 0.05;

/// For example "between 41 and 63 %".
std::string boundsText(const RatioBounds &bounds);

/// How CPU and GPU shared a period, or the sums over several (computed by BusyTimeSweep). All times are nanoseconds.
///
/// The work of a bounded span ran somewhere within the span. There are therefore two sums for the GPU: the upper bound
/// counts such a span as busy from start to end, the lower bound ignores it.
struct Overlap {
    std::int64_t periodNs = 0;
    std::int64_t cpuNs = 0;         ///< |C|: the pipeline or the CPU-stage lane is busy.
    std::int64_t gpuNs = 0;         ///< |G|: any GPU lane is busy; upper bound.
    std::int64_t bothNs = 0;        ///< |C ∩ G|; upper bound.
    std::int64_t idleNs = 0;        ///< Neither; lower bound.
    std::int64_t gpuBoundedNs = 0;  ///< The part of gpuNs from bounded spans only.
    std::int64_t bothBoundedNs = 0; ///< The part of bothNs from bounded spans only.

    std::int64_t gpuAtLeastNs() const { return gpuNs - gpuBoundedNs; }
    std::int64_t bothAtLeastNs() const { return bothNs - bothBoundedNs; }

    /// both / min(|C|, |G|); empty if the smaller is under 2 % of the period, or if the bounds differ too much.
    std::optional<double> overlap() const;
    /// Bounds of the overlap for any actual times of the bounded work; empty if the smaller side is under 2 % of the
    /// period. Both bounds are equal if every span is exact.
    std::optional<RatioBounds> overlapBounds() const;
    /// The same where the GPU may also have done other work, at any time, that no span shows.
    Overlap withUnseenGpuWork() const;
    /// Display text of the reason for an empty overlap; otherwise empty.
    std::string overlapReason() const;
    /// (|C| + |G|) / |C ∪ G|: 1 is serial, 2 is perfect; 1 if nothing is busy. Uses the upper bounds.
    double parallelism() const;

    Overlap &operator+=(const Overlap &other);
};

} // namespace jetscope
