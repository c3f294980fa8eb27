// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/board/boardruler.h"

#include "ui/board/boardcharts.h"
#include "ui/style/pointer.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"
#include "ui/timeline/timelineruler.h"

#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

constexpr int kTickPixels = 84;
constexpr int kFlagOverhang = 48; ///< Beside the plot, over the right scale.

/// What a flag says; the list of events says the rest.
QString flagOf(const BoardEvent &event)
{
    const QString length = toQString(lengthWords(event.time.endNs - event.time.startNs));
    switch (event.kind) {
    case BoardEvent::Kind::Throttled:
        return BoardRuler::tr("throttled %1").arg(length);
    case BoardEvent::Kind::Slowed:
        return BoardRuler::tr("slower %1").arg(length);
    case BoardEvent::Kind::Missing:
        return {};
    case BoardEvent::Kind::PowerMode:
        break;
    }
    return event.isMeasured ? toQString(event.what) : BoardRuler::tr("probably %1").arg(toQString(event.what));
}

int flagHeight()
{
    return fontScaled(18);
}

} // namespace

BoardRuler::BoardRuler(BoardCharts &charts, const std::vector<BoardEvent> &events, QWidget *parent)
    : QWidget(parent), m_charts(charts), m_events(events)
{
    setObjectName(QStringLiteral("boardRuler"));
    setMouseTracking(true);
    setFixedHeight(2 * flagHeight() + 6);
    setToolTip(tr("Drag to measure a range"));
    for (const auto signal : {&BoardCharts::viewChanged, &BoardCharts::cursorMoved, &BoardCharts::rangeChanged})
        connect(&charts, signal, this, [this] { update(); });
}

void BoardRuler::setTitles(std::vector<Title> titles)
{
    m_titles = std::move(titles);
    update();
}

/// A flag that would cover the one before it has no text.
void BoardRuler::paintFlags(QPainter &painter) const
{
    const QRect plot = m_charts.plot();
    int free = plot.left();
    for (const BoardEvent &event : m_events) {
        const QString text = flagOf(event);
        const int x = m_charts.xOf(event.time.startNs);
        const int width = painter.fontMetrics().horizontalAdvance(text) + 10;
        if (text.isEmpty() || x < plot.left() || x > plot.right())
            continue;
        const bool isWarning = event.kind != BoardEvent::Kind::PowerMode;
        painter.fillRect(x, 0, 1, height(), isWarning ? theme().warn : theme().cpuOnly);
        if (x < free || x + width > plot.right() + kFlagOverhang)
            continue;
        painter.fillRect(x, 1, width, flagHeight() - 2, isWarning ? theme().warnFill : theme().selected);
        painter.setPen(isWarning ? theme().warn : theme().selectedText);
        painter.drawText(QRect(x, 1, width, flagHeight() - 2), Qt::AlignCenter, text);
        free = x + width + 4;
    }
}

void BoardRuler::paintTimes(QPainter &painter) const
{
    const QRect plot = m_charts.plot();
    const TimeScale &scale = m_charts.camera().scale();
    const std::int64_t step = BoardTimes::stepFor(scale.nsPerPixel * fontScaled(kTickPixels));
    painter.setPen(theme().muted);
    painter.drawText(QRect(10, flagHeight(), plot.left() - 16, flagHeight()), Qt::AlignLeft | Qt::AlignVCenter,
                     m_charts.times().isOfDay() ? tr("time of day") : tr("since the start"));
    painter.setFont(fixedFont());
    for (std::int64_t ns = m_charts.times().firstTick(m_charts.nsAt(plot.left()), step);
         ns <= m_charts.nsAt(plot.right()); ns += step) {
        const int x = m_charts.xOf(ns);
        painter.fillRect(x, flagHeight() + 2, 1, height() - flagHeight() - 2, theme().border);
        painter.drawText(QRect(x + 4, flagHeight(), fontScaled(kTickPixels), flagHeight()),
                         Qt::AlignLeft | Qt::AlignVCenter, m_charts.times().text(ns, step));
    }
    const int x = m_charts.xOf(m_charts.cursorNs());
    if (x < plot.left() || x > plot.right() || (!m_charts.isHeld() && !underMouse() && !m_charts.underMouse()))
        return;
    const QString text =
        m_charts.times().text(m_charts.cursorNs(), step >= 10'000'000'000 ? 1'000'000'000 : 100'000'000);
    const int width = painter.fontMetrics().horizontalAdvance(text) + 12;
    const QRect box(std::clamp(x - width / 2, plot.left(), std::max(plot.left(), plot.right() - width)),
                    flagHeight() + 1, width, flagHeight());
    painter.fillRect(box, theme().text);
    painter.setPen(theme().panel);
    painter.drawText(box, Qt::AlignCenter, text);
}

void BoardRuler::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().panel);
    painter.fillRect(0, height() - 1, width(), 1, theme().border);
    painter.setPen(theme().muted);
    for (const Title &title : m_titles)
        painter.drawText(
            QRect(title.right - fontScaled(120), height() - flagHeight() - 4, fontScaled(120) - 8, flagHeight()),
            Qt::AlignRight | Qt::AlignVCenter, title.text);
    const QFont small = paintedFont(font(), 11);
    painter.setFont(small);
    const QRect plot = m_charts.plot();
    if (m_charts.range()) {
        const double from = std::max(0.0, pixelAt(m_charts.camera().scale(), m_charts.range()->startNs));
        const double to = std::min<double>(plot.width(), pixelAt(m_charts.camera().scale(), m_charts.range()->endNs));
        if (to > from)
            painter.fillRect(QRectF(plot.left() + from, height() - 5, to - from, 4), theme().accent);
    }
    paintTimes(painter);
    painter.setFont(small);
    paintFlags(painter);
}

void BoardRuler::mousePressEvent(QMouseEvent *event)
{
    m_pressedX =
        event->button() == Qt::LeftButton && event->pos().x() >= m_charts.plot().left() ? event->pos().x() : -1;
}

void BoardRuler::mouseMoveEvent(QMouseEvent *event)
{
    m_charts.hover(event->pos().x());
    if (m_pressedX < 0 || std::abs(event->pos().x() - m_pressedX) < kDragThreshold)
        return;
    m_charts.measure(m_pressedX, event->pos().x());
}

/// A click without a drag clears the range.
void BoardRuler::mouseReleaseEvent(QMouseEvent *event)
{
    if (m_pressedX >= 0 && std::abs(event->pos().x() - m_pressedX) < kDragThreshold)
        m_charts.setRange(std::nullopt);
    m_pressedX = -1;
}

void BoardRuler::wheelEvent(QWheelEvent *event)
{
    m_charts.zoomAt(static_cast<int>(event->position().x()), std::pow(0.8, event->angleDelta().y() / 120.0));
    event->accept();
}

void BoardRuler::leaveEvent(QEvent *event)
{
    QWidget::leaveEvent(event);
    m_charts.hover(std::nullopt);
}

} // namespace jetscope
