// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/durationdistribution.h"

#include "core/trace/timelimits.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace jetscope {

namespace {

/// Log2 of the bins per octave. Durations below 2^kOctaveBits nanoseconds have a bin each.
constexpr int kOctaveBits = 9;
constexpr std::uint64_t kOctave = 1 << kOctaveBits;

std::size_t binOf(std::uint64_t ns)
{
    if (ns < kOctave)
        return static_cast<std::size_t>(ns);
    const int shift = static_cast<int>(std::bit_width(ns)) - 1 - kOctaveBits;
    return static_cast<std::size_t>(static_cast<std::uint64_t>(shift) * kOctave + (ns >> shift));
}

/// The middle of a bin, as a duration.
std::int64_t durationOf(std::size_t bin)
{
    if (bin < 2 * kOctave)
        return static_cast<std::int64_t>(bin);
    const auto shift = static_cast<int>(bin / kOctave) - 1;
    const std::uint64_t first = (bin - static_cast<std::uint64_t>(shift) * kOctave) << shift;
    return static_cast<std::int64_t>(first + (std::uint64_t{1} << shift) / 2);
}

} // namespace

void DurationDistribution::add(std::int64_t ns)
{
    ns = std::max<std::int64_t>(ns, 0);
    const std::size_t bin = binOf(static_cast<std::uint64_t>(ns));
    if (bin >= m_bins.size())
        m_bins.resize(bin + 1);
    ++m_bins[bin];
    m_minNs = m_count == 0 ? ns : std::min(m_minNs, ns);
    m_maxNs = std::max(m_maxNs, ns);
    m_totalNs = saturatingSum(m_totalNs, ns);
    ++m_count;
}

std::int64_t DurationDistribution::quantileNs(double part) const
{
    if (m_count == 0)
        return 0;
    const double rank = std::ceil(std::clamp(part, 0.0, 1.0) * static_cast<double>(m_count));
    const auto wanted = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(rank), 1, m_count);
    if (wanted == m_count)
        return m_maxNs;
    std::uint64_t seen = 0;
    std::size_t bin = 0;
    while (bin < m_bins.size() && (seen += m_bins[bin]) < wanted)
        ++bin;
    return std::clamp(durationOf(bin), m_minNs, m_maxNs); // The middle may be outside the range.
}

} // namespace jetscope
