// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/fleet/fleettables.h"

#include "core/figures/averages.h"
#include "core/figures/figuretable.h"
#include "core/text/numbertext.h"
#include "ui/fleet/runsdelegate.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

#include <QHeaderView>

#include <algorithm>
#include <cmath>
#include <map>

namespace jetscope {

namespace {

enum StrataColumn {
    StratumName,
    StratumFigure,
    StratumVerdict,
    StratumChange,
    StratumInterval,
    StratumOld,
    StratumNew,
    StratumBoards,
    StratumQ
};
enum BoardColumn { BoardName, BoardRuns, BoardChangeBy, BoardOld, BoardNew, BoardZ, BoardRemark };
constexpr int kSortRole = Qt::UserRole + 1;
constexpr int kPlaceRole = Qt::UserRole + 2;

/// Cells with a number are sorted by it, others by their text.
class SortedRow : public QTreeWidgetItem {
public:
    using QTreeWidgetItem::QTreeWidgetItem;

    bool operator<(const QTreeWidgetItem &other) const override
    {
        const int column = treeWidget() ? treeWidget()->sortColumn() : 0;
        const QVariant own = data(column, kSortRole);
        const QVariant others = other.data(column, kSortRole);
        if (own.isValid() && others.isValid())
            return own.toDouble() < others.toDouble();
        return text(column) < other.text(column);
    }

    void setNumber(int column, double value, const QString &shown)
    {
        setText(column, shown);
        setData(column, kSortRole, value);
        setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
};

QString nameOfFigure(const std::string &metric)
{
    for (const FigureRow &row : figureTable())
        if (row.name == metric)
            return toQString(row.label);
    return toQString(metric);
}

QString valueOf(const FleetResult &result, double value)
{
    for (const FigureRow &row : figureTable())
        if (row.name == result.metric)
            return toQString(figureText(row.figure, value));
    return toQString(fixedText(value, 3) + " " + result.how.unit);
}

QString changeOf(const FleetResult &result, double change)
{
    return toQString(fleetChangeText(result, change));
}

/// What matters most has the lowest rank.
int rankOf(const FleetResult &result)
{
    if (!result.noVerdict.empty())
        return 3;
    if (result.verdict == Comparison::Worse)
        return 0;
    return !result.fellOut.empty() ? 1 : result.verdict == Comparison::Better ? 2 : 4;
}

QString verdictOf(const FleetResult &result)
{
    if (!result.noVerdict.empty())
        return StrataTable::tr("no verdict");
    const QString verdict = result.verdict == Comparison::Worse ? StrataTable::tr("✗ worse")
        : result.verdict == Comparison::Better                  ? StrataTable::tr("✓ better")
                                                                : StrataTable::tr("≈ unchanged");
    if (result.fellOut.empty())
        return verdict;
    return verdict
        + countText(result.fellOut.size(), StrataTable::tr(", 1 board fell out"),
                    StrataTable::tr(", %L1 boards fell out"));
}

QColor colorOf(const FleetResult &result)
{
    const int rank = rankOf(result);
    return rank == 0 ? theme().bad : rank == 1 ? theme().warn : rank == 2 ? theme().good : theme().muted;
}

/// What is not the same for all strata, which would hide it in a narrow column.
QString shortName(const Stratum &stratum, const FleetComparison &comparison)
{
    QStringList own;
    for (const QString &part : toQString(stratum.words()).split(QStringLiteral(", "))) {
        const bool isCommon =
            std::all_of(comparison.results.begin(), comparison.results.end(), [&](const FleetResult &result) {
                return toQString(result.stratum.words()).split(QStringLiteral(", ")).contains(part);
            });
        if (!isCommon)
            own += part;
    }
    return own.isEmpty() ? toQString(stratum.words()) : own.join(QStringLiteral(", "));
}

SortedRow *rowOf(const FleetResult &result, int place, const QString &name)
{
    auto *row = new SortedRow;
    row->setData(0, kPlaceRole, place);
    row->setText(StratumName, name);
    row->setToolTip(StratumName, toQString(result.stratum.words()));
    row->setText(StratumFigure, nameOfFigure(result.metric));
    row->setText(StratumVerdict, verdictOf(result));
    row->setData(StratumVerdict, kSortRole, rankOf(result));
    row->setForeground(StratumVerdict, colorOf(result));
    row->setNumber(StratumBoards, static_cast<double>(result.boards), QString::number(result.boards));
    if (!result.noVerdict.empty()) {
        row->setToolTip(StratumVerdict, toQString(result.noVerdict));
        return row;
    }
    row->setNumber(StratumChange, result.change, changeOf(result, result.change));
    row->setText(StratumInterval,
                 StrataTable::tr("%1 to %2").arg(changeOf(result, result.atLeast), changeOf(result, result.atMost)));
    row->setNumber(StratumOld, result.a, valueOf(result, result.a));
    row->setNumber(StratumNew, result.b, valueOf(result, result.b));
    row->setNumber(StratumQ, result.q,
                   result.q < 0.001 ? StrataTable::tr("below 0.001") : toQString(fixedText(result.q, 3)));
    return row;
}

} // namespace

SortedList::SortedList(QWidget *parent) : QTreeWidget(parent)
{
    setRootIsDecorated(false);
    setAlternatingRowColors(true);
    setUniformRowHeights(true);
    setSortingEnabled(true);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    header()->setStretchLastSection(false);
    header()->setMinimumSectionSize(3 * fontMetrics().height()); // Room for the arrow beside a short title.
}

StrataTable::StrataTable(QWidget *parent) : SortedList(parent)
{
    setObjectName(QStringLiteral("strataTable"));
    setAccessibleName(tr("Strata by figure"));
    setHeaderLabels({tr("Stratum"), tr("Figure"), tr("The new build is"), tr("Change"), tr("95 % interval"), tr("Old"),
                     tr("New"), tr("Boards"), tr("q")});
    headerItem()->setToolTip(StratumQ, tr("How often a change as large as this is none, over all rows"));
    for (const int column : {StratumChange, StratumOld, StratumNew, StratumBoards, StratumQ})
        headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    header()->setSectionResizeMode(StratumName, QHeaderView::Stretch);
    sortByColumn(StratumVerdict, Qt::AscendingOrder);
    connect(this, &QTreeWidget::currentItemChanged, this, &StrataTable::currentChanged);
    connect(this, &QTreeWidget::itemActivated, this, &StrataTable::opened);
}

void StrataTable::show(const FleetComparison &comparison)
{
    clear();
    QList<QTreeWidgetItem *> rows;
    std::map<Stratum, QString> names;
    for (std::size_t i = 0; i < comparison.results.size(); ++i) {
        const Stratum &stratum = comparison.results[i].stratum;
        const auto [name, isNew] = names.try_emplace(stratum);
        if (isNew)
            name->second = shortName(stratum, comparison);
        rows += rowOf(comparison.results[i], static_cast<int>(i), name->second);
    }
    addTopLevelItems(rows);
    setCurrentItem(topLevelItem(0));
}

int StrataTable::current() const
{
    return currentItem() ? currentItem()->data(0, kPlaceRole).toInt() : -1;
}

BoardsTable::BoardsTable(QWidget *parent) : SortedList(parent)
{
    setObjectName(QStringLiteral("boardsTable"));
    setAccessibleName(tr("Boards of the stratum"));
    setHeaderLabels({tr("Board"), tr("Runs"), tr("Change"), tr("Old"), tr("New"), tr("z"), tr("Remark")});
    headerItem()->setToolTip(BoardRuns,
                             tr("Each run as a dot: the old build above, the new one below, a line at the "
                                "median. All boards have the same axis."));
    headerItem()->setToolTip(BoardZ, tr("How far the board is from the others, in robust standard deviations"));
    for (const int column : {BoardChangeBy, BoardOld, BoardNew, BoardZ})
        headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    header()->setSectionResizeMode(BoardRuns, QHeaderView::Stretch);
    setItemDelegateForColumn(BoardRuns, new RunsDelegate(this));
    sortByColumn(BoardZ, Qt::DescendingOrder);
    connect(this, &QTreeWidget::currentItemChanged, this, &BoardsTable::currentChanged);
    connect(this, &QTreeWidget::itemActivated, this, &BoardsTable::opened);
}

void BoardsTable::show(const FleetResult &result, const StratumMetric &metric)
{
    clear();
    std::vector<double> all;
    for (const auto &[name, values] : metric.boards)
        for (const auto *side : {&values.a, &values.b})
            all.insert(all.end(), side->begin(), side->end());
    double low = percentileOfUnsorted(all, 0.01);
    double high = percentileOfUnsorted(all, 0.99);
    if (!(high > low)) {
        low -= 1;
        high += 1;
    }
    std::map<std::string, BoardChange> changes;
    for (BoardChange &board : changesOf(metric))
        changes.emplace(board.board, std::move(board));
    QList<QTreeWidgetItem *> rows;
    for (const auto &[name, values] : metric.boards) {
        const bool isOut = std::any_of(result.fellOut.begin(), result.fellOut.end(),
                                       [&name = name](const Straggler &each) { return each.board == name; });
        auto *row = new SortedRow;
        rows += row;
        row->setText(BoardName, toQString(name));
        row->setData(BoardRuns, Qt::UserRole, QVariant::fromValue(ShownRuns{values, low, high, isOut}));
        row->setData(BoardRuns, Qt::AccessibleTextRole,
                     tr("%1 runs of the old build and %2 of the new one").arg(values.a.size()).arg(values.b.size()));
        if (!values.a.empty())
            row->setNumber(BoardOld, medianOf(values.a), valueOf(result, medianOf(values.a)));
        if (!values.b.empty())
            row->setNumber(BoardNew, medianOf(values.b), valueOf(result, medianOf(values.b)));
        const auto found = changes.find(name);
        if (found == changes.end()) {
            row->setText(BoardRemark, tr("does not count: too few runs of a build"));
            row->setData(BoardZ, kSortRole, -1.0); // Behind those that count.
            continue;
        }
        const BoardChange &board = found->second;
        row->setNumber(BoardChangeBy, board.change, changeOf(result, board.change));
        row->setNumber(BoardZ, std::abs(board.z), toQString(signedText(board.z, 1)));
        row->setText(BoardRemark, isOut ? tr("fell out") : QString());
        row->setForeground(BoardRemark, theme().bad);
    }
    addTopLevelItems(rows);
}

QString BoardsTable::current() const
{
    return currentItem() ? currentItem()->text(BoardName) : QString();
}

} // namespace jetscope
