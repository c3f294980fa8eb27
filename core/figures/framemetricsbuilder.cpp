// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/figures/framemetricsbuilder.h"

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

/// A frame whose output was never reported (dropped or failed) delays the figures of later frames until this many later
/// frames are resolved: more than the maximum of frames in flight.
constexpr std::size_t kLatestOutput = 16;

/// Memory limits while nothing is resolved: one minute of frames, and the spans of some thousand frames.
constexpr std::size_t kMaxPending = 4096;
constexpr std::size_t kMaxActiveSpans = 1 << 16;

/// Heap order: earliest start on top.
bool startsLater(const Span &a, const Span &b)
{
    return a.startNs > b.startNs;
}

} // namespace

void FrameMetricsBuilder::setLane(LaneId lane, LaneRole role)
{
    if (lane >= m_lanes.size())
        m_lanes.resize(lane + std::size_t{1});
    m_lanes[lane] = role;
}

std::optional<LaneRole> FrameMetricsBuilder::roleOf(LaneId lane) const
{
    return lane < m_lanes.size() ? m_lanes[lane] : std::nullopt;
}

void FrameMetricsBuilder::add(const Span &span)
{
    if (span.durationNs <= 0 || spanCategory(span.name) == Category::Tool)
        return;
    if (const std::optional<LaneRole> role = roleOf(span.lane); role && !BusyTimeSweep::counts(*role)) {
        if (*role == LaneRole::Capture || *role == LaneRole::View)
            (*role == LaneRole::Capture ? m_captureLoad : m_viewLoad).add(span);
        return;
    }
    if (span.startNs < m_closedNs)
        ++m_missed;
    if (span.endNs() <= m_closedNs)
        return;
    if (m_waiting.size() + m_active.size() >= kMaxActiveSpans) {
        ++m_missed;
        if (m_waiting.empty())
            return;
        std::pop_heap(m_waiting.begin(), m_waiting.end(), startsLater);
        m_waiting.pop_back();
    }
    m_waiting.push_back(span);
    std::push_heap(m_waiting.begin(), m_waiting.end(), startsLater);
}

void FrameMetricsBuilder::frameStarted(std::uint32_t frame, std::int64_t startNs, bool traced)
{
    startNs = std::max(startNs, m_pending.empty() ? m_closedNs : m_pending.back().figures.startNs);
    if (m_pending.empty() || m_pending.back().endNs) {
        // At the start and after a pause: earlier work belongs to no frame.
        m_captureLoad.clear();
        m_viewLoad.clear();
    }
    if (!m_pending.empty() && !m_pending.back().endNs)
        m_pending.back().endNs = startNs;
    Pending pending;
    pending.figures.frame = frame;
    pending.figures.startNs = startNs;
    pending.figures.traced = traced;
    m_pending.push_back(pending);
    closeDue();
}

void FrameMetricsBuilder::outputComplete(std::uint32_t frame, std::int64_t completeNs, std::int64_t captureNs)
{
    Pending *pending = find(frame);
    if (!pending)
        return;
    pending->outputKnown = true;
    pending->figures.frameNs = std::max<std::int64_t>(0, completeNs - pending->figures.startNs);
    if (captureNs > 0)
        pending->figures.latencyNs = std::max<std::int64_t>(0, completeNs - captureNs);
    closeDue();
}

void FrameMetricsBuilder::presented(std::uint32_t frame, std::int64_t presentedNs, std::int64_t captureNs)
{
    if (Pending *pending = find(frame))
        pending->figures.latencyNs = std::max<std::int64_t>(0, presentedNs - captureNs);
}

void FrameMetricsBuilder::addBytesCopied(std::uint32_t frame, std::uint64_t bytes)
{
    if (Pending *pending = find(frame))
        pending->figures.bytesCopied += bytes;
}

void FrameMetricsBuilder::setSourcePeriod(std::uint32_t frame, std::int64_t ns)
{
    if (Pending *pending = find(frame))
        pending->figures.sourcePeriodNs = ns;
}

void FrameMetricsBuilder::resolved(std::int64_t ns)
{
    m_resolvedNs = std::max(m_resolvedNs, ns);
    closeDue();
}

void FrameMetricsBuilder::finish(std::int64_t ns)
{
    if (!m_pending.empty() && !m_pending.back().endNs)
        m_pending.back().endNs = std::max(ns, m_pending.back().figures.startNs);
    closeDue();
}

std::vector<FrameFigures> FrameMetricsBuilder::take()
{
    return std::exchange(m_final, {});
}

bool FrameMetricsBuilder::isDue(const Pending &pending) const
{
    if (!pending.endNs)
        return false;
    if (m_pending.size() > kMaxPending)
        return true;
    if (!isResolved(pending))
        return false;
    if (pending.outputKnown)
        return true;
    return isResolved(m_pending.size() > kLatestOutput ? m_pending[kLatestOutput] : m_pending.back());
}

bool FrameMetricsBuilder::isResolved(const Pending &pending) const
{
    return pending.endNs && *pending.endNs <= m_resolvedNs;
}

void FrameMetricsBuilder::closeDue()
{
    while (!m_pending.empty() && isDue(m_pending.front())) {
        close(m_pending.front());
        m_final.push_back(m_pending.front().figures);
        m_pending.pop_front();
    }
}

void FrameMetricsBuilder::close(Pending &pending)
{
    const Interval period{pending.figures.startNs, *pending.endNs};
    takeSpansBefore(period.endNs);

    m_work.restart(period);
    for (const Span &span : m_active)
        if (const std::optional<LaneRole> role = roleOf(span.lane))
            m_work.add(span.lane, *role, span.depth, spanCategory(span.name), {span.startNs, span.endNs()},
                       spanCertainty(span.name));
    pending.figures.overlap = m_work.overlap();
    m_work.waits().addTo(pending.figures);
    // Several frames may close at once; the work of all of them is distributed.
    pending.figures.captureBusyNs = m_captureLoad.take(pending.figures.periodNs());
    pending.figures.viewBusyNs = m_viewLoad.take(pending.figures.periodNs());

    m_closedNs = period.endNs;
    std::erase_if(m_active, [this](const Span &span) { return span.endNs() <= m_closedNs; });
}

/// Moves each span once from the heap to the spans that overlap the current period.
void FrameMetricsBuilder::takeSpansBefore(std::int64_t ns)
{
    while (!m_waiting.empty() && m_waiting.front().startNs < ns) {
        m_active.push_back(m_waiting.front());
        std::pop_heap(m_waiting.begin(), m_waiting.end(), startsLater);
        m_waiting.pop_back();
    }
}

FrameMetricsBuilder::Pending *FrameMetricsBuilder::find(std::uint32_t frame)
{
    const auto found = std::find_if(m_pending.rbegin(), m_pending.rend(),
                                    [frame](const Pending &pending) { return pending.figures.frame == frame; });
    return found != m_pending.rend() ? &*found : nullptr;
}

void LaneLoad::add(const Span &span)
{
    if (span.depth >= kDepths)
        return;
    const Level within = std::exchange(m_levels[span.depth + std::size_t{1}], {});
    const Category category = spanCategory(span.name);
    Level level = within;
    if (isWait(category))
        level = {0, span.durationNs};
    else if (category != Category::Tool)
        level.busyNs = std::max<std::int64_t>(0, span.durationNs - within.waitedNs);
    if (span.depth == 0) {
        m_busyNs += level.busyNs;
        return;
    }
    m_levels[span.depth].busyNs += level.busyNs;
    m_levels[span.depth].waitedNs += level.waitedNs;
}

std::int64_t LaneLoad::take(std::int64_t mostNs)
{
    const std::int64_t taken = std::clamp<std::int64_t>(m_busyNs, 0, std::max<std::int64_t>(0, mostNs));
    m_busyNs -= taken;
    return taken;
}

} // namespace jetscope
