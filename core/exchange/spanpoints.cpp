// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/spanpoints.h"

#include "core/trace/watchedsort.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace jetscope {

SpanPoints::Id SpanPoints::add(LaneId lane, std::int64_t ns, Binding binding)
{
    m_points.push_back({ns, kNoSpan, lane, binding});
    return static_cast<Id>(m_points.size() - 1);
}

std::optional<std::int64_t> SpanPoints::spanStart(Id point) const
{
    return m_points[point].startNs == kNoSpan ? std::nullopt : std::optional(m_points[point].startNs);
}

bool SpanPoints::sort(Progress &progress, double fraction)
{
    m_order.resize(m_points.size());
    std::iota(m_order.begin(), m_order.end(), Id{0});
    const auto goesBefore = [this](Id a, Id b) {
        return std::pair(m_points[a].lane, m_points[a].ns) < std::pair(m_points[b].lane, m_points[b].ns);
    };
    return watchedStableSort(m_order, goesBefore, progress, fraction);
}

SpanPoints::Sweep::Sweep(SpanPoints &points, LaneId lane) : m_points(points)
{
    const auto begin = points.m_order.begin();
    const auto first =
        std::partition_point(begin, points.m_order.end(), [&](Id point) { return points.m_points[point].lane < lane; });
    const auto last = std::partition_point(first, points.m_order.end(),
                                           [&](Id point) { return points.m_points[point].lane == lane; });
    m_around = m_next = static_cast<std::size_t>(first - begin);
    m_end = static_cast<std::size_t>(last - begin);
}

void SpanPoints::Sweep::take(const TraceSpan &span, std::uint8_t depth)
{
    settleBefore(span.startNs);
    for (; m_next < m_end; ++m_next) {
        Point &point = m_points.m_points[m_points.m_order[m_next]];
        if (point.ns > span.startNs)
            break;
        if (point.binding == Binding::Next && point.startNs == kNoSpan)
            point.startNs = span.startNs;
    }
    if (depth >= m_open.size())
        m_open.resize(depth + std::size_t{1}, Open{kNoSpan, kNoSpan});
    m_open[depth] = {span.startNs, span.endNs()};
}

void SpanPoints::Sweep::finish()
{
    settleBefore(std::numeric_limits<std::int64_t>::max());
}

/// Call when every span that begins before `ns` has been taken.
void SpanPoints::Sweep::settleBefore(std::int64_t ns)
{
    for (; m_around < m_end && m_points.m_points[m_points.m_order[m_around]].ns < ns; ++m_around)
        settle(m_points.m_order[m_around]);
}

void SpanPoints::Sweep::settle(Id id)
{
    Point &point = m_points.m_points[id];
    if (point.binding != Binding::Around)
        return;
    // If no span contains the point, a span that ends exactly there is used: some producers write the arrow at the end
    // of its span.
    for (const bool mayEnd : {false, true})
        for (auto open = m_open.rbegin(); open != m_open.rend() && point.startNs == kNoSpan; ++open)
            if (open->startNs <= point.ns && open->startNs != kNoSpan
                && (point.ns < open->endNs || open->startNs == point.ns || (mayEnd && point.ns == open->endNs)))
                point.startNs = open->startNs;
}

} // namespace jetscope
