// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/selection/namefiguresview.h"

#include "ui/selection/namefigurestable.h"
#include "ui/style/layouts.h"

#include <QHeaderView>
#include <QScrollBar>

#include <utility>

namespace jetscope {

namespace {

constexpr int kDurationWidth = 51;
constexpr int kSpanCountWidth = 46;
constexpr int kMinNameWidth = 100; ///< Includes the color box.
constexpr int kNameRowHeight = 20;
constexpr int kMinNameRows = 3;

} // namespace

NameFiguresView::NameFiguresView(NameFiguresTable *table, QWidget *parent) : QTableView(parent)
{
    setModel(table);
    setAccessibleName(tr("Figures of each name"));
    setSortingEnabled(true);
    setTabKeyNavigation(false); // Tab leaves the table; arrows move in it.
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setShowGrid(false);
    setWordWrap(false);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(kNameRowHeight);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setDefaultSectionSize(scaledToFont(*this, kDurationWidth));
    horizontalHeader()->setMinimumSectionSize(kSpanCountWidth);
    setColumnWidth(NameFiguresTable::Count, scaledToFont(*this, kSpanCountWidth));
    horizontalHeader()->setSortIndicator(NameFiguresTable::Total, Qt::DescendingOrder);
    connect(horizontalHeader(), &QHeaderView::sectionResized, this, [this](int column) {
        if (column != NameFiguresTable::Name)
            fitNames();
    });
}

QSize NameFiguresView::minimumSizeHint() const
{
    const QSize least = QTableView::minimumSizeHint();
    const int around = 2 * frameWidth() + horizontalHeader()->height() + horizontalScrollBar()->sizeHint().height();
    return m_scrolls ? QSize(least.width(), around + kMinNameRows * kNameRowHeight) : least;
}

void NameFiguresView::resizeEvent(QResizeEvent *event)
{
    QTableView::resizeEvent(event);
    fitNames();
}

void NameFiguresView::fitNames()
{
    int left = viewport()->width();
    int column = NameFiguresTable::Count;
    while (column < NameFiguresTable::Columns && left - columnWidth(column) >= kMinNameWidth)
        left -= columnWidth(column++);
    setColumnWidth(NameFiguresTable::Name, left);
    const bool scrolls = column < NameFiguresTable::Columns;
    if (std::exchange(m_scrolls, scrolls) != scrolls)
        updateGeometry();
}

} // namespace jetscope
