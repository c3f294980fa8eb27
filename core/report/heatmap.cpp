// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/report/heatmap.h"

#include "core/report/htmlparts.h"
#include "core/report/reportstyle.h"
#include "core/report/reporttext.h"
#include "core/report/sweepformats.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

namespace jetscope {

namespace {

/// Settings that have a table of their own, in the order in which they change.
std::string groupTitle(const SweepCell &cell, const std::vector<std::string> &keys)
{
    const auto varied = [&](const char *key) { return std::find(keys.begin(), keys.end(), key) != keys.end(); };
    std::string title = "output " + std::string(nameOf(cell.config.output));
    if (varied("wait"))
        title += ", wait " + std::string(nameOf(cell.config.wait));
    if (varied("cpu-stage"))
        title += ", CPU stage " + std::string(nameOf(cell.config.cpuStage));
    if (varied("frames-in-flight"))
        title += ", " + std::to_string(cell.config.framesInFlight) + " in flight";
    if (varied("streams"))
        title += ", " + countText(static_cast<std::uint64_t>(cell.config.streams), "stream");
    return title;
}

using Place = std::pair<MemoryKind, SyncMode>;

struct Group {
    std::string title;
    std::map<Place, const SweepRow *> rows;
    std::map<Place, const LeftOutCell *> leftOut;

    bool has(MemoryKind memory) const
    {
        const auto same = [memory](const auto &each) { return each.first.first == memory; };
        return std::any_of(rows.begin(), rows.end(), same) || std::any_of(leftOut.begin(), leftOut.end(), same);
    }
    bool has(SyncMode sync) const
    {
        const auto same = [sync](const auto &each) { return each.first.second == sync; };
        return std::any_of(rows.begin(), rows.end(), same) || std::any_of(leftOut.begin(), leftOut.end(), same);
    }
};

class HeatMaps {
public:
    HeatMaps(const SweepReport &report, const SweepWorkload &workload);

    std::string html() const;

private:
    Group &groupOf(const SweepCell &cell);
    std::string tableHtml(const Group &group) const;
    std::string cellHtml(const Group &group, const Place &place) const;
    bool isUnranked(const SweepRow &row) const;
    std::string rowHtml(const SweepRow &row) const;
    int levelOf(double value) const;
    std::string scaleHtml() const;
    std::string nothingMeasuredHtml(const Group &group) const;

    const SweepReport &m_report;
    const SweepWorkload &m_workload;
    std::vector<Group> m_groups;
    std::unordered_map<std::string, std::size_t> m_places;
    double m_best = 0;
    double m_worst = 0;
};

bool isMeasured(const SweepRow &row)
{
    return row.metric && row.failure.empty();
}

HeatMaps::HeatMaps(const SweepReport &report, const SweepWorkload &workload) : m_report(report), m_workload(workload)
{
    const SweepPlan &plan = report.sweep.plan;
    bool first = true;
    std::vector<const SweepRow *> rows;
    for (const SweepRow &row : workload.summary.rows) {
        rows.push_back(&row);
        if (!isMeasured(row))
            continue;
        m_best = first ? row.metric->central : m_best;
        m_worst = row.metric->central;
        first = false;
    }
    std::sort(rows.begin(), rows.end(), [](const SweepRow *a, const SweepRow *b) { return a->cell < b->cell; });
    for (const SweepRow *row : rows) {
        const SweepCell &cell = plan.cells[row->cell];
        groupOf(cell).rows[{cell.config.memory, cell.config.sync}] = row;
    }
    for (const std::size_t place : workload.leftOut) {
        const LeftOutCell &leftOut = plan.leftOut[place];
        groupOf(leftOut.cell).leftOut[{leftOut.cell.config.memory, leftOut.cell.config.sync}] = &leftOut;
    }
}

Group &HeatMaps::groupOf(const SweepCell &cell)
{
    std::string title = groupTitle(cell, m_workload.summary.keys);
    const auto [place, isNew] = m_places.emplace(title, m_groups.size());
    if (isNew)
        m_groups.push_back({std::move(title), {}, {}});
    return m_groups[place->second];
}

/// By the ratio to the best value where both ends are positive, otherwise by the difference.
int HeatMaps::levelOf(double value) const
{
    const bool byRatio = m_best > 0 && m_worst > 0 && value > 0;
    const double range = byRatio ? std::log(m_worst / m_best) : m_worst - m_best;
    const double place = byRatio ? std::log(value / m_best) : value - m_best;
    const double share = range != 0 ? place / range : 0;
    return std::clamp(static_cast<int>(share * kHeatLevels), 0, kHeatLevels - 1);
}

/// The metric is known in too few rounds for a comparison.
bool HeatMaps::isUnranked(const SweepRow &row) const
{
    const std::vector<double> figures = m_report.sweep.result.roundFigures(row.cell, m_workload.summary.metric);
    const auto known =
        std::count_if(figures.begin(), figures.end(), [](double figure) { return std::isfinite(figure); });
    return static_cast<std::size_t>(known) < rowOf(m_workload.summary.metric).method.fewest;
}

std::string HeatMaps::rowHtml(const SweepRow &row) const
{
    if (!row.failure.empty())
        return "<td class=\"failed\" title=\"" + htmlText(row.failure) + "\"><b>failed</b></td>";
    if (!row.metric)
        return m_report.sweep.result.roundsOf(row.cell) > 0
            ? "<td class=\"none\" title=\"the metric is not known of this combination\">–<span>unknown</span></td>"
            : "<td class=\"none\" title=\"not measured yet\">–<span>not measured</span></td>";
    const SweepMetric metric = m_workload.summary.metric;
    const std::string noise = noiseText(metric, row.metric->noise);
    const std::string mark = row.isBest ? "★ best" : row.isTie ? "≈ tie" : isUnranked(row) ? "too few rounds" : "";
    std::string html = "<td class=\"h" + std::to_string(levelOf(row.metric->central));
    html += std::string(row.isBest      ? " best"
                            : row.isTie ? " tie"
                                        : "")
        + "\" title=\"" + htmlText(rowWords(row)) + ": " + metricText(metric, row.metric->central) + " " + noise
        + "\"><b>" + metricText(metric, row.metric->central) + "</b>";
    if (!mark.empty())
        html += "<span>" + mark + "</span>";
    if (row.hazards > 0)
        html += "<span>⚠ " + countText(row.hazards, "hazard") + "</span>";
    return html + "</td>";
}

std::string HeatMaps::cellHtml(const Group &group, const Place &place) const
{
    if (const auto row = group.rows.find(place); row != group.rows.end())
        return rowHtml(*row->second);
    const auto leftOut = group.leftOut.find(place);
    if (leftOut == group.leftOut.end())
        return "<td class=\"none\" title=\"not part of the sweep\">–</td>";
    return "<td class=\"none\" title=\"" + htmlText(leftOut->second->reason) + "\">n/a<span>reason "
        + std::to_string(m_report.reasons.at(leftOut->second->reason)) + "</span></td>";
}

std::string HeatMaps::tableHtml(const Group &group) const
{
    std::string html = "<table class=\"heat\">\n" + elementHtml("caption", group.title)
        + "\n<thead><tr><th scope=\"col\">memory \\ sync</th>";
    for (const Choice<SyncMode> &sync : choices<SyncMode>())
        if (group.has(sync.value))
            html += "<th scope=\"col\">" + htmlText(sync.name) + "</th>";
    html += "</tr></thead>\n<tbody>\n";
    for (const Choice<MemoryKind> &memory : choices<MemoryKind>()) {
        if (!group.has(memory.value))
            continue;
        html += "<tr><th scope=\"row\">" + htmlText(memory.name) + "</th>";
        for (const Choice<SyncMode> &sync : choices<SyncMode>())
            if (group.has(sync.value))
                html += cellHtml(group, {memory.value, sync.value});
        html += "</tr>\n";
    }
    return scrollingHtml("Heat map, " + group.title, html + "</tbody></table>\n");
}

std::string HeatMaps::nothingMeasuredHtml(const Group &group) const
{
    std::map<std::size_t, std::size_t> counts;
    for (const auto &[place, leftOut] : group.leftOut)
        ++counts[m_report.reasons.at(leftOut->reason)];
    std::string numbers;
    for (const auto &[number, count] : counts)
        numbers += (numbers.empty() ? "" : ", ") + std::to_string(number);
    return paragraphHtml("With " + group.title + " nothing could be measured: "
                         + (counts.size() == 1 ? "reason " : "reasons ") + numbers + " below.");
}

std::string HeatMaps::scaleHtml() const
{
    if (!m_workload.best())
        return {};
    const SweepMetric metric = m_workload.summary.metric;
    return paragraphHtml(std::string(rowOf(metric).label) + ". Colour from green, " + metricText(metric, m_best)
                             + ", to orange, " + metricText(metric, m_worst)
                             + ". ★ best, ≈ not shown to be worse than the best, hatched: left out for the reason with "
                               "this number.",
                         "muted");
}

std::string HeatMaps::html() const
{
    std::string html = scaleHtml();
    for (const Group &group : m_groups)
        html += group.rows.empty() ? nothingMeasuredHtml(group) : tableHtml(group);
    return html;
}

} // namespace

std::string heatMapsHtml(const SweepReport &report, const SweepWorkload &workload)
{
    return HeatMaps(report, workload).html();
}

std::string leftOutHtml(const SweepReport &report)
{
    std::string html = "<ol>\n";
    for (const LeftOutReason &reason : report.sweep.plan.reasons())
        html += "<li>" + htmlText(reason.reason) + " <span class=\"muted\">(" + countText(reason.cells, "combination")
            + ")</span></li>\n";
    return html + "</ol>\n";
}

} // namespace jetscope
