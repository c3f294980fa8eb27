// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/report/sweepformats.h"

#include "core/measure/report/reporttext.h"
#include "core/settings/settingtable.h"

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

constexpr std::size_t kMaxMarkdownRows = 60;

/// "frame-p50", "ms" as "frame_p50_ms".
std::string columnOf(Figure figure)
{
    const FigureRow &row = rowOf(figure);
    std::string name(row.name);
    std::replace(name.begin(), name.end(), '-', '_');
    return row.unit == FigureUnit::Share || row.unit == FigureUnit::Bytes
        ? name
        : name + "_" + std::string(unitName(row.unit));
}

/// `rank` counts from 1 in the cell's workload; 0 if the cell has no figures.
std::string csvLine(const SweepReport &report, const SweepRow &row, std::size_t rank)
{
    const StoredSweep &sweep = report.sweep;
    const SweepCell &cell = sweep.plan.cells[row.cell];
    std::string line = std::to_string(row.cell) + "," + std::to_string(cell.width) + "," + std::to_string(cell.height);
    for (const SettingRow &setting : settingTable())
        line += "," + csvText(setting.text(cell.config, "+"));
    line += "," + std::to_string(sweep.result.roundsOf(row.cell)) + "," + (rank > 0 ? std::to_string(rank) : "") + ","
        + (row.isBest ? "1," : "0,") + (row.isTie ? "1," : "0,") + std::to_string(row.hazards) + ","
        + csvText(row.failure);
    for (const Figure metric : sweepFigures()) {
        const std::optional<Summary> summary = sweep.result.summary(row.cell, metric);
        if (!summary) {
            line += ",,,,,";
            continue;
        }
        for (const double value : {summary->central, summary->noise, summary->percentiles.p50, summary->percentiles.p95,
                                   summary->percentiles.p99})
            (line += ',') += exactText(value);
    }
    return line + "\n";
}

std::string markdownTable(const SweepReport &report, const SweepWorkload &workload)
{
    const std::vector<Figure> &metrics = report.metrics;
    std::string text = "| |";
    std::string line = "|---|";
    for (const std::string &key : workload.summary.keys) {
        text += " " + markdownText(key) + " |";
        line += "---|";
    }
    for (const Figure metric : metrics) {
        text += " " + std::string(rowOf(metric).label) + " |";
        line += "---:|";
    }
    text += "\n" + line + "\n";
    std::size_t shown = 0;
    for (const SweepRow &row : workload.summary.rows) {
        if (++shown > kMaxMarkdownRows)
            break;
        text += row.isBest ? "| ★ |" : row.isTie ? "| ≈ |" : "| |";
        for (const std::string &value : row.values)
            text += " " + markdownText(value) + " |";
        for (const Figure metric : metrics) {
            const std::optional<double> value =
                row.failure.empty() ? report.sweep.result.central(row.cell, metric) : std::nullopt;
            text += " " + figureText(metric, value);
            if (metric == report.metric && row.hasFigure())
                text += " " + noiseText(metric, row.metric->noise);
            text += " |";
        }
        text += "\n";
    }
    const std::size_t rows = workload.summary.rows.size();
    if (rows > kMaxMarkdownRows)
        text += "\n" + counted(rows - kMaxMarkdownRows, "further combination")
            + " not shown; `jetscope report --out FILE.csv` lists all.\n";
    return text;
}

} // namespace

std::string noiseText(Figure metric, double noise)
{
    return std::isfinite(noise) ? "± " + figureText(metric, noise) : std::string();
}

std::string standardSentence(const SweepReport &report, const SweepWorkload &workload)
{
    if (report.standardWords.empty() || !workload.leader())
        return {};
    const std::string beginning = "The default combination, " + report.standardWords;
    if (!workload.standard)
        return beginning + ", was not measured.";
    const auto &rows = workload.summary.rows;
    const auto row =
        std::find_if(rows.begin(), rows.end(), [&](const SweepRow &each) { return each.cell == *workload.standard; });
    if (row == rows.end() || !row->hasFigure())
        return beginning + ", has no figures.";
    const std::string noise = noiseText(report.metric, row->metric->noise);
    std::string words = beginning + ", has " + figureText(report.metric, row->metric->central)
        + (noise.empty() ? "" : " (" + noise + ")") + ".";
    if (row->isBest)
        words += " It is the best one.";
    else if (row->isTie)
        words += " It is not shown to be worse than the best.";
    return words;
}

std::vector<std::pair<std::string, std::string>> sweepBanner(const SweepReport &report)
{
    const SweepConditions &conditions = report.sweep.conditions;
    return {{"Device", conditions.deviceName},
            {"Source", conditions.source},
            {"Pace", conditions.paced ? "the source's own rate" : "as fast as frames are taken"},
            {"Ranked by", rankingWords(report.metric, conditions)},
            {"Date", report.date()},
            {"Program", conditions.madeBy},
            {"State", report.isComplete() ? "complete" : "unfinished: jetscope sweep --out FILE --resume continues it"},
            {"Order", "shuffled with seed " + std::to_string(conditions.seed)},
            {"Combinations",
             std::to_string(report.sweep.plan.cells.size()) + " measured, "
                 + std::to_string(report.sweep.plan.leftOut.size()) + " left out"}};
}

std::string sweepCsv(const SweepReport &report)
{
    std::string text = "cell,width,height";
    for (const SettingRow &setting : settingTable())
        text += "," + setting.column();
    text += ",rounds,rank,best,tie,hazards,failure";
    for (const Figure metric : sweepFigures())
        for (const char *part : {"", "_noise", "_p50", "_p95", "_p99"})
            text += "," + columnOf(metric) + part;
    text += "\n";
    for (const SweepWorkload &workload : report.workloads) {
        std::size_t rank = 0;
        for (const SweepRow &row : workload.summary.rows) {
            text += csvLine(report, row, row.hasFigure() ? ++rank : 0);
        }
    }
    return text;
}

std::string sweepMarkdown(const SweepReport &report)
{
    std::string text = "### Jetscope sweep\n\n";
    for (const auto &[label, value] : sweepBanner(report))
        if (!value.empty())
            text += "- " + label + ": " + markdownText(value) + "\n";
    for (const SweepWorkload &workload : report.workloads) {
        if (!workload.title.empty())
            text += "\n#### " + markdownText(workload.title) + "\n";
        text += "\n**" + markdownText(workload.verdict()) + "**\n\n" + markdownText(standardSentence(report, workload))
            + "\n\n" + markdownTable(report, workload);
    }
    text += "\n★ best, ≈ not shown to be worse than the best. " + markdownText(report.method()) + "\n";
    for (const LeftOutReason &reason : report.sweep.plan.reasons())
        text += "- Left out, " + counted(reason.cells, "combination") + ": " + markdownText(reason.reason) + "\n";
    for (const SweepWorkload &workload : report.workloads)
        for (const SweepRow &row : workload.summary.rows)
            if (!row.failure.empty())
                text += "- Failed, " + markdownText(rowWords(row)) + ": " + markdownText(row.failure) + "\n";
    return text + "\n```sh\n" + report.command() + "\n```\n";
}

} // namespace jetscope
