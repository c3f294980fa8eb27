// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/selection/namefigurestable.h"

#include "ui/style/text.h"
#include "ui/style/theme.h"

#include <algorithm>
#include <array>

namespace jetscope {

namespace {

std::int64_t valueOf(const NameFigures &figures, int column)
{
    const std::array<std::int64_t, NameFiguresTable::Columns> values = {
        0,
        static_cast<std::int64_t>(figures.count),
        figures.totalNs,
        figures.minNs,
        figures.medianNs,
        figures.p95Ns,
        figures.p99Ns,
        figures.maxNs,
    };
    return values[static_cast<std::size_t>(column)];
}

} // namespace

QString NameFiguresTable::nameOf(int row) const
{
    return toQString(m_trace.names().text(m_rows[static_cast<std::size_t>(row)].name));
}

void NameFiguresTable::setRows(std::vector<NameFigures> rows)
{
    beginResetModel();
    m_rows = std::move(rows);
    arrange();
    endResetModel();
}

int NameFiguresTable::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int NameFiguresTable::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : Columns;
}

QVariant NameFiguresTable::data(const QModelIndex &index, int role) const
{
    const NameFigures &figures = row(index.row());
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(index.column() == Name ? Qt::AlignLeft | Qt::AlignVCenter
                                                       : Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::DecorationRole && index.column() == Name)
        return barColors(m_trace.names().category(figures.name), theme()).fill;
    if (role == Qt::ToolTipRole && index.column() == Name)
        return tr("%1 (%2)").arg(nameOf(index.row()), toQString(categoryName(m_trace.names().category(figures.name))));
    if (role != Qt::DisplayRole)
        return {};
    if (index.column() == Name)
        return nameOf(index.row());
    if (index.column() == Count)
        return QStringLiteral("%L1").arg(figures.count);
    if (figures.count == 1 && index.column() != Total) // One duration, which is not repeated in all columns.
        return QString();
    return durationText(valueOf(figures, index.column()));
}

QVariant NameFiguresTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    const std::array<QString, Columns> titles = {tr("Name"),   tr("count"), tr("total"), tr("min"),
                                                 tr("median"), tr("p95"),   tr("p99"),   tr("max")};
    return titles[static_cast<std::size_t>(section)];
}

void NameFiguresTable::sort(int column, Qt::SortOrder order)
{
    m_sortColumn = column;
    m_order = order;
    beginResetModel();
    arrange();
    endResetModel();
}

void NameFiguresTable::arrange()
{
    const auto less = [this](const NameFigures &a, const NameFigures &b) {
        if (m_sortColumn == Name)
            return m_trace.names().text(a.name) < m_trace.names().text(b.name);
        return valueOf(a, m_sortColumn) < valueOf(b, m_sortColumn);
    };
    std::stable_sort(m_rows.begin(), m_rows.end(), [&](const NameFigures &a, const NameFigures &b) {
        return m_order == Qt::AscendingOrder ? less(a, b) : less(b, a);
    });
}

} // namespace jetscope
