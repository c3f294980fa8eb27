// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/alllinks.h"

namespace jetscope {

namespace {

constexpr qint64 kRenewEveryMs = 250; ///< While the trace grows.
constexpr int kReach = 1;             ///< Lengths of the shown time that are looked at on both sides.

} // namespace

bool AllLinks::isKnown(const Trace &trace, Interval window, std::int64_t atLeastNs) const
{
    constexpr std::int64_t kMostLengths = 4;
    if (!m_isKnown || m_atLeastNs != atLeastNs || m_shape != trace.shape())
        return false;
    if (window.startNs < m_time.startNs || window.endNs > m_time.endNs)
        return false;
    // Of a much longer time the longest would be elsewhere.
    const bool whole = m_found.complete && m_found.found == m_found.links.size();
    if (!whole && m_time.endNs - m_time.startNs > kMostLengths * (window.endNs - window.startNs))
        return false;
    return m_version == trace.version() || m_age.elapsed() < kRenewEveryMs;
}

const TimeLinks &AllLinks::of(const Trace &trace, Interval window, std::int64_t atLeastNs)
{
    if (isKnown(trace, window, atLeastNs))
        return m_found;
    const std::int64_t reach = kReach * (window.endNs - window.startNs);
    m_time = {window.startNs - reach, window.endNs + reach};
    m_found = linksWithin(trace, m_time, atLeastNs, kMost);
    m_atLeastNs = atLeastNs;
    m_shape = trace.shape();
    m_version = trace.version();
    m_age.start();
    m_isKnown = true;
    ++m_computations;
    return m_found;
}

} // namespace jetscope
