// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/lab/farclock.h"

#include <algorithm>

namespace jetscope {

std::optional<std::int64_t> FarClock::add(int ms, std::int64_t shownNs, std::int64_t boundNs, std::int64_t nowNs)
{
    if (shownNs > nowNs + boundNs)
        return {};
    m_boundNs = std::max(m_boundNs, boundNs);
    m_shownNs = std::max(m_shownNs, shownNs); // The log is in order.
    m_log->add(ms, m_shownNs);
    return m_shownNs;
}

} // namespace jetscope
