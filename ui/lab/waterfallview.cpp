// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/waterfallview.h"

#include "ui/lab/latencycolors.h"
#include "ui/style/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

constexpr int kRow = 18;
constexpr int kBar = 13;
constexpr int kAboveBar = (kRow - kBar) / 2;
constexpr int kNumbers = 84; ///< Width of the column of numbers at the left,
constexpr int kTotals = 64;  ///< and of the totals at the right.

} // namespace

WaterfallView::WaterfallView(QWidget *parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("waterfall"));
    setAccessibleName(tr("Waterfall"));
    setMinimumSize(280, 4 * kRow);
    setFocusPolicy(Qt::StrongFocus);
    setToolTip(tr("A double click or Enter shows on the timeline what happened to a frame"));
}

std::size_t WaterfallView::rows() const
{
    return static_cast<std::size_t>(std::max(0, height() / kRow - 1));
}

void WaterfallView::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    m_frames.resize(std::min(m_frames.size(), rows()));
}

void WaterfallView::show(const std::deque<FrameLatency> &frames, const std::optional<LatencyFigures> &figures)
{
    m_figures = figures;
    m_frames.clear();
    for (const FrameLatency &frame : frames) {
        const double ms = static_cast<double>(frame.totalNs()) / 1e6;
        if (!m_range || (ms >= m_range->first && ms < m_range->second))
            m_frames.push_back(frame);
    }
    const std::size_t count = std::min(rows(), m_frames.size());
    const auto middle = m_frames.begin() + static_cast<std::ptrdiff_t>(count);
    const auto sortBy = [&](auto key) {
        std::partial_sort(m_frames.begin(), middle, m_frames.end(),
                          [&](const FrameLatency &a, const FrameLatency &b) { return key(a) < key(b); });
    };
    const double p50 = figures ? figures->p50Ms : 0;
    switch (m_order) {
    case Order::Newest:
        std::reverse(m_frames.begin(), m_frames.end());
        break;
    case Order::Slowest:
        sortBy([](const FrameLatency &frame) { return -frame.totalNs(); });
        break;
    case Order::AroundP50:
        sortBy([p50](const FrameLatency &frame) { return std::abs(static_cast<double>(frame.totalNs()) / 1e6 - p50); });
        break;
    }
    m_frames.resize(count);
    m_mostMs = figures ? std::max(1.0, figures->totalP50) : 1;
    for (const FrameLatency &frame : m_frames)
        m_mostMs = std::max(m_mostMs, static_cast<double>(frame.totalNs()) / 1e6);
    QWidget::update();
}

std::vector<std::uint64_t> WaterfallView::shownFrames() const
{
    std::vector<std::uint64_t> numbers;
    for (const FrameLatency &frame : m_frames)
        numbers.push_back(frame.number);
    return numbers;
}

std::ptrdiff_t WaterfallView::currentRow() const
{
    for (std::size_t row = 0; row < m_frames.size(); ++row)
        if (m_frames[row].number == m_current)
            return static_cast<std::ptrdiff_t>(row);
    return -1;
}

void WaterfallView::setCurrent(std::ptrdiff_t row)
{
    if (row < 0 || row >= static_cast<std::ptrdiff_t>(m_frames.size()))
        return;
    const FrameLatency &frame = m_frames[static_cast<std::size_t>(row)];
    m_current = frame.number;
    setAccessibleDescription(
        tr("Frame %L1, %2 ms").arg(frame.number).arg(static_cast<double>(frame.totalNs()) / 1e6, 0, 'f', 1));
    QWidget::update();
}

void WaterfallView::mousePressEvent(QMouseEvent *event)
{
    setCurrent(static_cast<std::ptrdiff_t>(event->position().y()) / kRow - 1);
}

void WaterfallView::mouseDoubleClickEvent(QMouseEvent *event)
{
    mousePressEvent(event);
    if (const std::ptrdiff_t row = currentRow(); row >= 0 && event->position().y() >= kRow)
        emit frameWanted(m_frames[static_cast<std::size_t>(row)]);
}

void WaterfallView::keyPressEvent(QKeyEvent *event)
{
    const std::ptrdiff_t row = currentRow();
    switch (event->key()) {
    case Qt::Key_Down:
        return setCurrent(row + 1);
    case Qt::Key_Up:
        return setCurrent(row < 0 ? 0 : row - 1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (row >= 0)
            emit frameWanted(m_frames[static_cast<std::size_t>(row)]);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

double WaterfallView::widthOf(double ms) const
{
    return ms / m_mostMs * (width() - kNumbers - kTotals);
}

void WaterfallView::paintParts(QPainter &painter, int y, const std::array<double, kLatencyParts> &partsMs) const
{
    double left = kNumbers;
    for (std::size_t part = 0; part < kLatencyParts; ++part) {
        const double wide = widthOf(std::max(0.0, partsMs[part]));
        painter.fillRect(QRectF(left, y + kAboveBar, std::max(0.0, wide - 1), kBar),
                         latencyColor(static_cast<LatencyPart>(part)));
        left += wide;
    }
}

void WaterfallView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().panel);
    painter.setPen(theme().muted);
    if (!m_figures) {
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap,
                         tr("The frames of the camera will be listed here."));
        return;
    }
    const auto paintRow = [&](int y, const QString &name, double total,
                              const std::array<double, kLatencyParts> &parts) {
        painter.drawText(QRect(0, y, kNumbers - 8, kRow), Qt::AlignVCenter | Qt::AlignRight, name);
        painter.drawText(QRect(width() - kTotals, y, kTotals - 6, kRow), Qt::AlignVCenter | Qt::AlignRight,
                         QString::number(total, 'f', 1));
        paintParts(painter, y, parts);
    };
    painter.fillRect(0, 0, width(), kRow, theme().card);
    painter.setPen(theme().text);
    paintRow(0, tr("around p50"), m_figures->totalP50, m_figures->aroundP50);
    int y = kRow;
    for (const FrameLatency &frame : m_frames) {
        if (frame.number == m_current)
            painter.fillRect(0, y, width(), kRow, theme().selected);
        painter.setPen(frame.number == m_current ? theme().selectedText : theme().muted);
        const LatencyParts parts = frame.parts(m_figures->hasStamps);
        std::array<double, kLatencyParts> ms{};
        std::transform(parts.begin(), parts.end(), ms.begin(),
                       [](std::int64_t ns) { return static_cast<double>(ns) / 1e6; });
        paintRow(y, tr("%L1").arg(frame.number), static_cast<double>(frame.totalNs()) / 1e6, ms);
        y += kRow;
    }
    // How far each total may be off.
    const double end = kNumbers + widthOf(m_figures->totalP50);
    const double bound = widthOf(m_figures->boundMs);
    painter.setPen(theme().text);
    painter.drawLine(QPointF(end - bound, kRow - 2), QPointF(end + bound, kRow - 2));
}

} // namespace jetscope
