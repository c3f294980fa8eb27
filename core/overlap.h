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

/// Set operations on pieces of time. Results are sorted, disjoint and without empty pieces; inputs of
/// `merged` may be in any order and overlap, inputs of the others must be results of these functions.
using Intervals = std::vector<Interval>;
Intervals merged(Intervals pieces);
Intervals clipped(const Intervals &a, Interval window);
Intervals intersected(const Intervals &a, const Intervals &b);
Intervals subtracted(const Intervals &a, const Intervals &b);
std::int64_t totalNs(const Intervals &a);

/// How CPU and GPU shared one period. All times are nanoseconds inside the period.
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

/// `cpu` and `gpu` must be results of `merged`.
Overlap overlapIn(Interval period, const Intervals &cpu, const Intervals &gpu);

} // namespace jetscope
