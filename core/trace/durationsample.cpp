// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/durationsample.h"

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

/// The middle of a bin.
std::int64_t sampleNs(std::size_t bin)
{
    if (bin < 2 * DurationSample::kOctave)
        return static_cast<std::int64_t>(bin);
    const auto shift = static_cast<int>(bin / DurationSample::kOctave) - 1;
    const std::uint64_t first = (bin - static_cast<std::uint64_t>(shift) * DurationSample::kOctave) << shift;
    return static_cast<std::int64_t>(first + (std::uint64_t{1} << shift) / 2);
}

} // namespace

void DurationSample::beginCounting()
{
    m_firstBin = binOf(m_minNs);
    m_bins.resize(binOf(m_maxNs) + 1 - m_firstBin);
    for (const std::int64_t kept : m_kept)
        countIn(binOf(kept));
}

void DurationSample::makeRoomFor(std::size_t bin)
{
    if (bin < m_firstBin) {
        m_bins.insert(m_bins.begin(), m_firstBin - bin, 0);
        m_firstBin = bin;
    } else {
        m_bins.resize(bin - m_firstBin + 1);
    }
}

/// Calls visit(duration, how often) in order, until it returns false.
template <class Visit>
void DurationSample::eachInOrder(Visit visit) const
{
    if (m_count <= kKept) {
        std::sort(m_kept.begin(), m_kept.end());
        for (const std::int64_t kept : m_kept)
            if (!visit(kept, 1U))
                return;
        return;
    }
    for (std::size_t i = 0; i < m_bins.size(); ++i)
        if (m_bins[i] > 0 && !visit(std::clamp(sampleNs(m_firstBin + i), m_minNs, m_maxNs), m_bins[i]))
            return;
}

std::int64_t DurationSample::quantileNs(double part) const
{
    const double rank = std::ceil(std::clamp(part, 0.0, 1.0) * static_cast<double>(m_count));
    const auto wanted =
        std::clamp<std::uint64_t>(static_cast<std::uint64_t>(rank), 1, std::max<std::uint64_t>(m_count, 1));
    if (wanted >= m_count)
        return m_maxNs;
    std::uint64_t seen = 0;
    std::int64_t found = 0;
    eachInOrder([&](std::int64_t ns, std::uint32_t times) {
        found = ns;
        return (seen += times) < wanted;
    });
    return found;
}

void DurationSample::addTo(std::span<std::uint32_t> bins, std::int64_t fromNs, double ratio) const
{
    if (bins.empty() || fromNs <= 0 || !(ratio > 1))
        return;
    const double perBin = 1 / std::log(ratio);
    eachInOrder([&](std::int64_t ns, std::uint32_t times) {
        const double place =
            ns <= fromNs ? 0 : std::log(static_cast<double>(ns) / static_cast<double>(fromNs)) * perBin;
        bins[static_cast<std::size_t>(std::min(place, static_cast<double>(bins.size() - 1)))] += times;
        return true;
    });
}

} // namespace jetscope
