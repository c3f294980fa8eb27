// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/rangestatistics.h"

#include <QAbstractTableModel>

#include <vector>

namespace jetscope {

/// Table model: figures per name in a range, one row each, sortable by any column. The trace must outlive it.
class NameFiguresTable : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, Count, Total, Min, Median, P95, P99, Max, Columns };

    explicit NameFiguresTable(const Trace &trace, QObject *parent = nullptr)
        : QAbstractTableModel(parent), m_trace(trace)
    {
    }

    void setRows(std::vector<NameFigures> rows);
    const NameFigures &row(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    QString nameOf(int row) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    void arrange();

    const Trace &m_trace;
    std::vector<NameFigures> m_rows;
    int m_sortColumn = Total;
    Qt::SortOrder m_order = Qt::DescendingOrder;
};

} // namespace jetscope
