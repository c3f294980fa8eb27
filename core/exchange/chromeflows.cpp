// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/chromeflows.h"

#include "core/text/shorttext.h"
#include "core/trace/watchedsort.h"

#include <algorithm>
#include <tuple>

namespace jetscope {

bool ChromeFlows::take(const ChromeEvent &event, LaneId lane, std::int64_t ns)
{
    if (m_points.size() >= SpanPoints::kMax)
        return false;
    m_kindText = shortText(event.category);
    m_kindText += '\n';
    m_kindText += shortText(event.name);
    const auto kind = m_kinds.try_emplace(m_kindText, static_cast<std::uint32_t>(m_kinds.size())).first->second;
    const bool next = event.phase == 'f' && event.binding != "\"e\"";
    const auto binding = next ? SpanPoints::Binding::Next : SpanPoints::Binding::Around;
    m_entries.push_back({m_ids.of(event.id), kind, event.phase, m_points.add(lane, ns, binding)});
    return true;
}

/// By flow, then by time; at the same time, the beginning first and the end last.
bool ChromeFlows::goesBefore(const Entry &a, const Entry &b) const
{
    return std::tuple(a.kind, a.id, m_points.timeNs(a.point), indexOf(a.phase))
        < std::tuple(b.kind, b.id, m_points.timeNs(b.point), indexOf(b.phase));
}

bool ChromeFlows::join(std::vector<SpanEdge> &edges, Progress &progress, double fraction)
{
    constexpr std::size_t kFlowsBetweenLooks = 1 << 16;
    const auto less = [this](const Entry &a, const Entry &b) { return goesBefore(a, b); };
    if (!watchedStableSort(m_entries, less, progress, fraction))
        return false;
    std::size_t flows = 0;
    for (auto first = m_entries.begin(); first != m_entries.end();) {
        const auto last = std::find_if(first, m_entries.end(), [&](const Entry &entry) {
            return entry.kind != first->kind || entry.id != first->id;
        });
        joinFlow(first, last, edges);
        first = last;
        if (++flows % kFlowsBetweenLooks == 0 && !progress.advance(fraction))
            return false;
    }
    m_entries = {};
    return true;
}

void ChromeFlows::joinFlow(Entries first, Entries last, std::vector<SpanEdge> &edges)
{
    // CPU and GPU clocks may differ, so a kernel may seem to precede its launch: if there is only one beginning, it is
    // used for all ends.
    const auto begins = [](const Entry &entry) { return entry.phase == 's'; };
    const auto only = std::find_if(first, last, begins);
    if (only != last && std::find_if(only + 1, last, begins) == last)
        std::rotate(first, only, only + 1);
    auto from = last;
    bool used = true;
    const auto countUnused = [&] { m_loose[from == last ? 0 : indexOf(from->phase)] += used ? 0 : 1; };
    for (auto at = first; at != last; ++at) {
        if (!m_points.spanStart(at->point)) {
            ++m_withoutSpan[indexOf(at->phase)];
            continue;
        }
        if (at->phase != 's' && from != last) {
            edges.push_back({*m_points.spanStart(from->point), *m_points.spanStart(at->point),
                             m_points.lane(from->point), m_points.lane(at->point)});
            used = true;
        } else if (at->phase != 's') {
            ++m_loose[indexOf(at->phase)];
        }
        if (at->phase != 'f') {
            countUnused();
            used = at->phase == 't';
            from = at;
        }
    }
    countUnused();
}

} // namespace jetscope
