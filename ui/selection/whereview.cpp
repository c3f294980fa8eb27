// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/selection/whereview.h"

#include "ui/style/tabletext.h"

#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>

namespace jetscope {

namespace {

constexpr int kWhereRowHeight = 20;
constexpr int kTimeWidth = 66;
constexpr int kShareWidth = 58;

} // namespace

WhereView::WhereView(QWidget *parent)
    : QWidget(parent),
      m_table(new WhereTable(this)),
      m_sentence(new QLabel),
      m_path(new ShareBar(tr("Critical path: what made it this long"))),
      m_gpu(new ShareBar(tr("GPU in the same time"))),
      m_view(new QTableView)
{
    m_sentence->setWordWrap(true);
    m_sentence->setTextFormat(Qt::PlainText);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_view->setModel(m_table);
    m_view->setAccessibleName(tr("Where the time goes"));
    m_view->setToolTip(tr("Click or Enter shows the longest place on the timeline"));
    m_view->setTabKeyNavigation(false);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setSelectionMode(QAbstractItemView::SingleSelection);
    m_view->setShowGrid(false);
    m_view->setWordWrap(false);
    m_view->setTextElideMode(Qt::ElideMiddle);
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setDefaultSectionSize(kWhereRowHeight);
    m_view->horizontalHeader()->setHighlightSections(false);
    m_view->horizontalHeader()->setSectionResizeMode(WhereTable::What, QHeaderView::Stretch);
    m_view->setColumnWidth(WhereTable::Time, kTimeWidth);
    m_view->setColumnWidth(WhereTable::Share, kShareWidth);
    setMinimumWidth(kLeastPanelWidth);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(10, 6, 10, 6);
    column->setSpacing(5);
    column->addWidget(m_sentence);
    column->addWidget(m_path);
    column->addWidget(m_gpu);
    column->addWidget(m_view, 1);
    connect(m_view, &QTableView::clicked, this, &WhereView::choose);
    connect(m_view, &QTableView::activated, this, &WhereView::choose);
    showBars();
}

void WhereView::show(const WhereTimes &times, const Trace &trace)
{
    m_table->show(times, trace);
    m_sentence->setText(m_table->sentence());
    showBars();
}

void WhereView::clear()
{
    m_table->clear();
    m_sentence->clear();
    showBars();
}

void WhereView::showBars()
{
    for (ShareBar *bar : {m_path, m_gpu}) {
        std::vector<SharePart> parts = m_table->parts(bar == m_path ? WhereRow::Group::Path : WhereRow::Group::Gpu);
        std::int64_t wholeNs = 0;
        for (const SharePart &part : parts)
            wholeNs += part.ns;
        bar->setVisible(wholeNs > 0);
        bar->show(std::move(parts), wholeNs);
    }
}

void WhereView::choose(const QModelIndex &index)
{
    const WhereRow &row = m_table->rows()[static_cast<std::size_t>(index.row())];
    if (row.longest.endNs > row.longest.startNs)
        emit placeWanted(row.longest);
}

QString WhereView::text() const
{
    return m_table->sentence() + u'\n' + tableText(*m_table);
}

} // namespace jetscope
