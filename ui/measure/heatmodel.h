// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/report/heattable.h"

#include <QAbstractTableModel>

#include <memory>

namespace jetscope {

/// One heat table of a sweep: a row for each memory kind, a column for each sync mode. Texts, tooltips and accessible
/// texts are roles of the cells. UI thread.
class HeatModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

    /// `table` refers to the report.
    void show(std::shared_ptr<const SweepReport> report, const HeatTable &table);
    void clear();

    /// The cell at a place; one that is not part of the sweep for an invalid index.
    HeatCell cellAt(const QModelIndex &index) const;
    /// "pinned, eglimage, event": the settings of a cell that the sweep varies.
    QString wordsAt(const QModelIndex &index) const;
    /// The place of a cell of the plan; invalid if this table does not have it.
    QModelIndex indexOf(std::size_t cell) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

private:
    QString figureOf(const HeatCell &cell) const;
    QString explanationOf(const HeatCell &cell, const QModelIndex &index) const;
    QString accessibleOf(const HeatCell &cell, const QModelIndex &index) const;
    bool hasSample(const HeatCell &cell) const;

    std::shared_ptr<const SweepReport> m_report; ///< Owns what the cells refer to.
    HeatTable m_table;
};

} // namespace jetscope
