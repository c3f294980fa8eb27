// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/lab/shownlog.h"

#include <cmath>

namespace jetscope {

namespace {
constexpr std::int64_t kLogMs = 1'000'000;
constexpr std::int64_t kKeptNs = (kClockMs - 100) * kLogMs; ///< Less than the time after which the clock repeats.
} // namespace

std::optional<ShownTime> SteadyTimes::of(int ms, std::int64_t seenNs) const
{
    // The update in whose millisecond the time lies; updates are no whole milliseconds apart.
    const std::int64_t seenMs = seenNs / kLogMs;
    const std::int64_t ago = ((seenMs - ms) % kClockMs + kClockMs) % kClockMs;
    const double update = std::floor(static_cast<double>((seenMs - ago + 1) * kLogMs) / m_periodNs);
    return ShownTime{at(update), at(update + 1)};
}

std::vector<ShownStretch> SteadyTimes::between(std::int64_t fromNs, std::int64_t untilNs) const
{
    std::vector<ShownStretch> stretches;
    for (double update = std::floor(static_cast<double>(fromNs) / m_periodNs); at(update) < untilNs; ++update)
        stretches.push_back({static_cast<int>(at(update) / kLogMs % kClockMs), at(update), at(update + 1)});
    return stretches;
}

void ShownLog::add(int ms, std::int64_t shownNs)
{
    const std::lock_guard lock(m_mutex);
    m_entries.push_back({ms, shownNs});
    while (m_entries.front().shownNs < shownNs - kKeptNs)
        m_entries.pop_front();
}

void ShownLog::end(std::int64_t ns)
{
    add(-1, ns);
}

std::optional<ShownTime> ShownLog::of(int ms, std::int64_t seenNs) const
{
    const std::lock_guard lock(m_mutex);
    for (std::size_t i = m_entries.size(); i-- > 0;)
        if (m_entries[i].ms == ms && m_entries[i].shownNs <= seenNs)
            return ShownTime{m_entries[i].shownNs, i + 1 < m_entries.size() ? m_entries[i + 1].shownNs : seenNs};
    return std::nullopt;
}

std::vector<ShownStretch> ShownLog::between(std::int64_t fromNs, std::int64_t untilNs) const
{
    const std::lock_guard lock(m_mutex);
    std::vector<ShownStretch> stretches;
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        const std::int64_t end = i + 1 < m_entries.size() ? m_entries[i + 1].shownNs : untilNs;
        if (end > fromNs && m_entries[i].shownNs < untilNs && end > m_entries[i].shownNs)
            stretches.push_back({m_entries[i].ms, m_entries[i].shownNs, end});
    }
    return stretches;
}

std::int64_t ShownLog::stepNs() const
{
    const std::lock_guard lock(m_mutex);
    if (m_entries.size() < 2)
        return 0;
    return (m_entries.back().shownNs - m_entries.front().shownNs) / static_cast<std::int64_t>(m_entries.size() - 1);
}

} // namespace jetscope
