// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/board/limitwatch.h"

#include "core/text/numbertext.h"

namespace jetscope {

namespace {

constexpr std::int64_t kMinPauseNs = 500'000'000;

} // namespace

std::vector<LimitWatch::Event> LimitWatch::take(const BoardState &state)
{
    std::vector<Event> events;
    for (const std::string &limit : state.limits) {
        const auto [known, isNew] = m_limits.try_emplace(limit, Limited{state.timeNs, state.timeNs});
        known->second.seenNs = state.timeNs;
        if (isNew)
            events.push_back({state.timeNs, "clocks limited: " + limit});
    }
    for (auto known = m_limits.begin(); known != m_limits.end();) {
        const auto &[name, limited] = *known;
        if (state.timeNs - limited.seenNs < kMinPauseNs) {
            ++known;
            continue;
        }
        const double seconds = static_cast<double>(limited.seenNs - limited.sinceNs) / 1e9;
        events.push_back(
            {limited.seenNs, "clocks no longer limited: " + name + ", after " + fixedText(seconds, 1) + " s"});
        known = m_limits.erase(known);
    }
    if (!state.powerMode.empty()) {
        if (!m_powerMode.empty() && m_powerMode != state.powerMode)
            events.push_back({state.timeNs, "power mode: " + m_powerMode + " → " + state.powerMode});
        m_powerMode = state.powerMode;
    }
    return events;
}

} // namespace jetscope
