// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/pipeline/eventcollector.h"

#include <utility>

namespace jetscope {

void EventCollector::collect(std::int64_t resolvedNs)
{
    std::vector<Span> spans;
    m_tracer.collect(spans);
    std::vector<LaneInfo> newLanes = m_tracer.lanes(m_lanesKnown);
    m_lanesKnown += newLanes.size();
    for (const LaneInfo &lane : newLanes)
        m_metrics.setLane(lane.id, lane.role);
    for (const Span &span : spans)
        m_metrics.add(span);
    m_metrics.resolved(resolvedNs);
    std::vector<FrameFigures> figures = m_metrics.take();
    for (const FrameFigures &frame : figures)
        m_traceCost.add(frame);
    m_channel.add(std::move(newLanes), std::move(spans), std::move(figures), m_tracer.lost(), m_metrics.missedSpans());
}

} // namespace jetscope
