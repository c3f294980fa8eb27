// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/searchbar.h"
#include "ui/timeline/spannavigation.h"
#include "ui/timeline/timelineview.h"
#include "ui/traceselection.h"

#include <QKeyEvent>
#include <QScrollBar>

#include <algorithm>

namespace jetscope {

bool TimelineView::event(QEvent *event)
{
    // Keys that mean something else elsewhere in the window are the timeline's own while it has the focus.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->key() == Qt::Key_F && key->modifiers() == Qt::ControlModifier) {
            event->accept();
            return true;
        }
    }
    return QAbstractScrollArea::event(event);
}

void TimelineView::keyPressEvent(QKeyEvent *event)
{
    if (m_motion.press(event) || handleMoveKey(event->key()) || handleViewKey(*event))
        return;
    QAbstractScrollArea::keyPressEvent(event);
}

void TimelineView::keyReleaseEvent(QKeyEvent *event)
{
    if (!m_motion.release(event))
        QAbstractScrollArea::keyReleaseEvent(event);
}

void TimelineView::focusOutEvent(QFocusEvent *event)
{
    m_motion.stop();
    QAbstractScrollArea::focusOutEvent(event);
}

bool TimelineView::handleMoveKey(int key)
{
    switch (key) {
    case Qt::Key_Left:
        stepSpan(-1);
        return true;
    case Qt::Key_Right:
        stepSpan(1);
        return true;
    case Qt::Key_Up:
        stepLane(-1);
        return true;
    case Qt::Key_Down:
        stepLane(1);
        return true;
    case Qt::Key_BracketLeft:
        stepFrame(-1);
        return true;
    case Qt::Key_BracketRight:
        stepFrame(1);
        return true;
    case Qt::Key_Home:
        m_camera.goToStart();
        return true;
    case Qt::Key_End:
        follow();
        return true;
    default:
        return false;
    }
}

bool TimelineView::handleViewKey(const QKeyEvent &event)
{
    switch (event.key()) {
    case Qt::Key_Plus:
        m_camera.zoomAt(laneWidth() / 2.0, 1 / 1.2);
        return true;
    case Qt::Key_Minus:
        m_camera.zoomAt(laneWidth() / 2.0, 1.2);
        return true;
    case Qt::Key_Z:
        zoomToSelected();
        return true;
    case Qt::Key_Backspace:
        m_camera.back();
        return true;
    case Qt::Key_F:
        event.modifiers().testFlag(Qt::ControlModifier) ? find() : fitAll();
        return true;
    case Qt::Key_P:
        togglePinOfSelected();
        return true;
    case Qt::Key_H:
        toggleFollowing();
        return true;
    case Qt::Key_Escape:
        clearOne();
        return true;
    default:
        return false;
    }
}

void TimelineView::select(const SpanPlace &span)
{
    m_selection.selectSpan(span);
    m_camera.reveal({span.bar.span.startNs, span.bar.span.endNs()});
    showRowOf(span.track);
}

void TimelineView::showRowOf(std::size_t track)
{
    const TimelineRow *row = m_layout.rowOfTrack(track);
    if (!row || row->top < stickyHeight())
        return;
    const int top = row->top - stickyHeight();
    const int first = verticalScrollBar()->value();
    const int step = verticalScrollBar()->pageStep();
    if (top < first || top + row->height > first + step)
        verticalScrollBar()->setValue(top - (step - row->height) / 2);
}

void TimelineView::openGroupOf(std::size_t track)
{
    if (const TimelineRow *row = m_layout.rowOfTrack(track); row && row->pinned)
        return;
    const LaneInfo *lane = m_trace.lane(m_trace.tracks()[track].lane());
    const RowGroup group = rowGroupOf(lane ? lane->role : LaneRole::Tool);
    if (m_collapsed[static_cast<std::size_t>(group)])
        toggleGroup(group);
}

void TimelineView::showSpan(const SpanPlace &span)
{
    openGroupOf(span.track);
    m_camera.reveal({span.bar.span.startNs, span.bar.span.endNs()});
    showRowOf(span.track);
}

/// Whoever looks for it wants to see it: not under the field that it was looked for in, nor as a hair. Letters that are
/// only typed do not zoom: the word goes on.
void TimelineView::showFound(const SpanPlace &span, bool asked)
{
    constexpr double kLeastPixels = 6;
    openGroupOf(span.track);
    m_selection.selectSpan(span);
    const Interval time{span.bar.span.startNs, span.bar.span.endNs()};
    m_camera.reveal(time, asked ? kLeastPixels : 0);
    if (pixelAt(m_camera.target(), time.startNs) >= laneX(m_search->x()))
        m_camera.center(time);
    showRowOf(span.track);
}

void TimelineView::stepSpan(int direction)
{
    const auto next = m_selection.span() ? neighbourOf(m_trace, *m_selection.span(), direction)
                                         : firstChoice(m_trace, m_layout, m_camera.window());
    if (next)
        select(*next);
}

void TimelineView::stepLane(int direction)
{
    const auto next = m_selection.span() ? spanBeyond(m_trace, m_layout, *m_selection.span(), direction)
                                         : firstChoice(m_trace, m_layout, m_camera.window());
    if (next)
        select(*next);
}

void TimelineView::stepFrame(int direction)
{
    if (m_selection.stepFrame(direction, m_camera.window()))
        m_camera.reveal(m_selection.frame()->period);
}

void TimelineView::zoomToSelected()
{
    if (m_selection.range()) {
        m_camera.show(*m_selection.range());
    } else if (const auto &span = m_selection.span()) {
        m_camera.show({span->bar.span.startNs, std::max(span->bar.span.endNs(), span->bar.span.startNs + 1)});
    } else if (const auto &frame = m_selection.frame(); frame && frame->index) {
        m_camera.show(frame->period);
    }
}

/// One thing at a time: first a drag, then the range, then span and frame.
void TimelineView::clearOne()
{
    if (m_drag != Drag::None) {
        m_drag = Drag::None;
        m_measured.reset();
        viewport()->unsetCursor();
        viewport()->update();
    } else if (m_selection.range()) {
        m_selection.clearRange();
    } else {
        m_selection.clear();
    }
}

void TimelineView::toggleFollowing()
{
    if (m_camera.isFollowing())
        m_camera.stopFollowing();
    else
        follow();
}

void TimelineView::toggleGroup(RowGroup group)
{
    bool &collapsed = m_collapsed[static_cast<std::size_t>(group)];
    collapsed = !collapsed;
    relayout();
}

void TimelineView::togglePin(const TimelineRow &row)
{
    QStringList pinned = m_pinned;
    const QString name = pinNameOf(row);
    if (pinned.removeAll(name) == 0)
        pinned.append(name);
    setPinned(pinned);
}

void TimelineView::togglePinOfSelected()
{
    const auto &span = m_selection.span();
    const TimelineRow *row = span ? m_layout.rowOfTrack(span->track) : nullptr;
    if (!row || row->kind != TimelineRow::Kind::Lane)
        return;
    togglePin(*row);
    showRowOf(span->track);
}

} // namespace jetscope
