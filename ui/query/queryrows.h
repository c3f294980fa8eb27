// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/query/queryanswer.h"

#include <QAbstractTableModel>

#include <memory>

namespace jetscope {

/// Table model of the rows of an answer.
class QueryRows : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

    /// Null for no answer.
    void setAnswer(std::shared_ptr<const QueryAnswer> answer);
    const QueryAnswer *answer() const { return m_answer.get(); }
    /// Full text of a cell; the displayed text may be shortened.
    QString wholeText(const QModelIndex &index) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::shared_ptr<const QueryAnswer> m_answer;
};

} // namespace jetscope
