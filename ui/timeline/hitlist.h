// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/waitcauses.h"

#include <QAbstractTableModel>
#include <QTableView>

#include <vector>

namespace jetscope {

/// Table model: the spans that a search has found.
class HitTable : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Start, Duration, Lane, Name, Columns };

    explicit HitTable(const Trace &trace, QObject *parent = nullptr) : QAbstractTableModel(parent), m_trace(trace) {}

    void setHits(std::vector<SpanPlace> hits);
    const SpanPlace &hit(int row) const { return m_hits[static_cast<std::size_t>(row)]; }
    /// The row of a hit; -1 if it is not in the table.
    int rowOf(const SpanPlace &hit) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    QString textOf(const SpanPlace &hit, int column) const;
    QString laneOf(const SpanPlace &hit) const;
    void order();

    const Trace &m_trace;
    std::vector<SpanPlace> m_hits;
    int m_column = Duration;
    Qt::SortOrder m_order = Qt::DescendingOrder;
};

/// The spans found, the longest first; a click or Enter goes to one. The trace must outlive it. UI thread.
class HitList : public QTableView {
    Q_OBJECT
public:
    explicit HitList(const Trace &trace, QWidget *parent = nullptr);

    const HitTable &table() const { return *m_table; }
    /// The current row stays, if its span is still there.
    void setHits(std::vector<SpanPlace> hits);

signals:
    void wanted(const jetscope::SpanPlace &hit);

private:
    HitTable *m_table;
};

} // namespace jetscope
