// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/report/heattable.h"

#include "core/enumtable.h"
#include "core/settings/settingtable.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

namespace jetscope {

namespace {

constexpr auto kHeatWords = enumWords<HeatCell::State>({"–", "n/a", "not measured", "unknown", "failed", "–"});

using HeatPlace = std::pair<MemoryKind, SyncMode>;

/// One table while its cells are collected.
struct HeatGroup {
    HeatTable table;
    std::map<HeatPlace, HeatCell> cells;
};

/// Rows and columns of a table, or what is in its title or that of the workload anyway.
bool isAxis(const SettingRow &row)
{
    return row.key == "memory" || row.key == "sync" || row.key == "output" || row.isWork();
}

std::string tableTitle(const SweepCell &cell, const std::vector<std::string> &keys)
{
    std::string title = "output " + std::string(nameOf(cell.config.output));
    for (const SettingRow &row : settingTable())
        if (!isAxis(row) && std::find(keys.begin(), keys.end(), row.key) != keys.end())
            title += ", " + row.words(cell.config);
    return title;
}

class HeatMaker {
public:
    HeatMaker(const SweepReport &report, const SweepWorkload &workload) : m_report(report), m_workload(workload) {}

    HeatMap make()
    {
        findEnds();
        const SweepPlan &plan = m_report.sweep.plan;
        std::vector<const SweepRow *> rows;
        for (const SweepRow &row : m_workload.summary.rows)
            rows.push_back(&row);
        std::sort(rows.begin(), rows.end(), [](const SweepRow *a, const SweepRow *b) { return a->cell < b->cell; });
        for (const SweepRow *row : rows) {
            const SweepCell &cell = plan.cells[row->cell];
            groupOf(cell).cells[{cell.config.memory, cell.config.sync}] = cellOf(*row);
        }
        for (const std::size_t place : m_workload.leftOut) {
            const LeftOutCell &leftOut = plan.leftOut[place];
            HeatCell cell;
            cell.state = HeatCell::State::LeftOut;
            cell.leftOut = &leftOut;
            groupOf(leftOut.cell).cells.emplace(HeatPlace{leftOut.cell.config.memory, leftOut.cell.config.sync}, cell);
        }
        for (HeatGroup &group : m_groups)
            m_map.tables.push_back(finished(std::move(group)));
        return std::move(m_map);
    }

private:
    /// Rows are sorted from the best to the worst.
    void findEnds()
    {
        bool first = true;
        for (const SweepRow &row : m_workload.summary.rows) {
            if (!row.hasFigure())
                continue;
            m_map.best = first ? row.metric->central : m_map.best;
            m_map.worst = row.metric->central;
            first = false;
        }
    }

    HeatGroup &groupOf(const SweepCell &cell)
    {
        std::string title = tableTitle(cell, m_workload.summary.keys);
        const auto [place, isNew] = m_places.emplace(title, m_groups.size());
        if (isNew) {
            m_groups.emplace_back();
            m_groups.back().table.settings = cell;
            m_groups.back().table.title = std::move(title);
        }
        return m_groups[place->second];
    }

    HeatCell cellOf(const SweepRow &row) const
    {
        HeatCell cell;
        cell.row = &row;
        if (!row.failure.empty()) {
            cell.state = HeatCell::State::Failed;
        } else if (!row.metric) {
            const bool measured = m_report.sweep.result.roundsOf(row.cell) > 0;
            cell.state = measured ? HeatCell::State::Unknown : HeatCell::State::NotMeasured;
        } else {
            cell.state = HeatCell::State::Measured;
            cell.level = levelOf(row.metric->central);
            cell.tooFewRounds = hasTooFewRounds(row);
        }
        return cell;
    }

    /// By the ratio to the best value where both ends are positive, otherwise by the difference.
    int levelOf(double value) const
    {
        const bool byRatio = m_map.best > 0 && m_map.worst > 0 && value > 0;
        const double range = byRatio ? std::log(m_map.worst / m_map.best) : m_map.worst - m_map.best;
        const double place = byRatio ? std::log(value / m_map.best) : value - m_map.best;
        const double share = range != 0 ? place / range : 0;
        return std::clamp(static_cast<int>(share * kHeatLevels), 0, kHeatLevels - 1);
    }

    /// The metric is known in too few rounds for a comparison.
    bool hasTooFewRounds(const SweepRow &row) const
    {
        const Figure metric = m_workload.summary.metric;
        const std::vector<double> figures = m_report.sweep.result.roundFigures(row.cell, metric);
        const auto known =
            std::count_if(figures.begin(), figures.end(), [](double figure) { return std::isfinite(figure); });
        return static_cast<std::size_t>(known) < methodOf(metric).fewest;
    }

    static HeatTable finished(HeatGroup &&group)
    {
        HeatTable table = std::move(group.table);
        const auto has = [&](auto same) { return std::any_of(group.cells.begin(), group.cells.end(), same); };
        for (const Choice<MemoryKind> &memory : choices<MemoryKind>())
            if (has([&](const auto &each) { return each.first.first == memory.value; }))
                table.memories.push_back(memory.value);
        for (const Choice<SyncMode> &sync : choices<SyncMode>())
            if (has([&](const auto &each) { return each.first.second == sync.value; }))
                table.syncs.push_back(sync.value);
        for (const MemoryKind memory : table.memories)
            for (const SyncMode sync : table.syncs) {
                const auto cell = group.cells.find({memory, sync});
                table.cells.push_back(cell == group.cells.end() ? HeatCell() : cell->second);
            }
        return table;
    }

    const SweepReport &m_report;
    const SweepWorkload &m_workload;
    HeatMap m_map;
    std::vector<HeatGroup> m_groups;
    std::unordered_map<std::string, std::size_t> m_places;
};

} // namespace

bool HeatTable::isMeasurable() const
{
    return std::any_of(cells.begin(), cells.end(), [](const HeatCell &cell) { return cell.row != nullptr; });
}

HeatMap heatMapOf(const SweepReport &report, const SweepWorkload &workload)
{
    return HeatMaker(report, workload).make();
}

std::string heatMark(const HeatCell &cell)
{
    if (cell.state != HeatCell::State::Measured)
        return {};
    return cell.row->isBest ? "★ best" : cell.row->isTie ? "≈ tie" : cell.tooFewRounds ? "too few rounds" : "";
}

std::string heatWord(HeatCell::State state)
{
    return std::string(kHeatWords[static_cast<std::size_t>(state)]);
}

} // namespace jetscope
