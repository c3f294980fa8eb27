// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/measure/heatmodel.h"

#include "core/measure/report/reporttext.h"
#include "core/measure/report/sweepformats.h"
#include "ui/style/text.h"

#include <algorithm>

namespace jetscope {

void HeatModel::show(std::shared_ptr<const SweepReport> report, const HeatTable &table)
{
    // A reset would lose the current cell each time that the file grows.
    if (table.memories == m_table.memories && table.syncs == m_table.syncs) {
        m_table = table;
        m_report = std::move(report);
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        return;
    }
    beginResetModel();
    m_table = table;
    m_report = std::move(report);
    endResetModel();
}

void HeatModel::clear()
{
    beginResetModel();
    m_table = {};
    m_report.reset();
    endResetModel();
}

HeatCell HeatModel::cellAt(const QModelIndex &index) const
{
    return index.isValid() ? m_table.at(static_cast<std::size_t>(index.row()), static_cast<std::size_t>(index.column()))
                           : HeatCell();
}

QString HeatModel::wordsAt(const QModelIndex &index) const
{
    const HeatCell cell = cellAt(index);
    if (cell.row)
        return toQString(rowWords(*cell.row));
    if (!index.isValid())
        return {};
    return toQString(nameOf(m_table.memories[static_cast<std::size_t>(index.row())])) + QStringLiteral(", ")
        + toQString(nameOf(m_table.syncs[static_cast<std::size_t>(index.column())]));
}

QModelIndex HeatModel::indexOf(std::size_t cell) const
{
    for (int row = 0; row < rowCount(); ++row)
        for (int column = 0; column < columnCount(); ++column)
            if (const HeatCell found = cellAt(index(row, column)); found.row && found.row->cell == cell)
                return index(row, column);
    return {};
}

int HeatModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.memories.size());
}

int HeatModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.syncs.size());
}

bool HeatModel::hasSample(const HeatCell &cell) const
{
    return cell.row && m_report
        && std::binary_search(m_report->sweep.sampled.begin(), m_report->sweep.sampled.end(), cell.row->cell);
}

QString HeatModel::figureOf(const HeatCell &cell) const
{
    return cell.state == HeatCell::State::Measured ? toQString(figureText(m_report->metric, cell.row->metric->central))
                                                   : toQString(heatWord(cell.state));
}

QString HeatModel::explanationOf(const HeatCell &cell, const QModelIndex &index) const
{
    QStringList lines{wordsAt(index)};
    switch (cell.state) {
    case HeatCell::State::Measured: {
        const SweepRow &row = *cell.row;
        lines += tr("%1: %2 %3")
                     .arg(toQString(rowOf(m_report->metric).label), figureOf(cell),
                          toQString(noiseText(m_report->metric, row.metric->noise)));
        lines += toQString(counted(m_report->sweep.result.roundsOf(row.cell), "round"));
        if (row.isBest)
            lines += tr("★ the best combination");
        else if (row.isTie)
            lines += tr("≈ not shown to be worse than the best");
        else if (cell.tooFewRounds)
            lines += tr("Too few rounds for a comparison");
        if (row.hazards > 0)
            lines += tr("⚠ %1: accesses that broke a rule for shared memory, so the picture may be wrong")
                         .arg(toQString(counted(row.hazards, "hazard")));
        lines += hasSample(cell) ? tr("Click or Enter: its timeline and path") : tr("No sample trace was kept yet");
        break;
    }
    case HeatCell::State::LeftOut:
        lines += tr("Not available: %1").arg(toQString(cell.leftOut->reason));
        break;
    case HeatCell::State::Failed:
        lines += tr("Failed: %1").arg(toQString(cell.row->failure));
        break;
    case HeatCell::State::NotMeasured:
        lines += tr("Not measured yet");
        break;
    case HeatCell::State::Unknown:
        lines += tr("%1 is not known of this combination").arg(toQString(rowOf(m_report->metric).label));
        break;
    case HeatCell::State::NotPart:
        lines += tr("Not part of the sweep");
        break;
    }
    return lines.join(u'\n');
}

QString HeatModel::accessibleOf(const HeatCell &cell, const QModelIndex &index) const
{
    QString text = tr("%1: %2").arg(wordsAt(index), figureOf(cell));
    if (cell.state == HeatCell::State::Measured) {
        if (cell.row->isBest)
            text += tr(", the best");
        else if (cell.row->isTie)
            text += tr(", a tie");
        if (cell.row->hazards > 0)
            text += tr(", with hazards");
    }
    return text;
}

QVariant HeatModel::data(const QModelIndex &index, int role) const
{
    const HeatCell cell = cellAt(index);
    switch (role) {
    case Qt::DisplayRole:
        return figureOf(cell);
    case Qt::ToolTipRole:
        return explanationOf(cell, index);
    case Qt::AccessibleTextRole:
        return accessibleOf(cell, index);
    case Qt::AccessibleDescriptionRole:
        return explanationOf(cell, index);
    default:
        return {};
    }
}

QVariant HeatModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    const auto roleOf = [role](const auto &choice) -> QVariant {
        return role == Qt::DisplayRole       ? toQString(choice.label)
            : role == Qt::ToolTipRole        ? toQString(choice.help)
            : role == Qt::AccessibleTextRole ? toQString(choice.label)
                                             : QVariant();
    };
    const auto place = static_cast<std::size_t>(section);
    if (orientation == Qt::Vertical)
        return place < m_table.memories.size() ? roleOf(choiceOf(m_table.memories[place])) : QVariant();
    return place < m_table.syncs.size() ? roleOf(choiceOf(m_table.syncs[place])) : QVariant();
}

Qt::ItemFlags HeatModel::flags(const QModelIndex &index) const
{
    return index.isValid() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::NoItemFlags;
}

} // namespace jetscope
