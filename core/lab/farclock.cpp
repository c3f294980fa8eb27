// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/lab/farclock.h"

#include <algorithm>
#include <utility>

namespace jetscope {

std::optional<std::int64_t> FarClock::add(int ms, std::int64_t shownNs, std::int64_t boundNs, std::int64_t nowNs)
{
    if (shownNs > nowNs + boundNs || shownNs + boundNs + m_boundNs < m_shownNs) {
        cut();
        return {};
    }
    m_isCut = false;
    m_boundNs = std::max(m_boundNs, boundNs);
    m_shownNs = std::max(m_shownNs, shownNs); // The log is in order.
    m_log->add(ms, m_shownNs);
    return m_shownNs;
}

/// The time added last was on the screen for as long as others were; what came then is not known.
void FarClock::cut()
{
    if (std::exchange(m_isCut, true) || !isShown())
        return;
    m_shownNs += m_log->stepNs();
    m_log->end(m_shownNs);
}

} // namespace jetscope
