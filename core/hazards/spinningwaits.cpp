// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/hazards/spinningwaits.h"

namespace jetscope {

namespace {

constexpr std::int64_t kShortestWaitNs = 100'000; ///< A shorter one may end before a blocking thread blocks.
constexpr int kWaitsJudged = 32;
constexpr int kSpunWaits = kWaitsJudged * 3 / 4;
constexpr int kPreemptedWaits = kWaitsJudged / 8;

} // namespace

bool SpinningWaits::add(const WaitCost &wait)
{
    if (wait.wallNs < kShortestWaitNs)
        return false;
    const bool spun = wait.blocks == 0;
    m_spun += spun;
    m_preempted += spun && wait.preemptions > 0;
    if (++m_waits < kWaitsJudged)
        return false;
    const bool found = m_spun >= kSpunWaits && m_preempted >= kPreemptedWaits;
    *this = {};
    return found;
}

} // namespace jetscope
