// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/latencychart.h"

#include "ui/lab/latencycolors.h"
#include "ui/style/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

constexpr int kMostBins = 60;
constexpr int kAxisHeight = 18;
constexpr int kTop = 18;

} // namespace

LatencyChart::LatencyChart(QWidget *parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("latencyChart"));
    setAccessibleName(tr("Distribution of the latency"));
    setMinimumSize(160, 100);
    setFocusPolicy(Qt::StrongFocus);
    setToolTip(tr("A click on a bar, or the arrow keys, list its frames; Escape lists all"));
}

void LatencyChart::show(const std::deque<FrameLatency> &frames, const std::optional<LatencyFigures> &figures)
{
    m_figures = figures;
    m_bins.clear();
    if (figures) {
        m_firstMs = static_cast<int>(std::floor(figures->leastMs));
        const int range = static_cast<int>(std::floor(figures->mostMs)) - m_firstMs + 1;
        m_binMs = (range + kMostBins - 1) / kMostBins;
        m_bins.resize(static_cast<std::size_t>((range + m_binMs - 1) / m_binMs));
        for (const FrameLatency &frame : frames) {
            const auto bin = static_cast<int>((static_cast<double>(frame.totalNs()) / 1e6 - m_firstMs) / m_binMs);
            ++m_bins[static_cast<std::size_t>(std::clamp(bin, 0, static_cast<int>(m_bins.size()) - 1))];
        }
    }
    update();
}

QRect LatencyChart::plot() const
{
    return rect().adjusted(8, kTop, -8, -kAxisHeight);
}

double LatencyChart::xOf(double ms) const
{
    const double range = static_cast<double>(m_bins.size()) * m_binMs;
    return plot().left() + (ms - m_firstMs) / range * plot().width();
}

bool LatencyChart::isChosen(std::size_t bin) const
{
    const int from = m_firstMs + static_cast<int>(bin) * m_binMs;
    return m_range && from < m_range->second && from + m_binMs > m_range->first;
}

void LatencyChart::choose(std::optional<std::pair<int, int>> range)
{
    if (range == m_range)
        return;
    m_range = range;
    setAccessibleDescription(range ? tr("Frames of %1 to %2 ms are listed").arg(range->first).arg(range->second)
                                   : QString());
    update();
    emit rangeChanged();
}

/// A bin without frames, or the one that is chosen, chooses none.
void LatencyChart::chooseBin(int bin)
{
    if (bin < 0 || bin >= static_cast<int>(m_bins.size()) || m_bins[static_cast<std::size_t>(bin)] == 0)
        return choose(std::nullopt);
    const std::pair range(m_firstMs + bin * m_binMs, m_firstMs + (bin + 1) * m_binMs);
    choose(m_range == range ? std::nullopt : std::optional(range));
}

void LatencyChart::mousePressEvent(QMouseEvent *event)
{
    const QRect plot = this->plot();
    if (m_bins.empty() || event->button() != Qt::LeftButton)
        return QWidget::mousePressEvent(event);
    chooseBin(static_cast<int>(
        std::floor((event->position().x() - plot.left()) / plot.width() * static_cast<double>(m_bins.size()))));
}

/// The next bin that has frames.
void LatencyChart::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape && m_range)
        return choose(std::nullopt);
    const int step = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    if (step == 0 || m_bins.empty())
        return QWidget::keyPressEvent(event);
    const int last = static_cast<int>(m_bins.size()) - 1;
    int bin = m_range ? (m_range->first - m_firstMs) / m_binMs : step > 0 ? -1 : last + 1;
    for (bin += step; bin >= 0 && bin <= last; bin += step)
        if (m_bins[static_cast<std::size_t>(bin)] > 0)
            return chooseBin(bin);
}

void LatencyChart::paintBins(QPainter &painter) const
{
    const QRect plot = this->plot();
    const int most = *std::max_element(m_bins.begin(), m_bins.end());
    for (std::size_t bin = 0; bin < m_bins.size(); ++bin) {
        const double left = xOf(m_firstMs + static_cast<double>(bin) * m_binMs);
        const double right = xOf(m_firstMs + static_cast<double>(bin + 1) * m_binMs);
        const double height = static_cast<double>(m_bins[bin]) / most * plot.height();
        const bool isLate = m_firstMs + static_cast<double>(bin) * m_binMs > m_figures->p95Ms;
        QColor color = isLate ? theme().warn : latencyColor(LatencyPart::Camera);
        if (m_range && !isChosen(bin))
            color.setAlphaF(0.35F);
        painter.fillRect(QRectF(left, plot.bottom() + 1 - height, std::max(1.0, right - left - 1), height), color);
    }
}

void LatencyChart::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().panel);
    painter.setPen(theme().muted);
    if (!m_figures) {
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, tr("No frame was read yet."));
        return;
    }
    const QRect plot = this->plot();
    paintBins(painter);
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
    painter.drawText(QRect(plot.left(), plot.bottom() + 2, plot.width(), kAxisHeight), Qt::AlignLeft,
                     tr("%1 ms").arg(m_firstMs));
    painter.drawText(QRect(plot.left(), plot.bottom() + 2, plot.width(), kAxisHeight), Qt::AlignRight,
                     tr("%1 ms").arg(m_firstMs + static_cast<int>(m_bins.size()) * m_binMs));
    painter.setPen(QPen(theme().text, 1, Qt::DashLine));
    int line = 0;
    for (const auto &[name, ms] : {std::pair(tr("p50"), m_figures->p50Ms), std::pair(tr("p99"), m_figures->p99Ms)}) {
        const int x = static_cast<int>(xOf(ms));
        painter.drawLine(x, kTop, x, plot.bottom());
        const QString label = tr("%1 %2").arg(name).arg(ms, 0, 'f', 1);
        const int width = painter.fontMetrics().horizontalAdvance(label);
        painter.drawText(std::clamp(line++ == 0 ? x - width - 2 : x + 2, 2, std::max(2, this->width() - width - 2)),
                         kTop - 4, label);
    }
}

} // namespace jetscope
