// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timelineview.h"

#include "ui/text.h"
#include "ui/theme.h"
#include "ui/timeline/timelinepainter.h"
#include "ui/timeline/tracehistory.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

constexpr double kFramesFollowed = 2.5;
constexpr double kNotch = 120; ///< QWheelEvent::angleDelta of one notch.
constexpr int kDragThreshold = 4;

} // namespace

TimelineView::TimelineView(const TraceHistory &history, QWidget *parent)
    : QAbstractScrollArea(parent), m_history(history)
{
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(
        tr("What every thread, stream and queue did. Wheel zooms, drag pans, End follows the newest frames."));
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    viewport()->setMouseTracking(true);
    m_layout = layoutTimeline(m_history);
}

int TimelineView::laneWidth() const
{
    return std::max(1, viewport()->width() - m_layout.metrics.labelWidth);
}

void TimelineView::refresh()
{
    if (m_layoutRevision != m_history.revision()) {
        m_layoutRevision = m_history.revision();
        m_layout = layoutTimeline(m_history);
        m_labels = {};
        updateScrollBar();
    }
    if (m_following)
        trackNewest();
    viewport()->update();
}

void TimelineView::follow()
{
    m_following = true;
    refresh();
}

void TimelineView::fitAll()
{
    if (m_history.isEmpty())
        return;
    m_following = false;
    setScale(fitted(m_history.oldestNs(), m_history.newestNs(), laneWidth()));
    m_rulerOriginNs = m_history.oldestNs();
}

void TimelineView::trackNewest()
{
    const auto &frames = m_history.frames();
    if (frames.empty())
        return;
    const std::size_t shown = std::min<std::size_t>(frames.size(), 2);
    const FrameFigures &first = frames[frames.size() - shown];
    const FrameFigures &last = frames.back();
    const std::int64_t total = last.startNs + last.periodNs() - first.startNs;
    const double wanted = static_cast<double>(total) / static_cast<double>(shown) * kFramesFollowed;
    // A small change of the period must not make the whole picture breathe.
    if (std::abs(wanted - static_cast<double>(m_followSpanNs)) > 0.25 * static_cast<double>(m_followSpanNs))
        m_followSpanNs = static_cast<std::int64_t>(wanted);
    const std::int64_t margin = m_followSpanNs / 32;
    m_scale = fitted(first.startNs - margin, first.startNs - margin + m_followSpanNs, laneWidth());
    m_rulerOriginNs = m_scale.startNs;
    emit viewChanged();
}

void TimelineView::setScale(const TimeScale &scale)
{
    m_scale = scale;
    viewport()->update();
    emit viewChanged();
}

void TimelineView::zoom(double laneX, double factor)
{
    m_following = false;
    setScale(zoomedAt(m_scale, laneX, factor));
}

QString TimelineView::summary() const
{
    if (m_history.isEmpty())
        return tr("nothing recorded yet");
    const std::int64_t from = timeAt(m_scale, 0);
    const std::int64_t to = timeAt(m_scale, laneWidth());
    QString text = tr("%1 shown").arg(durationText(to - from));
    const auto [first, last] = m_history.framesIn(from, to);
    if (first < last)
        text += tr(" · frames %1–%2").arg(m_history.frames()[first].frame).arg(m_history.frames()[last - 1].frame);
    return text + (m_following ? tr(" · following") : tr(" · standing still, End follows"));
}

void TimelineView::updateScrollBar()
{
    const int room = viewport()->height() - m_layout.metrics.rulerHeight - m_layout.metrics.footerHeight;
    verticalScrollBar()->setPageStep(std::max(room, 1));
    verticalScrollBar()->setSingleStep(m_layout.metrics.rowHeight);
    verticalScrollBar()->setRange(0, std::max(0, m_layout.height - room));
}

void TimelineView::paintEvent(QPaintEvent *)
{
    QPainter painter(viewport());
    painter.setFont(font());
    const TimelineScene scene{
        m_history,          m_layout, theme(), m_scale, m_rulerOriginNs, verticalScrollBar()->value(),
        viewport()->size(), m_texts};
    TimelinePainter(painter, scene).paint();
    painter.drawPixmap(0, 0, labels());
    if (m_history.isEmpty()) {
        painter.setPen(theme().muted);
        painter.setFont(font());
        painter.drawText(viewport()->rect(), Qt::AlignCenter,
                         tr("Spans appear here as soon as the first frame is done."));
    }
}

void TimelineView::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    m_labels = {};
    updateScrollBar();
    refresh();
}

void TimelineView::changeEvent(QEvent *event)
{
    m_labels = {}; // Theme or font may be others.
    QAbstractScrollArea::changeEvent(event);
}

void TimelineView::scrollContentsBy(int, int)
{
    m_labels = {};
    viewport()->update();
}

const QPixmap &TimelineView::labels()
{
    if (!m_labels.isNull())
        return m_labels;
    const double ratio = devicePixelRatioF();
    const QSize size(m_layout.metrics.labelWidth, viewport()->height());
    m_labels = QPixmap((QSizeF(size) * ratio).toSize());
    m_labels.setDevicePixelRatio(ratio);
    QPainter painter(&m_labels);
    painter.setFont(font());
    paintTimelineLabels(painter, m_layout, theme(), verticalScrollBar()->value(), size.height());
    return m_labels;
}

void TimelineView::wheelEvent(QWheelEvent *event)
{
    const QPoint delta = event->angleDelta();
    if (delta.x() != 0 || event->modifiers().testFlag(Qt::ShiftModifier)) {
        m_following = false;
        setScale(panned(m_scale, (delta.x() != 0 ? delta.x() : delta.y()) / kNotch * 60));
    } else {
        const double perNotch = event->modifiers().testFlag(Qt::ControlModifier) ? 1.05 : 1.2;
        zoom(event->position().x() - m_layout.metrics.labelWidth, std::pow(perNotch, -delta.y() / kNotch));
    }
    event->accept();
}

void TimelineView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_pressed = event->globalPosition().toPoint();
    m_dragged = m_pressed;
}

void TimelineView::mouseMoveEvent(QMouseEvent *event)
{
    if (!event->buttons().testFlag(Qt::LeftButton))
        return;
    const QPoint position = event->globalPosition().toPoint();
    if (!m_dragging && (position - m_pressed).manhattanLength() < kDragThreshold)
        return;
    m_dragging = true;
    m_following = false;
    viewport()->setCursor(Qt::ClosedHandCursor);
    setScale(panned(m_scale, position.x() - m_dragged.x()));
    verticalScrollBar()->setValue(verticalScrollBar()->value() - (position.y() - m_dragged.y()));
    m_dragged = position;
}

void TimelineView::mouseReleaseEvent(QMouseEvent *)
{
    m_dragging = false;
    viewport()->unsetCursor();
}

void TimelineView::keyPressEvent(QKeyEvent *event)
{
    const double centre = laneWidth() / 2.0;
    const double step = laneWidth() / 10.0;
    switch (event->key()) {
    case Qt::Key_W:
    case Qt::Key_Plus:
        zoom(centre, 1 / 1.2);
        return;
    case Qt::Key_S:
    case Qt::Key_Minus:
        zoom(centre, 1.2);
        return;
    case Qt::Key_A:
    case Qt::Key_Left:
        m_following = false;
        setScale(panned(m_scale, step));
        return;
    case Qt::Key_D:
    case Qt::Key_Right:
        m_following = false;
        setScale(panned(m_scale, -step));
        return;
    case Qt::Key_F:
        fitAll();
        return;
    case Qt::Key_End:
        follow();
        return;
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

bool TimelineView::viewportEvent(QEvent *event)
{
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

QString TimelineView::toolTipAt(QPoint position) const
{
    const auto span = spanAt(m_history, m_layout, m_scale, position.x() - m_layout.metrics.labelWidth,
                             position.y() - m_layout.metrics.rulerHeight + verticalScrollBar()->value());
    if (!span || position.x() < m_layout.metrics.labelWidth)
        return {};
    const LaneInfo *lane = m_history.lane(span->lane);
    QString text =
        tr("<b>%1</b> (%2)<br>%3 on %4")
            .arg(toQString(spanName(span->name)).toHtmlEscaped(), toQString(categoryName(spanCategory(span->name))),
                 durationText(span->durationNs), lane ? toQString(lane->name).toHtmlEscaped() : QString());
    if (span->frame != kNoFrame)
        text += tr("<br>frame %1").arg(span->frame);
    if (span->bytes > 0)
        text += tr("<br>%1 moved").arg(bytesText(span->bytes));
    return text + tr("<br>starts at %1").arg(rulerText(span->startNs - m_rulerOriginNs, 1'000));
}

} // namespace jetscope
