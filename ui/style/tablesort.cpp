// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/style/tablesort.h"

#include <QApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QTableView>
#include <QTreeView>

namespace jetscope {

namespace {

/// The titles of a view that can be sorted, else null.
QHeaderView *sortedTitles(QObject *watched)
{
    if (const auto *table = qobject_cast<QTableView *>(watched); table && table->isSortingEnabled())
        return table->horizontalHeader();
    if (const auto *tree = qobject_cast<QTreeView *>(watched); tree && tree->isSortingEnabled())
        return tree->header();
    return nullptr;
}

/// The column beside the one that sorts, past hidden ones; that one at the end.
int columnBeside(const QHeaderView &titles, int step)
{
    const int sorted = titles.sortIndicatorSection();
    for (int place = titles.visualIndex(sorted) + step; place >= 0 && place < titles.count(); place += step)
        if (const int column = titles.logicalIndex(place); !titles.isSectionHidden(column))
            return column;
    return sorted;
}

} // namespace

TableSort::TableSort(QObject *parent) : QObject(parent)
{
    qApp->installEventFilter(this);
}

bool TableSort::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::KeyPress)
        return false;
    const auto *key = static_cast<const QKeyEvent *>(event);
    if ((key->modifiers() & ~Qt::KeypadModifier) != Qt::ControlModifier)
        return false;
    QHeaderView *const titles = sortedTitles(watched);
    if (!titles)
        return false;
    const int column = titles->sortIndicatorSection();
    const Qt::SortOrder order = titles->sortIndicatorOrder();
    switch (key->key()) { // The view follows its titles.
    case Qt::Key_Left:
        titles->setSortIndicator(columnBeside(*titles, -1), order);
        return true;
    case Qt::Key_Right:
        titles->setSortIndicator(columnBeside(*titles, 1), order);
        return true;
    case Qt::Key_Up:
        titles->setSortIndicator(column, Qt::AscendingOrder);
        return true;
    case Qt::Key_Down:
        titles->setSortIndicator(column, Qt::DescendingOrder);
        return true;
    default:
        return false;
    }
}

} // namespace jetscope
