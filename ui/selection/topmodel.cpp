// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/selection/topmodel.h"

#include "core/path/namegroups.h"
#include "ui/selection/sharebar.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

#include <algorithm>
#include <array>
#include <utility>

namespace jetscope {

namespace {

std::int64_t valueOf(const TopRow &row, int column)
{
    switch (column) {
    case TopModel::Own:
    case TopModel::Share:
        return row.ownNs;
    case TopModel::Count:
        return static_cast<std::int64_t>(row.count);
    case TopModel::Mean:
        return row.meanNs;
    case TopModel::Median:
        return row.p50Ns;
    case TopModel::P95:
        return row.p95Ns;
    case TopModel::P99:
        return row.p99Ns;
    case TopModel::Whole:
        return row.wholeNs;
    default:
        return row.maxNs;
    }
}

} // namespace

void TopModel::show(std::shared_ptr<const Trace> trace, std::shared_ptr<const TopTable> table)
{
    beginResetModel();
    m_trace = std::move(trace);
    m_table = std::move(table);
    arrange();
    endResetModel();
}

void TopModel::setKind(std::optional<WorkKind> kind)
{
    beginResetModel();
    m_kind = kind;
    arrange();
    endResetModel();
}

void TopModel::sort(int column, Qt::SortOrder order)
{
    m_sortColumn = column;
    m_order = order;
    beginResetModel();
    arrange();
    endResetModel();
}

void TopModel::arrange()
{
    m_shown.clear();
    m_baseNs = 0;
    m_leftOut = 0;
    for (std::uint32_t i = 0; m_table && i < m_table->rows.size(); ++i) {
        if (m_kind && m_table->rows[i].kind() != *m_kind)
            continue;
        m_shown.push_back(i);
        m_baseNs += m_table->rows[i].ownNs;
    }
    for (std::size_t kind = 0; m_table && kind < m_table->rest.size(); ++kind)
        if (!m_kind || static_cast<std::size_t>(*m_kind) == kind) {
            m_baseNs += m_table->rest[kind].ownNs;
            m_leftOut += m_table->rest[kind].rows;
        }
    const auto less = [this](std::uint32_t a, std::uint32_t b) {
        const TopRow &rowA = m_table->rows[a];
        const TopRow &rowB = m_table->rows[b];
        if (m_sortColumn == Name)
            return m_trace->names().text(rowA.name) < m_trace->names().text(rowB.name);
        return valueOf(rowA, m_sortColumn) < valueOf(rowB, m_sortColumn);
    };
    std::stable_sort(m_shown.begin(), m_shown.end(), [&](std::uint32_t a, std::uint32_t b) {
        return m_order == Qt::AscendingOrder ? less(a, b) : less(b, a);
    });
}

QString TopModel::nameOf(int row) const
{
    return toQString(NameGroups::groupText(m_trace->names().at(this->row(row).name)));
}

int TopModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

int TopModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : Columns;
}

/// A single span has one duration, which is not repeated in all columns.
QString TopModel::textOf(int row, int column) const
{
    const TopRow &of = this->row(row);
    switch (column) {
    case Name:
        return nameOf(row);
    case Share:
        return shareText(of.ownNs, m_baseNs);
    case Count:
        return QStringLiteral("%L1").arg(of.count);
    case Mean:
    case Median:
    case P95:
    case P99:
        return of.count == 1 ? QString() : durationText(valueOf(of, column));
    case Whole:
        return of.wholeNs == of.ownNs ? QString() : durationText(of.wholeNs);
    case Histogram:
        return {};
    default:
        return durationText(valueOf(of, column));
    }
}

QString TopModel::tipOf(int row) const
{
    const TopRow &of = this->row(row);
    return tr("%1 (%2)\n%3 of %4; the longest took %5")
        .arg(nameOf(row), toQString(categoryName(of.category)), durationText(of.ownNs), durationText(m_baseNs),
             durationText(of.maxNs));
}

QVariant TopModel::data(const QModelIndex &index, int role) const
{
    switch (role) {
    case Qt::TextAlignmentRole:
        return static_cast<int>((index.column() == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::DecorationRole:
        return index.column() == Name ? QVariant(barColors(row(index.row()).category, theme()).fill) : QVariant();
    case Qt::ToolTipRole:
        return tipOf(index.row());
    case Qt::DisplayRole:
        return textOf(index.row(), index.column());
    case Qt::AccessibleTextRole:
        return index.column() == Histogram ? tr("longest %1").arg(durationText(row(index.row()).maxNs))
                                           : textOf(index.row(), index.column());
    case kBinsRole: {
        QVariantList bins;
        if (index.column() == Histogram)
            for (const std::uint32_t bin : row(index.row()).histogram)
                bins << bin;
        return bins;
    }
    default:
        return {};
    }
}

QVariant TopModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::ToolTipRole && section == Own)
        return tr("Time in spans of this name without the spans nested in them");
    if (role == Qt::ToolTipRole && section == Whole)
        return tr("Time with the nested spans; empty if there are none");
    if (role == Qt::ToolTipRole && section == Histogram)
        return headerData(section, orientation, Qt::DisplayRole); // Where it is cut.
    if (role != Qt::DisplayRole)
        return {};
    const QString axis = m_table && !m_table->rows.empty()
        ? tr("%1 – %2").arg(durationText(m_table->axisFromNs), durationText(m_table->axisToNs()))
        : tr("spread");
    const std::array<QString, Columns> titles = {tr("name"), tr("own"), tr("%"),   tr("count"), tr("mean"),
                                                 tr("p50"),  tr("p95"), tr("p99"), tr("whole"), axis};
    return titles[static_cast<std::size_t>(section)];
}

} // namespace jetscope
