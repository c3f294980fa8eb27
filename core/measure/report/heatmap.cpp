// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/report/sweepformats.h"

#include "core/measure/report/heattable.h"
#include "core/measure/report/htmlparts.h"
#include "core/measure/report/reporttext.h"

#include <set>

namespace jetscope {

namespace {

std::string measuredHtml(const Figure metric, const HeatCell &cell)
{
    const SweepRow &row = *cell.row;
    const std::string figure = figureText(metric, row.metric->central);
    const std::string mark = heatMark(cell);
    std::string html = "<td class=\"h" + std::to_string(cell.level)
        + (row.isBest      ? " best"
               : row.isTie ? " tie"
                           : "")
        + "\" title=\"" + htmlText(rowWords(row)) + ": " + figure + " " + noiseText(metric, row.metric->noise)
        + "\"><b>" + figure + "</b>";
    if (!mark.empty())
        html += "<span>" + mark + "</span>";
    if (row.hazards > 0)
        html += "<span>⚠ " + counted(row.hazards, "hazard") + "</span>";
    return html + "</td>";
}

class HeatHtml {
public:
    HeatHtml(const SweepReport &report, const SweepWorkload &workload)
        : m_report(report), m_workload(workload), m_map(heatMapOf(report, workload))
    {
    }

    std::string html() const
    {
        std::string html = scaleHtml();
        for (const HeatTable &table : m_map.tables)
            html += table.isMeasurable() ? tableHtml(table) : nothingMeasuredHtml(table);
        return html;
    }

private:
    std::string tableHtml(const HeatTable &table) const
    {
        std::string html = "<table class=\"heat\">\n" + elementHtml("caption", table.title)
            + "\n<thead><tr><th scope=\"col\">memory \\ sync</th>";
        for (const SyncMode sync : table.syncs)
            html += "<th scope=\"col\">" + htmlText(nameOf(sync)) + "</th>";
        html += "</tr></thead>\n<tbody>\n";
        for (std::size_t memory = 0; memory < table.memories.size(); ++memory) {
            html += "<tr><th scope=\"row\">" + htmlText(nameOf(table.memories[memory])) + "</th>";
            for (std::size_t sync = 0; sync < table.syncs.size(); ++sync)
                html += cellHtml(table.at(memory, sync));
            html += "</tr>\n";
        }
        return scrollingHtml("Heat map, " + table.title, html + "</tbody></table>\n");
    }

    std::string cellHtml(const HeatCell &cell) const
    {
        const std::string word = heatWord(cell.state);
        switch (cell.state) {
        case HeatCell::State::Measured:
            return measuredHtml(m_workload.summary.metric, cell);
        case HeatCell::State::Failed:
            return "<td class=\"failed\" title=\"" + htmlText(cell.row->failure) + "\"><b>" + word + "</b></td>";
        case HeatCell::State::Unknown:
            return "<td class=\"none\" title=\"the metric is not known of this combination\">–<span>" + word
                + "</span></td>";
        case HeatCell::State::NotMeasured:
            return "<td class=\"none\" title=\"not measured yet\">–<span>" + word + "</span></td>";
        case HeatCell::State::LeftOut:
            return "<td class=\"none\" title=\"" + htmlText(cell.leftOut->reason) + "\">" + word + "<span>reason "
                + std::to_string(m_report.reasons.at(cell.leftOut->reason)) + "</span></td>";
        case HeatCell::State::NotPart:
            break;
        }
        return "<td class=\"none\" title=\"not part of the sweep\">" + word + "</td>";
    }

    std::string scaleHtml() const
    {
        if (!m_workload.leader())
            return {};
        const Figure metric = m_workload.summary.metric;
        return paragraphHtml(
            std::string(rowOf(metric).label) + ". Colour from blue, " + figureText(metric, m_map.best) + ", to orange, "
                + figureText(metric, m_map.worst)
                + ". ★ best, ≈ not shown to be worse than the best, hatched: left out for the reason with "
                  "this number.",
            "muted");
    }

    std::string nothingMeasuredHtml(const HeatTable &table) const
    {
        std::set<std::size_t> numbers;
        for (const HeatCell &cell : table.cells)
            if (cell.leftOut)
                numbers.insert(m_report.reasons.at(cell.leftOut->reason));
        std::string list;
        for (const std::size_t number : numbers)
            list += (list.empty() ? "" : ", ") + std::to_string(number);
        return paragraphHtml("With " + table.title + " nothing could be measured: "
                             + (numbers.size() == 1 ? "reason " : "reasons ") + list + " below.");
    }

    const SweepReport &m_report;
    const SweepWorkload &m_workload;
    const HeatMap m_map;
};

} // namespace

std::string heatMapsHtml(const SweepReport &report, const SweepWorkload &workload)
{
    return HeatHtml(report, workload).html();
}

std::string leftOutHtml(const SweepReport &report)
{
    std::string html = "<ol>\n";
    for (const LeftOutReason &reason : report.sweep.plan.reasons())
        html += "<li>" + htmlText(reason.reason) + " <span class=\"muted\">(" + counted(reason.cells, "combination")
            + ")</span></li>\n";
    return html + "</ol>\n";
}

} // namespace jetscope
