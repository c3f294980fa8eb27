// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/selection/histogramview.h"

#include "ui/style/text.h"
#include "ui/style/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace jetscope {

HistogramView::HistogramView(QWidget *parent) : QWidget(parent)
{
    setAccessibleName(tr("Histogram of durations"));
    setFixedHeight(fontScaled(92));
}

void HistogramView::show(const QString &name, DurationHistogram histogram, std::int64_t medianNs)
{
    m_name = name;
    m_histogram = std::move(histogram);
    m_medianNs = medianNs;
    update();
}

QRect HistogramView::plot() const
{
    return rect().adjusted(8, fontScaled(18), -8, -fontScaled(18));
}

std::int64_t HistogramView::edgeNs(std::size_t bin) const
{
    return std::llround(static_cast<double>(m_histogram.fromNs)
                        * std::pow(m_histogram.ratio, static_cast<double>(bin)));
}

void HistogramView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().panel);
    const QFont font = paintedFont(painter.font(), 11);
    painter.setFont(font);
    painter.setPen(theme().muted);
    if (m_histogram.bins.empty()) {
        painter.drawText(rect(), Qt::AlignCenter, tr("Choose a name to see how its durations spread."));
        return;
    }
    const QRect area = plot();
    const auto most = std::max<std::uint64_t>(1, *std::max_element(m_histogram.bins.begin(), m_histogram.bins.end()));
    const double width = area.width() / static_cast<double>(m_histogram.bins.size());
    for (std::size_t i = 0; i < m_histogram.bins.size(); ++i) {
        if (m_histogram.bins[i] == 0)
            continue;
        const double part = static_cast<double>(m_histogram.bins[i]) / static_cast<double>(most);
        const double height = std::max(1.0, part * area.height());
        painter.fillRect(QRectF(area.left() + static_cast<double>(i) * width, area.bottom() + 1 - height,
                                std::max(1.0, width - 1), height),
                         theme().cpuOnly);
    }
    painter.fillRect(area.left(), area.bottom() + 1, area.width(), 1, theme().border);
    const QRect axis(area.left(), area.bottom() + 2, area.width(), fontScaled(16));
    painter.drawText(axis, Qt::AlignLeft | Qt::AlignVCenter, durationText(m_histogram.fromNs));
    painter.drawText(axis, Qt::AlignRight | Qt::AlignVCenter, durationText(edgeNs(m_histogram.bins.size())));
    painter.drawText(axis, Qt::AlignCenter, tr("median %1").arg(durationText(m_medianNs)));
    painter.drawText(QRect(area.left(), 0, area.width(), fontScaled(18)), Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(tr("Durations of %1").arg(m_name), Qt::ElideRight, area.width()));
}

bool HistogramView::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const QRect area = plot();
    const auto bins = m_histogram.bins.size();
    if (bins == 0 || !area.contains(help->pos())) {
        QToolTip::hideText();
        return true;
    }
    const auto bin = std::min(
        bins - 1, static_cast<std::size_t>((help->pos().x() - area.left()) * static_cast<double>(bins) / area.width()));
    QToolTip::showText(help->globalPos(),
                       tr("%L1 from %2 to %3")
                           .arg(m_histogram.bins[bin])
                           .arg(durationText(edgeNs(bin)), durationText(edgeNs(bin + 1))),
                       this);
    return true;
}

} // namespace jetscope
