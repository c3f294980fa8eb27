// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/pointer.h"
#include "ui/text.h"
#include "ui/timeline/frametip.h"
#include "ui/timeline/rangebrief.h"
#include "ui/timeline/timelineview.h"
#include "ui/traceselection.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

constexpr double kPanPerNotch = 60;
constexpr double kMarkReach = 6; ///< Pixels beside a mark that still mean it.

} // namespace

bool TimelineView::isInFrameStrip(QPoint at) const
{
    return at.x() >= m_layout.metrics.labelWidth && at.y() >= viewport()->height() - m_layout.metrics.footerHeight;
}

std::optional<std::uint64_t> TimelineView::frameUnder(QPoint at) const
{
    const std::int64_t ns = timeAt(scale(), laneX(at.x()));
    const auto [first, last] = m_trace.frames().range(ns, ns + 1);
    return first < last ? std::optional(first) : std::nullopt;
}

const TimelineRow *TimelineView::rowUnder(QPoint at) const
{
    const bool onRows =
        at.y() >= m_layout.contentTop() && at.y() < viewport()->height() - m_layout.metrics.footerHeight;
    return onRows ? m_layout.rowAt(contentY(at.y())) : nullptr;
}

std::optional<SpanPlace> TimelineView::spanUnder(QPoint at) const
{
    const bool onRows = at.x() >= m_layout.metrics.labelWidth && at.y() >= m_layout.contentTop() && !isInFrameStrip(at);
    return onRows ? spanAt(m_trace, m_layout, scale(), laneX(at.x()), contentY(at.y())) : std::nullopt;
}

void TimelineView::wheelEvent(QWheelEvent *event)
{
    const QPoint delta = event->angleDelta();
    if (event->position().x() < m_layout.metrics.labelWidth) {
        QAbstractScrollArea::wheelEvent(event); // Over the names it moves the lanes up and down.
        return;
    }
    if (delta.x() != 0 || event->modifiers().testFlag(Qt::ShiftModifier)) {
        m_camera.panBy(qRound((delta.x() != 0 ? delta.x() : delta.y()) / kWheelNotch * kPanPerNotch));
    } else {
        const double perNotch = event->modifiers().testFlag(Qt::ControlModifier) ? 1.05 : 1.2;
        m_camera.zoomAt(laneX(event->position().x()), std::pow(perNotch, -delta.y() / kWheelNotch));
    }
    event->accept();
}

void TimelineView::mousePressEvent(QMouseEvent *event)
{
    const QPoint at = event->position().toPoint();
    m_pressed = event->globalPosition().toPoint();
    m_dragged = m_pressed;
    m_frameTip->hide();
    const bool onLanes = at.x() >= m_layout.metrics.labelWidth;
    const bool measures = at.y() < m_layout.metrics.rulerHeight || event->modifiers().testFlag(Qt::ShiftModifier);
    if (event->button() == Qt::MiddleButton && onLanes)
        m_drag = Drag::ZoomTo;
    else if (event->button() == Qt::LeftButton)
        m_drag = onLanes && measures ? Drag::Measure : Drag::Pressed;
    if (m_drag == Drag::Measure || m_drag == Drag::ZoomTo) {
        m_camera.stopFollowing(); // What is measured must not run away.
        m_anchorNs = timeAt(scale(), laneX(at.x()));
    }
}

void TimelineView::mouseMoveEvent(QMouseEvent *event)
{
    const QPoint at = event->position().toPoint();
    const QPoint global = event->globalPosition().toPoint();
    m_mouse = at;
    switch (m_drag) {
    case Drag::None:
        hover(at);
        return;
    case Drag::Pressed:
        if ((global - m_pressed).manhattanLength() < kDragThreshold)
            return;
        m_drag = Drag::Pan;
        viewport()->setCursor(Qt::ClosedHandCursor);
        pan(global);
        return;
    case Drag::Pan:
        pan(global);
        return;
    case Drag::Measure:
    case Drag::ZoomTo:
        measure(at);
        return;
    }
}

void TimelineView::pan(QPoint global)
{
    m_camera.panBy(global.x() - m_dragged.x());
    verticalScrollBar()->setValue(verticalScrollBar()->value() - (global.y() - m_dragged.y()));
    m_dragged = global;
}

void TimelineView::measure(QPoint at)
{
    const std::int64_t ns = timeAt(scale(), std::clamp<double>(laneX(at.x()), 0, laneWidth()));
    m_measured = Interval{std::min(ns, m_anchorNs), std::max(ns, m_anchorNs)};
    viewport()->update();
}

void TimelineView::mouseReleaseEvent(QMouseEvent *event)
{
    if (m_drag == Drag::Pressed)
        click(event->position().toPoint());
    endDrag();
}

void TimelineView::endDrag()
{
    const Drag drag = std::exchange(m_drag, Drag::None);
    viewport()->unsetCursor();
    const auto measured = std::exchange(m_measured, std::nullopt);
    const bool wide =
        measured && static_cast<double>(measured->endNs - measured->startNs) >= kDragThreshold * scale().nsPerPixel;
    if (drag == Drag::Measure && wide)
        m_selection.selectRange(*measured);
    else if (drag == Drag::Measure)
        m_selection.clearRange();
    else if (drag == Drag::ZoomTo && wide)
        m_camera.show(*measured);
    viewport()->update();
}

void TimelineView::click(QPoint at)
{
    if (isInFrameStrip(at)) {
        if (const auto frame = frameUnder(at)) {
            m_camera.stopFollowing();
            m_selection.selectFrame(*frame);
        }
        return;
    }
    const TimelineRow *row = rowUnder(at);
    if (row && row->kind == TimelineRow::Kind::Heading) {
        toggleGroup(row->group);
        return;
    }
    if (const auto span = spanUnder(at)) {
        m_camera.stopFollowing();
        m_selection.selectSpan(*span);
    } else if (at.x() >= m_layout.metrics.labelWidth) {
        m_selection.clear();
    }
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent *event)
{
    const QPoint at = event->position().toPoint();
    if (event->button() != Qt::LeftButton)
        return;
    if (const auto span = spanUnder(at)) {
        m_camera.show({span->bar.span.startNs, std::max(span->bar.span.endNs(), span->bar.span.startNs + 1)});
    } else if (const auto frame = isInFrameStrip(at) ? frameUnder(at) : std::nullopt) {
        const FrameFigures figures = m_trace.frames().at(*frame);
        m_camera.show({figures.startNs, figures.startNs + figures.periodNs()});
    } else {
        mousePressEvent(event); // Two fast clicks on a heading are two clicks.
    }
}

/// By mouse of the row below it, by key of the lane of the selected span.
void TimelineView::contextMenuEvent(QContextMenuEvent *event)
{
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    const auto &span = m_selection.span();
    const TimelineRow *row = !byKey ? rowUnder(event->pos()) : span ? m_layout.rowOfTrack(span->track) : nullptr;
    if (!row || row->kind == TimelineRow::Kind::Heading)
        return;
    const TimelineRow copy = *row; // A live trace may be laid out anew while the menu is open.
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction *pin = menu->addAction(copy.pinned ? tr("Unpin %1").arg(copy.label) : tr("Pin %1 to the top").arg(copy.label), this,
                                   [this, copy] { togglePin(copy); });
    pin->setObjectName(QStringLiteral("pin"));
    const int below = m_layout.contentTop();
    menu->popup(byKey ? viewport()->mapToGlobal(QPoint(m_layout.metrics.labelWidth, below)) : event->globalPos());
}

void TimelineView::hover(QPoint at)
{
    m_hovered = spanUnder(at);
    const TimelineRow *row = rowUnder(at);
    const bool heading = row && row->kind == TimelineRow::Kind::Heading;
    viewport()->setCursor(heading                                     ? Qt::PointingHandCursor
                              : at.y() < m_layout.metrics.rulerHeight ? Qt::SplitHCursor
                                                                      : Qt::ArrowCursor);
    const auto frame = isInFrameStrip(at) ? frameUnder(at) : std::nullopt;
    if (frame)
        m_frameTip->showFrame(m_trace, *frame, {at.x(), viewport()->height() - m_layout.metrics.footerHeight - 4});
    else
        m_frameTip->hide();
    viewport()->update();
}

void TimelineView::leave()
{
    m_mouse.reset();
    m_hovered.reset();
    m_frameTip->hide();
    viewport()->update();
}

bool TimelineView::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::Leave)
        leave();
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const QString text = toolTipAt(help->pos());
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), text, viewport());
    return true;
}

QString TimelineView::toolTipAt(QPoint at) const
{
    if (at.x() < m_layout.metrics.labelWidth)
        return labelTipAt(at);
    const auto span = spanUnder(at);
    const TimelineRow *row = rowUnder(at);
    QString text;
    if (span)
        text = spanTip(m_trace, *span, m_camera.rulerOriginNs());
    else if (row && row->kind == TimelineRow::Kind::Counter)
        text = counterTip(m_trace.counters()[row->counter], timeAt(scale(), laneX(at.x())), m_camera.rulerOriginNs());
    else if (at.y() >= m_layout.metrics.rulerHeight && at.y() < m_layout.contentTop())
        text = pathTip(m_trace, timeAt(scale(), laneX(at.x())));
    const QString marks = markTipAt(at);
    return marks.isEmpty() || text.isEmpty() ? marks + text : marks + QStringLiteral("<hr>") + text;
}

QString TimelineView::labelTipAt(QPoint at) const
{
    const TimelineRow *row = rowUnder(at);
    if (!row || row->kind == TimelineRow::Kind::Heading)
        return {};
    const QString what = row->detail.isEmpty() ? row->label : row->label + QStringLiteral(" · ") + row->detail;
    return QStringLiteral("<b>%1</b><br>%2")
        .arg(what.toHtmlEscaped(), row->pinned ? tr("Right click lets it go from the top; so does P for the lane of the selected span.")
                                               : tr("Right click pins it to the top; so does P for the lane of the selected span."));
}

/// The marks within reach: what happened, and for a hazard what to do.
QString TimelineView::markTipAt(QPoint at) const
{
    constexpr std::size_t kMostLines = 4;
    const double x = laneX(at.x());
    const auto [first, last] =
        m_trace.marks().range(timeAt(scale(), x - kMarkReach), timeAt(scale(), x + kMarkReach) + 1);
    QStringList lines;
    for (std::size_t i = first; i < last && i < first + kMostLines; ++i) {
        const TraceMark &mark = m_trace.marks().all()[i];
        QString line = QStringLiteral("<b>%1</b>").arg(toQString(mark.text).toHtmlEscaped());
        if (!mark.rule.empty())
            line += tr(" (rule %1)").arg(toQString(mark.rule).toHtmlEscaped());
        if (!mark.fix.empty())
            line += QStringLiteral("<br>") + toQString(mark.fix).toHtmlEscaped();
        lines.append(line);
    }
    if (last - first > kMostLines)
        lines.append(tr("and %1 more").arg(last - first - kMostLines));
    return lines.join(QStringLiteral("<br>"));
}

} // namespace jetscope
