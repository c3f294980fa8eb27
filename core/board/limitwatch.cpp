// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/board/limitwatch.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace jetscope {

std::vector<LimitWatch::Event> LimitWatch::take(const BoardState &state)
{
    std::vector<Event> events;
    for (const std::string &limit : state.limits)
        if (m_since.try_emplace(limit, state.timeNs).second)
            events.push_back({state.timeNs, "clocks limited: " + limit});
    for (auto known = m_since.begin(); known != m_since.end();) {
        if (std::find(state.limits.begin(), state.limits.end(), known->first) != state.limits.end()) {
            ++known;
            continue;
        }
        std::array<char, 32> length{};
        std::snprintf(length.data(), length.size(), "%.1f s", static_cast<double>(state.timeNs - known->second) / 1e9);
        events.push_back(
            {state.timeNs, "clocks no longer limited: " + known->first + ", after " + std::string(length.data())});
        known = m_since.erase(known);
    }
    if (!state.powerMode.empty()) {
        if (!m_powerMode.empty() && m_powerMode != state.powerMode)
            events.push_back({state.timeNs, "power mode: " + m_powerMode + " → " + state.powerMode});
        m_powerMode = state.powerMode;
    }
    return events;
}

} // namespace jetscope
