// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/query/queryrows.h"

#include <cmath>
#include <utility>

namespace jetscope {

namespace {

constexpr qsizetype kMaxShown = 300; ///< Characters. Laying out millions of them would block the UI.

/// Only as many digits as are useful to read.
QString shortText(double value)
{
    const double size = std::abs(value);
    return size >= 1e5 && size < 1e15 ? QString::number(value, 'f', 1) : QString::number(value, 'g', 6);
}

} // namespace

void QueryRows::setAnswer(std::shared_ptr<const QueryAnswer> answer)
{
    beginResetModel();
    m_answer = std::move(answer);
    endResetModel();
}

int QueryRows::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() || !m_answer ? 0 : static_cast<int>(m_answer->rows.size());
}

int QueryRows::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() || !m_answer ? 0 : static_cast<int>(m_answer->columns.size());
}

QVariant QueryRows::data(const QModelIndex &index, int role) const
{
    const QVariant &value =
        m_answer->rows[static_cast<std::size_t>(index.row())][static_cast<std::size_t>(index.column())];
    const bool isNumber = value.typeId() == QMetaType::LongLong || value.typeId() == QMetaType::Double;
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(isNumber ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    const QString text = value.typeId() == QMetaType::Double ? shortText(value.toDouble()) : value.toString();
    return text.size() > kMaxShown ? text.left(kMaxShown) + u'…' : text;
}

QString QueryRows::wholeText(const QModelIndex &index) const
{
    const QVariant &value =
        m_answer->rows[static_cast<std::size_t>(index.row())][static_cast<std::size_t>(index.column())];
    return value.typeId() == QMetaType::Double ? QString::number(value.toDouble(), 'g', 12) : value.toString();
}

QVariant QueryRows::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole || !m_answer)
        return {};
    return orientation == Qt::Horizontal ? QVariant(m_answer->columns[section]) : QVariant(section + 1);
}

} // namespace jetscope
