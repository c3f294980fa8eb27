// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/selection/whereview.h"

#include "ui/style/layouts.h"
#include "ui/style/tabletext.h"

#include <QHeaderView>
#include <QLabel>
#include <QRegularExpression>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace jetscope {

namespace {

constexpr int kWhereRowHeight = 20;
constexpr int kTimeWidth = 66;
constexpr int kShareWidth = 58;

/// A number stays with its unit.
QString withUnbrokenFigures(QString text)
{
    static const QRegularExpression figure(QStringLiteral("(\\d) (?=(?:%|ns|µs|ms|s|min|h)(?:\\W|$))"));
    return text.replace(figure, QStringLiteral("\\1\u00a0"));
}

} // namespace

WhereView::WhereView(QWidget *parent)
    : QWidget(parent),
      m_table(new WhereTable(this)),
      m_sentence(new QLabel),
      m_path(new ShareBar(tr("Critical path: what made it this long"))),
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
    m_view->verticalHeader()->setDefaultSectionSize(scaledToFont(*this, kWhereRowHeight));
    m_view->horizontalHeader()->setHighlightSections(false);
    m_view->horizontalHeader()->setSectionResizeMode(WhereTable::What, QHeaderView::Stretch);
    m_view->setColumnWidth(WhereTable::Time, scaledToFont(*this, kTimeWidth));
    m_view->setColumnWidth(WhereTable::Share, scaledToFont(*this, kShareWidth));
    setMinimumWidth(kLeastPanelWidth);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(10, 6, 10, 6);
    column->setSpacing(5);
    column->addWidget(m_sentence);
    column->addWidget(m_path);
    for (ShareBar *&bar : m_gpus) {
        bar = new ShareBar(QString());
        column->addWidget(bar);
    }
    column->addWidget(m_view, 1);
    connect(m_view, &QTableView::clicked, this, &WhereView::choose);
    connect(m_view, &QTableView::activated, this, &WhereView::choose);
    showBars();
}

void WhereView::show(const WhereTimes &times, const Trace &trace)
{
    m_table->show(times, trace);
    m_sentence->setText(withUnbrokenFigures(m_table->sentence()));
    for (std::size_t i = 0; i < std::min(m_gpus.size(), times.gpus.size()); ++i)
        m_gpus[i]->setTitle(WhereTable::titleOf(times.gpus[i]));
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
    const auto show = [](ShareBar *bar, std::vector<SharePart> parts) {
        std::int64_t wholeNs = 0;
        for (const SharePart &part : parts)
            wholeNs += part.ns;
        bar->setVisible(wholeNs > 0);
        bar->show(std::move(parts), wholeNs);
    };
    show(m_path, m_table->parts(WhereRow::Group::Path));
    for (std::size_t i = 0; i < m_gpus.size(); ++i)
        show(m_gpus[i], m_table->parts(WhereRow::Group::Gpu, i));
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
