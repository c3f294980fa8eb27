// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/board/boardcounters.h"

#include <cmath>
#include <limits>

namespace jetscope {

BoardCounters::BoardCounters(const std::vector<BoardItem> &items, CounterId firstId, Which which)
{
    const std::size_t most = which == Which::All ? items.size() : kMax;
    for (std::size_t i = 0; i < items.size() && m_infos.size() < most; ++i) {
        const BoardItem &item = items[i];
        if ((item.detail && which == Which::WithoutDetails) || !item.unavailable.empty())
            continue;
        m_infos.push_back({firstId++, item.name, item.unit, {}});
        m_indices.push_back(i);
        m_last.push_back(std::numeric_limits<double>::infinity()); // Differs from every reading.
    }
}

void BoardCounters::take(const BoardState &state, std::vector<CounterSample> &samples)
{
    for (std::size_t i = 0; i < m_infos.size(); ++i) {
        const Reading<double> &reading = state.values[m_indices[i]];
        const double value = reading.value.value_or(std::numeric_limits<double>::quiet_NaN());
        const bool isSame = value == m_last[i] || (std::isnan(value) && std::isnan(m_last[i]));
        if (isSame && m_infos[i].unit != "W") // Power is integrated over its readings.
            continue;
        m_last[i] = value;
        samples.push_back({state.timeNs, value, m_infos[i].id});
    }
}

void BoardCounters::interrupt(std::int64_t ns, std::vector<CounterSample> &samples)
{
    for (std::size_t i = 0; i < m_infos.size(); ++i) {
        if (!std::isfinite(m_last[i]))
            continue;
        m_last[i] = std::numeric_limits<double>::quiet_NaN();
        samples.push_back({ns, m_last[i], m_infos[i].id});
    }
}

} // namespace jetscope
