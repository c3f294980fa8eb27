// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/frames/framesview.h"

#include "core/trace/tracefigures.h"
#include "ui/frames/framebars.h"
#include "ui/session/traceselection.h"
#include "ui/style/pointer.h"
#include "ui/style/style.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <cmath>
#include <utility>

namespace jetscope {

namespace {

constexpr double kPanNotchPixels = 60;
constexpr double kKeyZoom = 1.2;

} // namespace

FramesView::FramesView(const Trace &trace, TraceSelection &selection, QWidget *parent)
    : QWidget(parent), m_trace(trace), m_selection(selection), m_window(trace)
{
    setAccessibleName(tr("Frames"));
    setAccessibleRole(this, QAccessible::Chart);
    setAccessibleDescription(
        tr("One bar per frame: time in which only the CPU, both, only the GPU or neither was busy. Wheel zooms, drag "
           "pans, a click selects the frame."));
    setFocusPolicy(Qt::StrongFocus);
    setProperty("focusRing", true);
    setMinimumHeight(120);
    connect(&m_selection, &TraceSelection::changed, this, QOverload<>::of(&QWidget::update));
    connect(&m_selection, &TraceSelection::frameChosen, this, &FramesView::revealSelected);
}

void FramesView::refresh()
{
    if (std::exchange(m_version, m_trace.version()) == m_trace.version())
        return;
    m_window.update();
    if (isVisible())
        update();
}

void FramesView::restart(bool live)
{
    m_version = m_trace.version();
    m_live = live;
    m_window.restart(live);
    update();
}

void FramesView::follow()
{
    m_window.follow();
    update();
}

QRect FramesView::plot() const
{
    return rect().adjusted(FrameBars::kLabelWidth, FrameBars::kLegendHeight, -8, -8);
}

void FramesView::resizeEvent(QResizeEvent *)
{
    const bool wasUnseen = m_window.width() == 0;
    m_window.setWidth(plot().width());
    if (wasUnseen) // A frame may have been selected before the view had a size.
        revealSelected();
}

std::optional<std::uint64_t> FramesView::frameAt(int x) const
{
    const auto frames = m_window.framesAt(x - plot().left());
    return frames ? std::optional(m_trace.frames().sum(frames->first, frames->second).longest) : std::nullopt;
}

int FramesView::pixelOf(std::uint64_t frame) const
{
    return plot().left() + m_window.pixelOf(frame);
}

QString FramesView::emptyText() const
{
    return m_live
        ? tr("Frames appear here as soon as their figures are final.\nChoose a source above, or open a capture "
             "(Ctrl+Shift+O).")
        : tr("This file has no frames.\n\"jetscope --frames-by NAME FILE\" takes the ranges of this name in a "
             "trace of another program for frames.");
}

void FramesView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().panel);
    const QRect area = plot();
    FrameBars bars(painter, m_trace, m_window, area, theme());
    bars.paintLegend();
    if (m_trace.frames().empty()) {
        painter.setPen(theme().muted);
        painter.drawText(area, Qt::AlignCenter | Qt::TextWordWrap, emptyText());
        return;
    }
    const auto &frame = m_selection.frame();
    bars.paint(frame ? frame->index : std::nullopt);
    if (hasFocus()) {
        painter.setPen(theme().accentText);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(area.adjusted(-1, -1, 0, 0));
    }
}

void FramesView::wheelEvent(QWheelEvent *event)
{
    const QPoint delta = event->angleDelta();
    if (delta.x() != 0 || event->modifiers().testFlag(Qt::ShiftModifier)) {
        m_window.panBy(-(delta.x() != 0 ? delta.x() : delta.y()) / kWheelNotch * kPanNotchPixels * framesPerPixel());
    } else {
        const double perNotch = event->modifiers().testFlag(Qt::ControlModifier) ? 1.05 : 1.2;
        m_window.zoomAt(event->position().x() - plot().left(), std::pow(perNotch, -delta.y() / kWheelNotch));
    }
    update();
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
    m_window.panBy((*m_pressed - x) * framesPerPixel());
    m_pressed = x;
    update();
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

/// Brings the selected frame into view, also if it was selected elsewhere.
void FramesView::revealSelected()
{
    const auto &frame = m_selection.frame();
    if (!frame || !frame->index)
        return;
    m_window.reveal(*frame->index);
    update();
}

/// Handles keys that move the window; false for other keys.
bool FramesView::moveByKey(int key)
{
    switch (key) {
    case Qt::Key_F:
        m_window.fit();
        break;
    case Qt::Key_End:
        m_window.follow();
        emit followed();
        break;
    case Qt::Key_Home:
        m_window.goToStart();
        break;
    case Qt::Key_Plus:
    case Qt::Key_W:
        m_window.zoomAt(m_window.width() / 2.0, 1 / kKeyZoom);
        break;
    case Qt::Key_Minus:
    case Qt::Key_S:
        m_window.zoomAt(m_window.width() / 2.0, kKeyZoom);
        break;
    default:
        return false;
    }
    update();
    return true;
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
    case Qt::Key_Escape:
        m_selection.clear();
        return;
    default:
        if (!moveByKey(event->key()))
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
    QString text = tr("<b>frame %1</b>, period %2<br>CPU busy %3, GPU busy %4<br>both %5, overlap %6<br>CPU blocked %7")
                       .arg(m_trace.frameNumber(f.frame))
                       .arg(durationText(f.periodNs()), durationText(f.overlap.cpuNs), gpuBusyText(f.overlap),
                            durationText(f.overlap.bothNs), overlapText(f.overlap), durationText(f.blockedNs()));
    if (const std::string why = overlapReasonIn(m_trace, f.overlap); !why.empty())
        text += QStringLiteral("<br>") + toQString(why).toHtmlEscaped();
    if (framesPerPixel() > 1)
        text += tr("<br>the longest of about %1 frames here").arg(qRound(framesPerPixel()));
    return text;
}

} // namespace jetscope
