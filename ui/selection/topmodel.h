// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/toptable.h"

#include <QAbstractTableModel>

#include <memory>
#include <optional>
#include <vector>

namespace jetscope {

/// Table model: the rows of a TopTable of one kind or of all. Shares are of the sum of the rows shown and of those
/// that were left out.
class TopModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, Own, Share, Count, Mean, Median, P95, P99, Whole, Histogram, Columns };
    static constexpr int kBinsRole = Qt::UserRole; ///< Of the histogram: a QVariantList of counts.

    explicit TopModel(QObject *parent = nullptr) : QAbstractTableModel(parent) {}

    void show(std::shared_ptr<const Trace> trace, std::shared_ptr<const TopTable> table);
    void clear() { show({}, {}); }
    void setKind(std::optional<WorkKind> kind);
    std::optional<WorkKind> kind() const { return m_kind; }

    const TopTable *table() const { return m_table.get(); }
    /// The table's row behind a row of the model.
    std::uint32_t placeOf(int row) const { return m_shown[static_cast<std::size_t>(row)]; }
    const TopRow &row(int row) const { return m_table->rows[placeOf(row)]; }
    QString nameOf(int row) const;
    /// What 100 % is.
    std::int64_t baseNs() const { return m_baseNs; }
    /// Rows that the table has not, although they are part of it.
    std::uint64_t leftOut() const { return m_leftOut; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    void arrange();
    QString textOf(int row, int column) const;
    QString tipOf(int row) const;

    std::shared_ptr<const Trace> m_trace;
    std::shared_ptr<const TopTable> m_table;
    std::optional<WorkKind> m_kind;
    std::vector<std::uint32_t> m_shown;
    std::int64_t m_baseNs = 0;
    std::uint64_t m_leftOut = 0;
    int m_sortColumn = Own;
    Qt::SortOrder m_order = Qt::DescendingOrder;
};

} // namespace jetscope
