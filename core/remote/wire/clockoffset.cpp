// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/wire/clockoffset.h"

#include "core/trace/timelimits.h"

#include <algorithm>
#include <cstdlib>

namespace jetscope {

namespace {

const ClockOffset &best(const std::vector<ClockOffset> &round)
{
    return *std::min_element(round.begin(), round.end(),
                             [](const ClockOffset &a, const ClockOffset &b) { return a.boundNs < b.boundNs; });
}

/// By how much two offsets can differ: by their bounds, and by what two clocks of quartz drift apart, which is twice
/// what one does.
std::int64_t mostChange(const ClockOffset &before, const ClockOffset &after, std::int64_t driftPpm)
{
    return before.boundNs + after.boundNs
        + std::max<std::int64_t>(0, after.atNs - before.atNs) / 1'000'000 * 2 * driftPpm;
}

} // namespace

bool ClockOffsetMeter::add(const Pong &pong, std::int64_t cameNs)
{
    constexpr std::int64_t kMost = kMaxTraceNs / 4; // So that no sum below overflows.
    for (const std::int64_t ns : {pong.pingSentNs, pong.pingCameNs, pong.sentNs, cameNs})
        if (ns < -kMost || ns > kMost)
            return false;
    const std::int64_t roundTrip = (cameNs - pong.pingSentNs) - (pong.sentNs - pong.pingCameNs);
    if (roundTrip < 0 || pong.sentNs < pong.pingCameNs || cameNs < pong.pingSentNs)
        return false;
    const std::int64_t there = pong.pingCameNs - pong.pingSentNs;
    const std::int64_t back = pong.sentNs - cameNs;
    m_round.push_back({there / 2 + back / 2, roundTrip / 2 + 1, cameNs});
    if (m_round.size() == kPings) {
        const ClockOffset newest = best(m_round);
        m_round.clear();
        // The far end's clock stood still meanwhile if both cannot be true.
        if (!m_rounds.empty()
            && std::abs(newest.offsetNs - m_rounds.back().offsetNs) > mostChange(m_rounds.back(), newest, kDriftPpm))
            m_rounds.clear();
        m_rounds.push_back(newest);
        if (m_rounds.size() > kRounds)
            m_rounds.pop_front();
    }
    return true;
}

void ClockOffsetMeter::forget()
{
    m_round.clear();
    m_rounds.clear();
}

std::optional<ClockOffset> ClockOffsetMeter::at(std::int64_t nowNs) const
{
    if (m_rounds.empty() && m_round.empty())
        return std::nullopt;
    ClockOffset offset = m_rounds.empty() ? best(m_round) : m_rounds.back();
    const std::int64_t age = nowNs - offset.atNs;
    if (m_rounds.size() > 1 && m_rounds.back().atNs > m_rounds.front().atNs) {
        const ClockOffset &first = m_rounds.front();
        const auto slope =
            static_cast<double>(offset.offsetNs - first.offsetNs) / static_cast<double>(offset.atNs - first.atNs);
        const double most = static_cast<double>(kDriftPpm) / 1e6;
        offset.offsetNs += static_cast<std::int64_t>(std::clamp(slope, -most, most) * static_cast<double>(age));
    }
    // The line and the truth differ by no more than twice the drift that is possible.
    offset.boundNs += std::max<std::int64_t>(0, age) / (1'000'000 / (2 * kDriftPpm));
    offset.atNs = nowNs;
    return offset;
}

} // namespace jetscope
