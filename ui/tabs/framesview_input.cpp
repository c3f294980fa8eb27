// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/pointer.h"
#include "ui/tabs/framesview.h"
#include "ui/text.h"
#include "ui/traceselection.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

constexpr double kFewestFramesPerPixel = 1.0 / 64;

} // namespace

void FramesView::fit()
{
    m_following = false;
    m_fitted = true;
    place();
    update();
}

void FramesView::follow()
{
    m_following = true;
    m_fitted = false;
    place();
    update();
}

void FramesView::zoom(double x, double factor)
{
    const FrameTable &frames = m_trace.frames();
    const double all = static_cast<double>(frames.endIndex() - frames.firstIndex()) / std::max(1, plot().width());
    const double next = std::clamp(m_framesPerPixel * factor, kFewestFramesPerPixel, std::max(all, m_framesPerPixel));
    m_first += (x - plot().left()) * (m_framesPerPixel - next);
    m_framesPerPixel = next;
    m_following = false;
    m_fitted = false;
    place();
    update();
}

void FramesView::panBy(double frames)
{
    m_following = false;
    m_fitted = false;
    m_first += frames;
    place();
    update();
}

void FramesView::wheelEvent(QWheelEvent *event)
{
    const QPoint delta = event->angleDelta();
    if (delta.x() != 0 || event->modifiers().testFlag(Qt::ShiftModifier)) {
        panBy(-(delta.x() != 0 ? delta.x() : delta.y()) / kWheelNotch * 60 * m_framesPerPixel);
    } else {
        const double perNotch = event->modifiers().testFlag(Qt::ControlModifier) ? 1.05 : 1.2;
        zoom(event->position().x(), std::pow(perNotch, -delta.y() / kWheelNotch));
    }
    event->accept();
}

void FramesView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_pressed = event->globalPosition().toPoint().x();
    m_panning = false;
}

void FramesView::mouseMoveEvent(QMouseEvent *event)
{
    if (!m_pressed)
        return;
    const int x = event->globalPosition().toPoint().x();
    if (!m_panning && std::abs(x - *m_pressed) < kDragThreshold)
        return;
    m_panning = true;
    panBy((*m_pressed - x) * m_framesPerPixel);
    m_pressed = x;
}

void FramesView::mouseReleaseEvent(QMouseEvent *event)
{
    if (!std::exchange(m_pressed, std::nullopt) || std::exchange(m_panning, false))
        return;
    if (const auto frame = frameAt(event->position().toPoint().x()))
        emit chosen(*frame);
}

void FramesView::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (const auto frame = frameAt(event->position().toPoint().x()))
        emit opened(*frame);
}

void FramesView::step(int direction)
{
    const auto [first, last] = shown();
    if (first >= last)
        return;
    const Interval from{m_trace.frames().at(first).startNs, m_trace.frames().at(last - 1).startNs};
    if (m_selection.stepFrame(direction, from))
        emit chosen(*m_selection.frame()->index);
}

/// Wherever it was chosen, its bar is in view, and does not run away.
void FramesView::revealSelected()
{
    const auto &frame = m_selection.frame();
    if (!frame || !frame->index)
        return;
    place(); // It may have been hidden while frames came.
    m_following = false;
    const auto index = static_cast<double>(*frame->index);
    const double room = plot().width() * m_framesPerPixel;
    if (index < m_first || index >= m_first + room)
        panBy(index - m_first - room / 2);
}

void FramesView::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_BracketLeft:
        step(-1);
        return;
    case Qt::Key_Right:
    case Qt::Key_BracketRight:
        step(1);
        return;
    case Qt::Key_F:
        fit();
        return;
    case Qt::Key_End:
        follow();
        emit followed();
        return;
    case Qt::Key_Home:
        panBy(static_cast<double>(m_trace.frames().firstIndex()) - m_first);
        return;
    case Qt::Key_Plus:
    case Qt::Key_W:
        zoom(plot().center().x(), 1 / 1.2);
        return;
    case Qt::Key_Minus:
    case Qt::Key_S:
        zoom(plot().center().x(), 1.2);
        return;
    case Qt::Key_Escape:
        m_selection.clear();
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

bool FramesView::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const QString text = toolTipAt(help->pos().x());
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), text, this);
    return true;
}

QString FramesView::toolTipAt(int x) const
{
    const auto index = frameAt(x);
    if (!index)
        return {};
    const FrameFigures f = m_trace.frames().at(*index);
    QString text =
        tr("<b>frame %1</b>, period %2<br>CPU busy %3, GPU busy %4<br>both %5, overlap %6<br>CPU blocked %7")
            .arg(f.frame)
            .arg(durationText(f.periodNs()), durationText(f.overlap.cpuNs), gpuBusyText(f.overlap),
                 durationText(f.overlap.bothNs), overlapText(f.overlap), durationText(f.blockedNs()));
    if (const std::string why = f.overlap.overlapReason(); !why.empty())
        text += QStringLiteral("<br>") + toQString(why).toHtmlEscaped();
    if (m_framesPerPixel > 1)
        text += tr("<br>the longest of about %1 frames here").arg(qRound(m_framesPerPixel));
    return text;
}

} // namespace jetscope
