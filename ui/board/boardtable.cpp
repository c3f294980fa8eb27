// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/board/boardtable.h"

#include "ui/style/theme.h"

#include <QHeaderView>
#include <QPainter>
#include <QWheelEvent>

namespace jetscope {

namespace {

constexpr int kSwatch = 9;
constexpr int kNameCharacters = 24;
constexpr int kEdge = 8; ///< Right of the last column.

QIcon swatchOf(const QColor &color)
{
    QPixmap picture(kSwatch, kSwatch);
    picture.fill(color);
    return {picture};
}

} // namespace

BoardTable::BoardTable(QWidget *parent) : QTableWidget(parent)
{
    setObjectName(QStringLiteral("boardTable"));
    setAccessibleName(tr("Figures of the board"));
    setColumnCount(Columns);
    setHorizontalHeaderLabels({tr("curve"), tr("value"), tr("min"), tr("mean"), tr("p95"), tr("max")});
    horizontalHeader()->hide(); // The ruler has the titles.
    verticalHeader()->hide();
    verticalHeader()->setMinimumSectionSize(1);
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setEditTriggers(NoEditTriggers);
    setSelectionBehavior(SelectRows);
    setTabKeyNavigation(false);
    setWordWrap(true);
    setIconSize({kSwatch, kSwatch});
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

void BoardTable::setCell(int row, Column column, const QString &text)
{
    QTableWidgetItem *cell = item(row, column);
    if (!cell) {
        cell = new QTableWidgetItem;
        const Qt::Alignment side = column == Name ? Qt::AlignLeft : Qt::AlignRight;
        cell->setTextAlignment(side | Qt::AlignVCenter);
        setItem(row, column, cell);
    }
    if (cell->text() != text)
        cell->setText(text);
}

void BoardTable::addCurve(int row, const BoardRow &group, const ShownCurve &shown)
{
    setCell(row, Name, shown.name);
    item(row, Name)->setIcon(swatchOf(shown.color));
    item(row, Name)->setData(Qt::AccessibleTextRole, groupTitle(group.group) + QStringLiteral(", ") + shown.name);
    for (const Column column : {Value, Min, Mean, P95, Max})
        setCell(row, column, QStringLiteral("–"));
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    item(row, Value)->setFont(bold);
}

void BoardTable::setRows(const BoardRows &rows, int lineHeight)
{
    const int selected = currentRow();
    clearSpans();
    setRowCount(0);
    m_trackOf.clear();
    m_lines.clear();
    for (const BoardRow &group : rows.all()) {
        int left = group.height;
        for (const ShownCurve &shown : group.curves) {
            if (!group.isOpen)
                break;
            const int row = rowCount();
            insertRow(row);
            setRowHeight(row, lineHeight);
            addCurve(row, group, shown);
            m_trackOf.emplace_back(shown.curve.counter);
            left -= lineHeight;
        }
        const int row = rowCount();
        insertRow(row);
        setRowHeight(row, std::max(1, left));
        setSpan(row, 0, 1, Columns);
        setCell(row, Name, group.isOpen ? group.note : QString());
        item(row, Name)->setToolTip(group.note);
        item(row, Name)->setForeground(theme().muted);
        item(row, Name)->setTextAlignment(Qt::AlignLeft | Qt::AlignTop);
        item(row, Name)->setFlags(group.note.isEmpty() ? Qt::NoItemFlags : Qt::ItemIsEnabled | Qt::ItemIsSelectable);
        m_trackOf.emplace_back(std::nullopt);
        m_lines.push_back(group.top + group.height - 1);
    }
    if (selected >= 0 && selected < rowCount())
        setCurrentCell(selected, Name);
    setFixedHeight(std::max(rows.height(), 1));
}

std::vector<std::size_t> BoardTable::tracks() const
{
    std::vector<std::size_t> tracks;
    for (const std::optional<std::size_t> &track : m_trackOf)
        if (track)
            tracks.push_back(*track);
    return tracks;
}

void BoardTable::showValues(const BoardSeries &series, std::int64_t ns, const QString &time)
{
    horizontalHeaderItem(Value)->setText(time);
    for (std::size_t row = 0; row < m_trackOf.size(); ++row) {
        if (!m_trackOf[row] || *m_trackOf[row] >= series.tracks().size())
            continue;
        const CounterTrack &track = series.tracks()[*m_trackOf[row]];
        const QString unit = boardUnit(track.info().unit);
        const std::optional<double> value = track.valueAt(ns);
        setCell(static_cast<int>(row), Value,
                value ? boardValue(*value * boardFactor(track.info().unit), unit) : QStringLiteral("–"));
    }
}

void BoardTable::showFigures(const BoardSeries &series, const Figures &figures)
{
    for (std::size_t row = 0; row < m_trackOf.size(); ++row) {
        if (!m_trackOf[row] || *m_trackOf[row] >= series.tracks().size())
            continue;
        const auto found = figures.find(*m_trackOf[row]);
        if (found == figures.end())
            continue;
        const std::string &unit = series.tracks()[*m_trackOf[row]].info().unit;
        const auto text = [&](double CurveStatistics::*figure) {
            return found->second ? boardValue(*found->second.*figure * boardFactor(unit), boardUnit(unit))
                                 : QStringLiteral("–");
        };
        setCell(static_cast<int>(row), Min, text(&CurveStatistics::min));
        setCell(static_cast<int>(row), Mean, text(&CurveStatistics::mean));
        setCell(static_cast<int>(row), P95, text(&CurveStatistics::p95));
        setCell(static_cast<int>(row), Max, text(&CurveStatistics::max));
    }
}

int BoardTable::wholeWidth(bool brief) const
{
    const QFontMetrics metrics(font());
    return metrics.averageCharWidth() * kNameCharacters
        + (metrics.horizontalAdvance(QStringLiteral("00000.0")) + 14) * (brief ? 3 : 5) + kEdge;
}

void BoardTable::setBrief(bool brief)
{
    setColumnHidden(Min, brief);
    setColumnHidden(P95, brief);
    const QFontMetrics metrics(font());
    const int number = metrics.horizontalAdvance(QStringLiteral("00000.0")) + 14;
    setColumnWidth(Name, metrics.averageCharWidth() * kNameCharacters);
    for (const Column column : {Value, Min, Mean, P95, Max})
        setColumnWidth(column, number);
    setFixedWidth(wholeWidth(brief));
}

void BoardTable::paintEvent(QPaintEvent *event)
{
    QTableWidget::paintEvent(event);
    QPainter painter(viewport());
    for (const int y : m_lines)
        painter.fillRect(0, y, viewport()->width(), 1, theme().border);
    painter.fillRect(0, 0, 1, viewport()->height(), theme().border);
}

/// The charts scroll together with the table.
void BoardTable::wheelEvent(QWheelEvent *event)
{
    event->ignore();
}

} // namespace jetscope
