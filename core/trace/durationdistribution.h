// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace jetscope {

/// Count, sum and percentiles of any number of durations, at any time, in at most a quarter of a megabyte: it counts
/// them in bins of equal ratio. Count, sum and extremes are exact, percentiles to within 0.1 %.
class DurationDistribution {
public:
    /// Less than nothing counts as nothing.
    void add(std::int64_t ns);
    void clear() { *this = {}; }

    std::uint64_t count() const { return m_count; }
    std::int64_t totalNs() const { return m_totalNs; } ///< As much as a number can hold.
    std::int64_t minNs() const { return m_minNs; }     ///< 0 without any, as all below.
    std::int64_t maxNs() const { return m_maxNs; }
    /// The duration that a part of all, 0..1, do not exceed: the closest rank.
    std::int64_t quantileNs(double part) const;

private:
    std::vector<std::uint64_t> m_bins;
    std::uint64_t m_count = 0;
    std::int64_t m_totalNs = 0;
    std::int64_t m_minNs = 0;
    std::int64_t m_maxNs = 0;
};

} // namespace jetscope
