// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/wire/bulkpace.h"

#include <algorithm>

namespace jetscope {

namespace {

/// What is urgent may wait about so long behind Bulk.
constexpr std::int64_t kLongestQueueNs = 60'000'000;
constexpr std::int64_t kForgetEveryNs = 10'000'000'000;
constexpr std::size_t kStep = 16 << 10;

} // namespace

void BulkPace::sent(std::size_t bytes, std::int64_t nowNs)
{
    m_sent += bytes;
    m_onWay.push_back({m_sent, nowNs});
}

void BulkPace::used(std::size_t bytes, std::int64_t nowNs)
{
    m_used = std::min(m_sent, m_used + bytes);
    std::int64_t tookNs = -1;
    for (; !m_onWay.empty() && m_onWay.front().end <= m_used; m_onWay.pop_front())
        tookNs = nowNs - m_onWay.front().sentNs;
    if (tookNs < 0)
        return; // A first grant, or of a part of a message.
    if (nowNs >= m_forgetNs) {
        m_forgetNs = nowNs + kForgetEveryNs;
        m_leastNs = tookNs;
    }
    m_leastNs = std::min(m_leastNs, tookNs);
    if (tookNs - m_leastNs > kLongestQueueNs)
        m_limit = std::max(kLeast, m_limit / 2);
    else if (m_sent - m_used + kStep >= m_limit) // All of it was of use.
        m_limit = std::min(m_most, m_limit + kStep);
}

} // namespace jetscope
