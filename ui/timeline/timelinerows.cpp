// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timelinerows.h"

#include <algorithm>
#include <utility>

namespace jetscope {

TimelineRows::TimelineRows(const Trace &trace, QObject *parent)
    : QObject(parent), m_trace(trace), m_layout(layoutTimeline(trace)), m_shape(trace.shape())
{
}

void TimelineRows::arrange()
{
    m_shape = m_trace.shape();
    m_layout = layoutTimeline(m_trace, m_collapsed, m_pinned, m_layout.metrics);
    m_scrollY = std::min(m_scrollY, mostScrollY());
    emit arranged();
}

bool TimelineRows::update()
{
    if (m_shape == m_trace.shape())
        return false;
    arrange();
    return true;
}

void TimelineRows::restart()
{
    arrange();
}

void TimelineRows::setCollapsed(const CollapsedGroups &collapsed)
{
    m_collapsed = collapsed;
    arrange();
}

void TimelineRows::toggleGroup(RowGroup group)
{
    bool &collapsed = m_collapsed[static_cast<std::size_t>(group)];
    collapsed = !collapsed;
    arrange();
}

void TimelineRows::openGroupOf(std::size_t track)
{
    if (const TimelineRow *row = m_layout.rowOfTrack(track); row && row->pinned)
        return;
    const LaneInfo *lane = m_trace.lane(m_trace.tracks()[track].lane());
    const RowGroup group = rowGroupOf(lane ? lane->role : LaneRole::Tool);
    if (m_collapsed[static_cast<std::size_t>(group)])
        toggleGroup(group);
}

void TimelineRows::setPinned(const QStringList &pinned)
{
    m_pinned = pinned;
    arrange();
}

void TimelineRows::togglePin(const TimelineRow &row)
{
    const QString name = pinNameOf(row);
    if (m_pinned.removeAll(name) == 0)
        m_pinned.append(name);
    arrange();
}

void TimelineRows::setMetrics(const TimelineMetrics &metrics)
{
    m_layout.metrics = metrics;
    arrange();
}

void TimelineRows::setHeight(int height)
{
    m_height = height;
    setScrollY(m_scrollY);
}

int TimelineRows::room() const
{
    return std::max(0, m_height - m_layout.contentTop() - m_layout.metrics.footerHeight);
}

int TimelineRows::stickyHeight() const
{
    return m_layout.pinnedHeight <= room() * 2 / 3 ? m_layout.pinnedHeight : 0;
}

int TimelineRows::mostScrollY() const
{
    return std::max(0, m_layout.height - room());
}

int TimelineRows::scrollPage() const
{
    return std::max(1, room() - stickyHeight());
}

void TimelineRows::setScrollY(int y)
{
    const int bounded = std::clamp(y, 0, mostScrollY());
    if (std::exchange(m_scrollY, bounded) != bounded)
        emit scrolled();
}

void TimelineRows::show(std::size_t track)
{
    const TimelineRow *row = m_layout.rowOfTrack(track);
    if (!row || row->top < stickyHeight())
        return;
    const int top = row->top - stickyHeight();
    if (top < m_scrollY || top + row->height > m_scrollY + scrollPage())
        setScrollY(top - (scrollPage() - row->height) / 2);
}

int TimelineRows::contentY(int y) const
{
    const int below = y - m_layout.contentTop();
    return below < stickyHeight() ? below : below + m_scrollY;
}

const TimelineRow *TimelineRows::rowUnder(int y) const
{
    return y >= m_layout.contentTop() && !isInFooter(y) ? m_layout.rowAt(contentY(y)) : nullptr;
}

} // namespace jetscope
