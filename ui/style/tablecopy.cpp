// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/style/tablecopy.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QSet>
#include <QTableView>
#include <QTreeView>

namespace jetscope {

namespace {

/// A table view and a tree view have no common base for these.
struct TableParts {
    const QHeaderView *titles = nullptr;
    const QHeaderView *rowTitles = nullptr; ///< Null unless they are shown.
};

TableParts partsOf(const QAbstractItemView &view)
{
    if (const auto *table = qobject_cast<const QTableView *>(&view))
        return {table->horizontalHeader(), table->verticalHeader()->isHidden() ? nullptr : table->verticalHeader()};
    if (const auto *tree = qobject_cast<const QTreeView *>(&view))
        return {tree->header(), nullptr};
    return {};
}

QString cellText(const QVariant &value)
{
    return value.toString().replace(u'\t', u' ').replace(u'\n', u' ');
}

/// Columns in the order in which they are shown.
QList<int> columnsOf(const QAbstractItemView &view, const QHeaderView *titles)
{
    QList<int> columns;
    for (int i = 0; i < view.model()->columnCount(view.rootIndex()); ++i) {
        const int column = titles ? titles->logicalIndex(i) : i;
        if (!titles || !titles->isSectionHidden(column))
            columns.append(column);
    }
    return columns;
}

void collectRows(const QAbstractItemView &view, const QModelIndex &parent, QList<QModelIndex> &rows)
{
    const auto *tree = qobject_cast<const QTreeView *>(&view);
    for (int row = 0; row < view.model()->rowCount(parent); ++row) {
        if (tree && tree->isRowHidden(row, parent))
            continue;
        const QModelIndex index = view.model()->index(row, 0, parent);
        rows.append(index);
        if (tree && tree->isExpanded(index))
            collectRows(view, index, rows);
    }
}

} // namespace

QString shownTableText(const QAbstractItemView &view)
{
    const QAbstractItemModel &model = *view.model();
    const TableParts parts = partsOf(view);
    const QList<int> columns = columnsOf(view, parts.titles);
    QSet<QModelIndex> selected;
    for (const QModelIndex &each : view.selectionModel()->selectedIndexes())
        selected.insert(each.siblingAtColumn(0));
    QString text;
    const auto addLine = [&text](const QStringList &cells) { text += cells.join(u'\t') + u'\n'; };
    if (parts.titles && !parts.titles->isHidden()) {
        QStringList cells = parts.rowTitles ? QStringList(QString()) : QStringList();
        for (const int column : columns)
            cells << cellText(model.headerData(column, Qt::Horizontal));
        addLine(cells);
    }
    QList<QModelIndex> rows;
    collectRows(view, view.rootIndex(), rows);
    for (const QModelIndex &row : std::as_const(rows)) {
        if (selected.size() > 1 && !selected.contains(row))
            continue;
        QStringList cells =
            parts.rowTitles ? QStringList(cellText(model.headerData(row.row(), Qt::Vertical))) : QStringList();
        for (const int column : columns)
            cells << cellText(row.siblingAtColumn(column).data());
        addLine(cells);
    }
    return text;
}

TableCopy::TableCopy(QObject *parent) : QObject(parent)
{
    qApp->installEventFilter(this);
}

/// Shortcuts come before this event, so that a table's own command wins.
bool TableCopy::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::KeyPress || !static_cast<QKeyEvent *>(event)->matches(QKeySequence::Copy))
        return false;
    const auto *view = qobject_cast<const QAbstractItemView *>(watched);
    if (!view || !view->model())
        return false;
    QGuiApplication::clipboard()->setText(shownTableText(*view));
    return true;
}

} // namespace jetscope
