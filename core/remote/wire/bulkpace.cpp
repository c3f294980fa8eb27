// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/wire/bulkpace.h"

#include <algorithm>
#include <optional>

namespace jetscope {

namespace {

/// What is urgent may wait about so long behind Bulk.
constexpr std::int64_t kLongestQueueNs = 60'000'000;
constexpr std::int64_t kForgetEveryNs = 10'000'000'000;
constexpr std::size_t kStep = 8 << 10;

} // namespace

void BulkPace::sent(std::size_t content, std::size_t onLink, std::int64_t nowNs)
{
    m_sent += content;
    m_onWay.push_back({m_sent, onLink, nowNs, m_onLink == 0});
    m_onLink += onLink;
}

void BulkPace::used(std::size_t content, std::int64_t nowNs)
{
    const bool isFull = 2 * m_onLink >= m_limit; // Most of it was of use.
    m_used = std::min(m_sent, m_used + content);
    std::optional<Mark> arrived;
    std::size_t arrivedBytes = 0;
    for (; !m_onWay.empty() && m_onWay.front().end <= m_used; m_onWay.pop_front()) {
        arrived = m_onWay.front();
        m_onLink -= arrived->onLink;
        arrivedBytes += arrived->onLink;
    }
    if (!arrived || arrived->sentNs < m_reducedNs) // A first grant, or of a part; or of more than is allowed now.
        return;
    const std::int64_t tookNs = nowNs - arrived->sentNs;
    if (nowNs >= m_forgetNs && (arrived->isAlone || m_leastNs == INT64_MAX)) {
        m_leastNs = tookNs;
        m_forgetNs = nowNs + kForgetEveryNs;
    }
    m_leastNs = std::min(m_leastNs, tookNs);
    if (nowNs >= m_forgetNs) { // Bytes have waited for one another ever since: how long they must take is not known.
        m_leastNs = INT64_MAX;
        m_limit = kLeast;
        m_reducedNs = nowNs;
    } else if (tookNs - m_leastNs > kLongestQueueNs) {
        const double fits = static_cast<double>(m_leastNs + kLongestQueueNs) / static_cast<double>(tookNs);
        m_limit = std::max(kLeast, static_cast<std::size_t>(static_cast<double>(m_limit) * fits));
        m_reducedNs = nowNs;
    } else if (isFull) {
        m_limit = std::min(m_most, m_limit + kStep * arrivedBytes / m_limit); // By kStep for all that is on its way.
    }
}

} // namespace jetscope
