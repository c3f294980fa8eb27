// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/hazards/spinningwaits.h"

namespace jetscope {

namespace {

constexpr std::int64_t kShortestWaitNs = 100'000; ///< Below this even a blocking wait is mostly CPU time.
constexpr int kWaitsJudged = 32;
constexpr int kPreemptedWaits = kWaitsJudged / 8;

} // namespace

bool SpinningWaits::add(const WaitCost &wait)
{
    if (wait.wallNs < kShortestWaitNs)
        return false;
    m_sum.wallNs += wait.wallNs;
    m_sum.cpuNs += wait.cpuNs;
    m_preempted += wait.preemptions > 0;
    if (++m_waits < kWaitsJudged)
        return false;
    // A spinning thread that shares its core with one other thread gets half of the time; a blocking wait takes a few
    // percent.
    const bool spins = m_sum.cpuNs * 10 >= m_sum.wallNs * 3;
    const bool found = spins && m_preempted >= kPreemptedWaits;
    *this = {};
    return found;
}

} // namespace jetscope
