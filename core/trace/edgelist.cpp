// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/edgelist.h"

#include "core/trace/timelimits.h"

#include <algorithm>

namespace jetscope {

namespace {

bool leadsToEarlier(const SpanEdge &a, const SpanEdge &b)
{
    return a.toNs < b.toNs;
}

} // namespace

void EdgeList::add(std::span<const SpanEdge> edges)
{
    const auto before = static_cast<std::ptrdiff_t>(m_edges.size());
    for (const SpanEdge &edge : edges) {
        if (m_edges.size() < kMostEdges && isTraceTime(edge.fromNs) && isTraceTime(edge.toNs))
            m_edges.push_back(edge);
        else
            ++m_leftOut;
    }
    const auto added = m_edges.begin() + before;
    if (!std::is_sorted(added, m_edges.end(), leadsToEarlier))
        std::stable_sort(added, m_edges.end(), leadsToEarlier);
    if (before > 0 && added != m_edges.end() && leadsToEarlier(*added, *(added - 1)))
        std::inplace_merge(m_edges.begin(), added, m_edges.end(), leadsToEarlier);
}

std::span<const SpanEdge> EdgeList::within(Interval time) const
{
    const auto before = [](const SpanEdge &edge, std::int64_t ns) { return edge.toNs < ns; };
    const auto first = std::lower_bound(m_edges.begin(), m_edges.end(), time.startNs, before);
    const auto last = std::lower_bound(first, m_edges.end(), std::max(time.startNs, time.endNs), before);
    return {first, last};
}

void EdgeList::dropBefore(std::int64_t ns)
{
    const auto kept = std::lower_bound(m_edges.begin(), m_edges.end(), ns,
                                       [](const SpanEdge &edge, std::int64_t at) { return edge.toNs < at; });
    m_edges.erase(m_edges.begin(), kept);
}

} // namespace jetscope
