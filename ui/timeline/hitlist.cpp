// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/hitlist.h"

#include "ui/style/text.h"

#include <QHeaderView>

#include <algorithm>
#include <array>

namespace jetscope {

namespace {

bool isSameSpan(const SpanPlace &a, const SpanPlace &b)
{
    return a.track == b.track && a.bar.index == b.bar.index;
}

} // namespace

void HitTable::setHits(std::vector<SpanPlace> hits)
{
    beginResetModel();
    m_hits = std::move(hits);
    order();
    endResetModel();
}

int HitTable::rowOf(const SpanPlace &hit) const
{
    const auto found =
        std::find_if(m_hits.begin(), m_hits.end(), [&](const SpanPlace &each) { return isSameSpan(each, hit); });
    return found == m_hits.end() ? -1 : static_cast<int>(found - m_hits.begin());
}

int HitTable::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_hits.size());
}

int HitTable::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : Columns;
}

QString HitTable::laneOf(const SpanPlace &hit) const
{
    const LaneInfo *lane =
        hit.track < m_trace.tracks().size() ? m_trace.lane(m_trace.tracks()[hit.track].lane()) : nullptr;
    return lane ? toQString(lane->name) : QString();
}

QString HitTable::textOf(const SpanPlace &hit, int column) const
{
    const TraceSpan &span = hit.bar.span;
    switch (column) {
    case Start:
        return exactMillisText(span.startNs - m_trace.oldestNs());
    case Duration:
        return durationText(span.durationNs);
    case Lane:
        return laneOf(hit);
    default:
        return toQString(m_trace.names().text(span.name));
    }
}

QVariant HitTable::data(const QModelIndex &index, int role) const
{
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole)
        return textOf(hit(index.row()), index.column());
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((index.column() <= Duration ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    return {};
}

QVariant HitTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    const std::array<QString, Columns> titles = {tr("Start"), tr("Duration"), tr("Lane"), tr("Name")};
    return titles[static_cast<std::size_t>(section)];
}

void HitTable::sort(int column, Qt::SortOrder order)
{
    emit layoutAboutToBeChanged();
    m_column = column;
    m_order = order;
    this->order();
    emit layoutChanged();
}

void HitTable::order()
{
    const auto isLess = [this](const SpanPlace &a, const SpanPlace &b) {
        switch (m_column) {
        case Start:
            return a.bar.span.startNs < b.bar.span.startNs;
        case Duration:
            return a.bar.span.durationNs < b.bar.span.durationNs;
        default:
            return textOf(a, m_column) < textOf(b, m_column);
        }
    };
    std::stable_sort(m_hits.begin(), m_hits.end(), [&](const SpanPlace &a, const SpanPlace &b) {
        return m_order == Qt::AscendingOrder ? isLess(a, b) : isLess(b, a);
    });
}

HitList::HitList(const Trace &trace, QWidget *parent) : QTableView(parent), m_table(new HitTable(trace, this))
{
    setModel(m_table);
    setAccessibleName(tr("Spans found"));
    setToolTip(tr("Enter or a click goes to the span; a title sorts; Ctrl+C copies the list"));
    setTabKeyNavigation(false); // Tab leaves the table; arrows move in it.
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setShowGrid(false);
    setWordWrap(false);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSortIndicator(HitTable::Duration, Qt::DescendingOrder);
    horizontalHeader()->setSectionResizeMode(HitTable::Name, QHeaderView::Stretch);
    setSortingEnabled(true);
    const auto want = [this](const QModelIndex &index) {
        if (index.isValid())
            emit wanted(m_table->hit(index.row()));
    };
    connect(this, &QTableView::clicked, this, want);
    connect(this, &QTableView::activated, this, want);
}

void HitList::setHits(std::vector<SpanPlace> hits)
{
    const QModelIndex current = currentIndex();
    const std::optional<SpanPlace> kept = current.isValid() ? std::optional(m_table->hit(current.row())) : std::nullopt;
    m_table->setHits(std::move(hits));
    if (const int row = kept ? m_table->rowOf(*kept) : -1; row >= 0)
        setCurrentIndex(m_table->index(row, current.column()));
}

} // namespace jetscope
