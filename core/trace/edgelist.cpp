// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/edgelist.h"

#include "core/trace/timelimits.h"

#include <algorithm>
#include <tuple>

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
        if (m_edges.size() < kMaxEdges && isTraceTime(edge.fromNs) && isTraceTime(edge.toNs))
            m_edges.push_back(edge);
        else
            ++m_leftOut;
    }
    const auto added = m_edges.begin() + before;
    if (!std::is_sorted(added, m_edges.end(), leadsToEarlier))
        std::stable_sort(added, m_edges.end(), leadsToEarlier);
    const bool moves = before > 0 && added != m_edges.end() && leadsToEarlier(*added, *(added - 1));
    if (moves)
        std::inplace_merge(m_edges.begin(), added, m_edges.end(), leadsToEarlier);
    indexFrom(moves ? 0 : static_cast<std::size_t>(before));
}

/// Updates the index after edges from this index on were added or moved.
void EdgeList::indexFrom(std::size_t added)
{
    const auto isBefore = [this](std::uint32_t a, std::uint32_t b) {
        return std::tie(m_edges[a].fromNs, m_edges[a].fromLane, a)
            < std::tie(m_edges[b].fromNs, m_edges[b].fromLane, b);
    };
    m_byFrom.resize(added);
    for (std::size_t i = added; i < m_edges.size(); ++i)
        m_byFrom.push_back(static_cast<std::uint32_t>(i));
    const auto middle = m_byFrom.begin() + static_cast<std::ptrdiff_t>(added);
    if (!std::is_sorted(middle, m_byFrom.end(), isBefore))
        std::sort(middle, m_byFrom.end(), isBefore);
    if (added > 0 && middle != m_byFrom.end() && isBefore(*middle, *(middle - 1)))
        std::inplace_merge(m_byFrom.begin(), middle, m_byFrom.end(), isBefore);
}

std::vector<SpanEdge> EdgeList::from(LaneId lane, std::int64_t startNs) const
{
    const auto key = std::tie(startNs, lane);
    auto at = std::partition_point(m_byFrom.begin(), m_byFrom.end(), [&](std::uint32_t place) {
        return std::tie(m_edges[place].fromNs, m_edges[place].fromLane) < key;
    });
    std::vector<SpanEdge> found;
    for (; at != m_byFrom.end() && found.size() < kMaxOfOne && m_edges[*at].fromNs == startNs
         && m_edges[*at].fromLane == lane;
         ++at)
        found.push_back(m_edges[*at]);
    return found;
}

std::vector<SpanEdge> EdgeList::to(LaneId lane, std::int64_t startNs) const
{
    std::vector<SpanEdge> found;
    for (const SpanEdge &edge : within({startNs, startNs + 1}))
        if (edge.toLane == lane && found.size() < kMaxOfOne)
            found.push_back(edge);
    return found;
}

std::span<const SpanEdge> EdgeList::within(Interval time) const
{
    const auto before = [](const SpanEdge &edge, std::int64_t ns) { return edge.toNs < ns; };
    const auto first = std::lower_bound(m_edges.begin(), m_edges.end(), time.startNs, before);
    const auto last = std::lower_bound(first, m_edges.end(), std::max(time.startNs, time.endNs), before);
    return {first, last};
}

EdgeList EdgeList::copyWithin(Interval time) const
{
    EdgeList edges;
    const std::span<const SpanEdge> found = within(time);
    edges.m_edges.assign(found.begin(), found.end());
    return edges;
}

void EdgeList::dropBefore(std::int64_t ns)
{
    const auto kept = std::lower_bound(m_edges.begin(), m_edges.end(), ns,
                                       [](const SpanEdge &edge, std::int64_t at) { return edge.toNs < at; });
    if (kept == m_edges.begin())
        return;
    const auto discarded = static_cast<std::uint32_t>(kept - m_edges.begin());
    m_edges.erase(m_edges.begin(), kept);
    std::erase_if(m_byFrom, [discarded](std::uint32_t place) { return place < discarded; });
    for (std::uint32_t &place : m_byFrom)
        place -= discarded;
}

} // namespace jetscope
