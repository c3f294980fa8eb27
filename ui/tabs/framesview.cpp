// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/tabs/framesview.h"

#include "ui/text.h"
#include "ui/theme.h"
#include "ui/timeline/timescale.h"
#include "ui/timeline/tracehistory.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <array>

namespace jetscope {

namespace {

constexpr int kBarPitch = 8;
constexpr int kBarWidth = 6;
constexpr int kLabelWidth = 64;
constexpr int kLegendHeight = 28;

double toMs(std::int64_t ns)
{
    return static_cast<double>(ns) / 1e6;
}

} // namespace

FramesView::FramesView(const TraceHistory &history, QWidget *parent) : QWidget(parent), m_history(history)
{
    setAccessibleName(tr("Frames"));
    setAccessibleDescription(
        tr("One bar per frame: time in which only the CPU, both, only the GPU or neither was busy."));
}

void FramesView::refresh()
{
    if (isVisible())
        update();
}

QRect FramesView::plot() const
{
    return rect().adjusted(kLabelWidth, kLegendHeight, -8, -8);
}

std::size_t FramesView::firstShown() const
{
    const auto room = static_cast<std::size_t>(std::max(1, plot().width() / kBarPitch));
    const std::size_t count = m_history.frames().size();
    return count > room ? count - room : 0;
}

double FramesView::highestMs() const
{
    double highest = 1;
    for (std::size_t i = firstShown(); i < m_history.frames().size(); ++i)
        highest = std::max(highest, toMs(m_history.frames()[i].periodNs()));
    return highest * 1.1;
}

void FramesView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().panel);
    paintLegend(painter);
    const QRect area = plot();
    if (m_history.frames().empty()) {
        painter.setPen(theme().muted);
        painter.drawText(area, Qt::AlignCenter, tr("Frames appear here as soon as their figures are final."));
        return;
    }
    const double msPerPixel = highestMs() / std::max(1, area.height());
    paintGrid(painter, msPerPixel);
    int left = area.left();
    for (std::size_t i = firstShown(); i < m_history.frames().size(); ++i, left += kBarPitch) {
        const Overlap &o = m_history.frames()[i].overlap;
        const std::array<std::pair<std::int64_t, QColor>, 4> parts = {{{o.cpuNs - o.bothNs, theme().cpuOnly},
                                                                       {o.bothNs, theme().both},
                                                                       {o.gpuNs - o.bothNs, theme().gpuOnly},
                                                                       {o.idleNs, theme().band}}};
        double bottom = area.bottom() + 1;
        for (const auto &[ns, color] : parts) {
            const double height = toMs(ns) / msPerPixel;
            painter.fillRect(QRectF(left, bottom - height, kBarWidth, height), color);
            bottom -= height;
        }
    }
}

void FramesView::paintGrid(QPainter &painter, double msPerPixel) const
{
    const QRect area = plot();
    const double stepMs = toMs(rulerStepNs(msPerPixel * 1e6, 40));
    for (double ms = 0; ms / msPerPixel < area.height(); ms += stepMs) {
        const int y = area.bottom() - qRound(ms / msPerPixel);
        painter.fillRect(area.left(), y, area.width(), 1, theme().border);
        painter.setPen(theme().muted);
        painter.drawText(QRect(0, y - 10, kLabelWidth - 6, 20), Qt::AlignRight | Qt::AlignVCenter, millisText(ms));
    }
}

void FramesView::paintLegend(QPainter &painter) const
{
    const std::array<std::pair<QString, QColor>, 4> entries = {{{tr("CPU only"), theme().cpuOnly},
                                                                {tr("both"), theme().both},
                                                                {tr("GPU only"), theme().gpuOnly},
                                                                {tr("idle"), theme().band}}};
    int left = kLabelWidth;
    for (const auto &[name, color] : entries) {
        painter.setPen(theme().border);
        painter.setBrush(color);
        painter.drawRect(left, 9, 10, 10);
        painter.setPen(theme().muted);
        painter.drawText(left + 16, 18, name);
        left += 34 + painter.fontMetrics().horizontalAdvance(name);
    }
}

bool FramesView::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const int column = (help->pos().x() - plot().left()) / kBarPitch;
    const std::size_t index = firstShown() + static_cast<std::size_t>(std::max(0, column));
    if (help->pos().x() < plot().left() || index >= m_history.frames().size()) {
        QToolTip::hideText();
        return true;
    }
    const FrameFigures &f = m_history.frames()[index];
    const auto ratio = f.overlap.overlap();
    QToolTip::showText(
        help->globalPos(),
        tr("<b>frame %1</b>, period %2<br>CPU busy %3, GPU busy %4<br>both %5, overlap %6<br>CPU blocked %7")
            .arg(f.frame)
            .arg(durationText(f.periodNs()), durationText(f.overlap.cpuNs), durationText(f.overlap.gpuNs),
                 durationText(f.overlap.bothNs), ratio ? percentText(*ratio) : tr("none"), durationText(f.blockedNs())),
        this);
    return true;
}

} // namespace jetscope
