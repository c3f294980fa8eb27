// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timelinerows.h"

#include "ui/style/theme.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace jetscope {

TimelineRows::TimelineRows(const Trace &trace, QObject *parent)
    : QObject(parent), m_trace(trace), m_layout(layoutTimeline(trace, {}, m_metrics)), m_shape(trace.shape())
{
}

void TimelineRows::arrange()
{
    m_shape = m_trace.shape();
    m_layout = layoutTimeline(m_trace, m_choices, m_layout.metrics, m_idle);
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

void TimelineRows::setIdle(const IdleLanes::Lanes &idle)
{
    m_idle = idle;
    arrange();
}

void TimelineRows::setChoices(const LaneChoices &choices)
{
    m_choices = choices;
    arrange();
}

void TimelineRows::toggleGroup(const QString &group)
{
    m_choices.toggleFold(group);
    arrange();
}

void TimelineRows::foldAll(bool folded)
{
    for (const TimelineRow &row : m_layout.rows)
        if (row.kind == TimelineRow::Kind::Heading)
            m_choices.setFolded(row.key, folded);
    arrange();
}

void TimelineRows::uncover(std::size_t track)
{
    const auto has = [track](const std::vector<std::size_t> &tracks) {
        return std::find(tracks.begin(), tracks.end(), track) != tracks.end();
    };
    if (const TimelineRow *row = m_layout.rowOfTrack(track); row && row->kind == TimelineRow::Kind::Lane)
        return;
    for (const std::vector<TimelineRow> *rows : {&m_layout.rows, &m_layout.unseen})
        for (const TimelineRow &row : *rows) {
            if (row.kind != TimelineRow::Kind::Lane || (!has(row.tracks) && !has(row.deeper)))
                continue;
            m_choices.setHidden(row.key, false);
            m_choices.setFolded(row.part, false);
            if (has(row.deeper))
                m_choices.setWhole(row.key, true);
            if (!m_choices.passes(row.label, row.detail))
                m_choices.setFilter({});
            arrange();
            return;
        }
}

void TimelineRows::togglePin(const QString &lane)
{
    m_choices.togglePin(lane);
    arrange();
}

void TimelineRows::setHidden(const QString &lane, bool hidden)
{
    m_choices.setHidden(lane, hidden);
    arrange();
}

void TimelineRows::hideGroup(const QString &group)
{
    for (const std::vector<TimelineRow> *rows : {&m_layout.rows, &m_layout.unseen})
        for (const TimelineRow &row : *rows)
            if (row.part == group && !row.pinned)
                m_choices.setHidden(row.key, true);
    arrange();
}

void TimelineRows::showAll()
{
    m_choices.showAll();
    arrange();
}

void TimelineRows::toggleLevels(const QString &lane)
{
    m_choices.setWhole(lane, !m_choices.isWhole(lane));
    arrange();
}

void TimelineRows::setFilter(const QString &filter)
{
    const QString before = m_choices.filter();
    m_choices.setFilter(filter);
    if (m_choices.filter() != before)
        arrange();
}

bool TimelineRows::areSiblings(const TimelineRow &a, const TimelineRow &b)
{
    return a.pinned == b.pinned && (a.pinned || (!a.part.isEmpty() && a.part == b.part));
}

void TimelineRows::move(const QString &lane, const QString &to, bool behind)
{
    const TimelineRow *row = m_layout.rowOfKey(lane);
    const TimelineRow *other = m_layout.rowOfKey(to);
    if (!row || !other || !areSiblings(*row, *other))
        return;
    const QString group = lane.section(u'/', 0, 0) + u'/';
    QStringList lanes;
    std::copy_if(m_layout.order.begin(), m_layout.order.end(), std::back_inserter(lanes),
                 [&group](const QString &key) { return key.startsWith(group); });
    m_choices.move(lanes, lane, to, behind);
    arrange();
}

bool TimelineRows::step(const QString &lane, int direction)
{
    const TimelineRow *row = m_layout.rowOfKey(lane);
    if (!row)
        return false;
    const std::ptrdiff_t place = row - m_layout.rows.data() + direction;
    if (place < 0 || place >= std::ssize(m_layout.rows))
        return false;
    const TimelineRow &to = m_layout.rows[static_cast<std::size_t>(place)];
    if (!areSiblings(*row, to))
        return false;
    move(lane, QString(to.key), direction > 0);
    return true;
}

void TimelineRows::setMetrics(const TimelineMetrics &metrics)
{
    m_metrics = metrics;
    m_layout.metrics = metrics;
    arrange();
}

void TimelineRows::setWidth(int width)
{
    if (m_metrics.headingHeight == 0) // Of timelines above each other, which must agree.
        return;
    m_metrics.labelWidth = nameWidth(width);
    if (std::exchange(m_layout.metrics.labelWidth, m_metrics.labelWidth) != m_metrics.labelWidth)
        arrange();
}

void TimelineRows::setHeight(int height)
{
    constexpr int kLow = 480;
    constexpr int kLevelsIfLow = 4;
    m_height = height;
    const int levels = height < fontScaled(kLow) ? std::min(kLevelsIfLow, m_metrics.mostLevels) : m_metrics.mostLevels;
    if (std::exchange(m_layout.metrics.mostLevels, levels) != levels)
        arrange();
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
    if (const TimelineRow *row = m_layout.rowOfTrack(track))
        show(*row);
}

void TimelineRows::show(const TimelineRow &row)
{
    if (row.top < stickyHeight())
        return;
    const int top = row.top - stickyHeight();
    if (top < m_scrollY || top + row.height > m_scrollY + scrollPage())
        setScrollY(top - (scrollPage() - row.height) / 2);
}

void TimelineRows::show(const QString &key)
{
    if (const TimelineRow *row = m_layout.rowOfKey(key))
        show(*row);
}

int TimelineRows::shownTop(const TimelineRow &row) const
{
    return m_layout.contentTop() + row.top - (row.top < stickyHeight() ? 0 : m_scrollY);
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
