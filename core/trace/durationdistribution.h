// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace jetscope {

/// Count, sum and percentiles of any number of durations, available at any time, in at most 256 KiB: durations are
/// counted in bins of a constant ratio. Count, sum and extremes are exact; percentiles are within 0.1 %.
class DurationDistribution {
public:
    /// Negative durations count as 0.
    void add(std::int64_t ns);
    void clear() { *this = {}; }

    std::uint64_t count() const { return m_count; }
    std::int64_t totalNs() const { return m_totalNs; } ///< Saturates at the maximum.
    std::int64_t minNs() const { return m_minNs; }     ///< 0 without durations, like the values below.
    std::int64_t maxNs() const { return m_maxNs; }
    /// The duration that a fraction `part` (0..1) of all durations does not exceed; nearest rank.
    std::int64_t quantileNs(double part) const;

private:
    std::vector<std::uint64_t> m_bins;
    std::uint64_t m_count = 0;
    std::int64_t m_totalNs = 0;
    std::int64_t m_minNs = 0;
    std::int64_t m_maxNs = 0;
};

} // namespace jetscope
