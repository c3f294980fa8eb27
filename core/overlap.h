// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace jetscope {

/// A half-open piece of time [startNs, endNs).
struct Interval {
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;

    bool operator==(const Interval &) const = default;
};

using Intervals = std::vector<Interval>;

/// How CPU and GPU shared one period (LaneWork makes it). All times are nanoseconds inside the period.
struct Overlap {
    std::int64_t periodNs = 0;
    std::int64_t cpuNs = 0;  ///< |C|: the pipeline or the CPU-stage lane is busy.
    std::int64_t gpuNs = 0;  ///< |G|: any GPU lane is busy.
    std::int64_t bothNs = 0; ///< |C ∩ G|
    std::int64_t idleNs = 0; ///< Neither.

    /// both / min(|C|, |G|); none when the smaller is under 2 % of the period.
    std::optional<double> overlap() const;
    /// (|C| + |G|) / |C ∪ G|: 1 is serial, 2 is perfect; 1 when nothing is busy.
    double parallelism() const;
};

} // namespace jetscope
