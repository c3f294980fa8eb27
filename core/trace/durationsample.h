// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/timelimits.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace jetscope {

/// Count, sum and percentiles of durations for many names at once: few durations are kept, many are counted in bins of
/// a constant ratio, of which only those in use take memory. Count, sum and extremes are exact. Percentiles are the
/// nearest rank, exact for up to kKept durations and within 0.4 % for more.
class DurationSample {
public:
    static constexpr std::size_t kKept = 128;

    /// Negative durations count as 0.
    void add(std::int64_t ns)
    {
        ns = std::max<std::int64_t>(ns, 0);
        m_minNs = m_count == 0 ? ns : std::min(m_minNs, ns);
        m_maxNs = std::max(m_maxNs, ns);
        m_totalNs = saturatingSum(m_totalNs, ns);
        if (m_count >= kKept)
            countIn(binOf(ns));
        else
            m_kept.push_back(ns);
        if (++m_count == kKept)
            beginCounting();
    }

    std::uint64_t count() const { return m_count; }
    std::int64_t totalNs() const { return m_totalNs; } ///< Saturates at the maximum.
    std::int64_t minNs() const { return m_minNs; }     ///< 0 without durations, like the values below.
    std::int64_t maxNs() const { return m_maxNs; }
    std::int64_t meanNs() const { return m_count == 0 ? 0 : m_totalNs / static_cast<std::int64_t>(m_count); }
    /// The duration that a fraction `part` (0..1) of all durations does not exceed.
    std::int64_t quantileNs(double part) const;
    /// Adds the durations to bins of a logarithmic axis from `fromNs` on, each `ratio` times as long as the one before.
    /// Shorter and longer ones count in the first and last bin.
    void addTo(std::span<std::uint32_t> bins, std::int64_t fromNs, double ratio) const;

    /// Log2 of the bins per octave. Durations below 2^kOctaveBits nanoseconds have a bin each.
    static constexpr int kOctaveBits = 7;
    static constexpr std::uint64_t kOctave = 1 << kOctaveBits;

private:
    static std::size_t binOf(std::int64_t duration)
    {
        const auto ns = static_cast<std::uint64_t>(duration);
        if (ns < kOctave)
            return static_cast<std::size_t>(ns);
        const int shift = static_cast<int>(std::bit_width(ns)) - 1 - kOctaveBits;
        return static_cast<std::size_t>(static_cast<std::uint64_t>(shift) * kOctave + (ns >> shift));
    }
    void countIn(std::size_t bin)
    {
        if (bin - m_firstBin >= m_bins.size()) // Also if it is before the first.
            makeRoomFor(bin);
        ++m_bins[bin - m_firstBin];
    }
    void makeRoomFor(std::size_t bin);
    void beginCounting();
    template <class Visit>
    void eachInOrder(Visit visit) const;

    mutable std::vector<std::int64_t> m_kept; ///< Until there are too many; sorted when asked.
    std::vector<std::uint32_t> m_bins;
    std::size_t m_firstBin = 0;
    std::uint64_t m_count = 0;
    std::int64_t m_totalNs = 0;
    std::int64_t m_minNs = 0;
    std::int64_t m_maxNs = 0;
};

} // namespace jetscope
