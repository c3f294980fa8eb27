// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

/// A half-open piece of time [startNs, endNs).
struct Interval {
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;

    bool operator==(const Interval &) const = default;
};

using Intervals = std::vector<Interval>;

/// A ratio of which only the limits are known.
struct RatioBounds {
    double atLeast = 0;
    double atMost = 0;
};

/// Ratios that differ by more than this cannot stand for each other: five points.
inline constexpr double kMostRatioSpread = 0.05;

/// "between 41 and 63 %"
std::string boundsText(const RatioBounds &bounds);

/// How CPU and GPU shared a period, or the sums over several (BusyTimeSweep makes it). All times are nanoseconds.
///
/// A bounded span says that its work ran somewhere inside it. So there are two sums for the GPU: at most, which takes
/// such a span for busy from end to end, and at least, which leaves it out.
struct Overlap {
    std::int64_t periodNs = 0;
    std::int64_t cpuNs = 0;         ///< |C|: the pipeline or the CPU-stage lane is busy.
    std::int64_t gpuNs = 0;         ///< |G|: any GPU lane is busy; at most.
    std::int64_t bothNs = 0;        ///< |C ∩ G|; at most.
    std::int64_t idleNs = 0;        ///< Neither; at least.
    std::int64_t gpuBoundedNs = 0;  ///< The part of gpuNs of which only bounded spans tell.
    std::int64_t bothBoundedNs = 0; ///< The part of bothNs of which only bounded spans tell.

    std::int64_t gpuAtLeastNs() const { return gpuNs - gpuBoundedNs; }
    std::int64_t bothAtLeastNs() const { return bothNs - bothBoundedNs; }

    /// both / min(|C|, |G|); none when the smaller is under 2 % of the period, or when the bounds lie too far apart.
    std::optional<double> overlap() const;
    /// Between what the overlap lies, whatever the bounded spans hide; none when the smaller side is under 2 % of the
    /// period. Both are the same where every span is exact.
    std::optional<RatioBounds> overlapBounds() const;
    /// Why there is no overlap, in words; empty where there is one.
    std::string overlapReason() const;
    /// (|C| + |G|) / |C ∪ G|: 1 is serial, 2 is perfect; 1 when nothing is busy. Of the sums at most.
    double parallelism() const;

    Overlap &operator+=(const Overlap &other);
};

} // namespace jetscope
