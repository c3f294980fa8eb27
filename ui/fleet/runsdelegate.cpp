// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/fleet/runsdelegate.h"

#include "core/figures/averages.h"
#include "ui/style/theme.h"

#include <QPainter>

#include <algorithm>

namespace jetscope {

namespace {

constexpr int kRunsWidth = 160;
constexpr double kRunRadius = 2.2;
constexpr int kRunsEdge = 6;

void paintRuns(QPainter &painter, const std::vector<double> &values, const ShownRuns &runs, const QRectF &row,
               const QColor &color)
{
    if (values.empty())
        return;
    const auto x = [&](double value) {
        const double share = std::clamp((value - runs.low) / (runs.high - runs.low), 0.0, 1.0);
        return row.left() + share * row.width();
    };
    painter.setPen(QPen(color, 2));
    const double median = x(medianOf(values));
    painter.drawLine(QPointF(median, row.top()), QPointF(median, row.bottom()));
    QColor dots = color;
    dots.setAlphaF(0.7F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(dots);
    for (const double value : values)
        painter.drawEllipse(QPointF(x(value), row.center().y()), kRunRadius, kRunRadius);
}

} // namespace

void RunsDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyledItemDelegate::paint(painter, option, index);
    const QVariant value = index.data(Qt::UserRole);
    if (!value.canConvert<ShownRuns>())
        return;
    const auto runs = value.value<ShownRuns>();
    const QRectF cell = QRectF(option.rect).adjusted(kRunsEdge, 2, -kRunsEdge, -2);
    const double half = cell.height() / 2;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const bool isSelected = option.state.testFlag(QStyle::State_Selected);
    const QColor chosen = theme().selectedText;
    paintRuns(*painter, runs.values.a, runs, {cell.left(), cell.top(), cell.width(), half - 1},
              isSelected ? chosen : theme().muted);
    paintRuns(*painter, runs.values.b, runs, {cell.left(), cell.top() + half + 1, cell.width(), half - 1},
              isSelected       ? chosen
                  : runs.isOut ? theme().bad
                               : theme().accentText);
    painter->restore();
}

QSize RunsDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    return QStyledItemDelegate::sizeHint(option, index).expandedTo({kRunsWidth, option.fontMetrics.height() + 8});
}

} // namespace jetscope
