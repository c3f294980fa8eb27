// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractItemModel>
#include <QString>
#include <QStringList>

namespace jetscope {

/// A table with its titles as tab-separated lines, for the clipboard.
inline QString tableText(const QAbstractItemModel &table)
{
    const int columns = table.columnCount();
    QStringList titles;
    for (int column = 0; column < columns; ++column)
        titles << table.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    QString text = titles.join(u'\t') + u'\n';
    for (int row = 0; row < table.rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < columns; ++column)
            cells << table.index(row, column).data().toString();
        text += cells.join(u'\t') + u'\n';
    }
    return text;
}

} // namespace jetscope
