// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/measure/sweepoutput.h"

#include "app/commandline/jsonvalues.h"
#include "app/commandline/textlayout.h"
#include "core/measure/report/sweepreport.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr std::size_t kSweepTextWidth = 100;
constexpr std::size_t kSweepLabelWidth = 12;
constexpr std::size_t kSweepFigureWidth = 11;
constexpr Figure kShown[] = {Figure::Period,  Figure::FrameP99, Figure::Latency,
                             Figure::Overlap, Figure::Blocked,  Figure::CpuUse};

/// The figure of the ranking first.
std::vector<Figure> shownFigures(Figure rankedBy)
{
    std::vector<Figure> figures{rankedBy};
    for (const Figure figure : kShown)
        if (figure != rankedBy)
            figures.push_back(figure);
    return figures;
}

std::vector<std::size_t> columnWidths(const SweepSummary &summary)
{
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < summary.keys.size(); ++i) {
        std::size_t width = summary.keys[i].size();
        for (const SweepRow &row : summary.rows)
            width = std::max(width, row.values[i].size());
        widths.push_back(width + 2);
    }
    return widths;
}

std::string rowLine(const StoredSweep &sweep, const SweepRow &row, Figure rankedBy,
                    const std::vector<std::size_t> &widths)
{
    std::string line = row.isBest ? "* " : row.isTie ? "≈ " : "  ";
    for (std::size_t i = 0; i < widths.size(); ++i)
        line += padded(row.values[i], widths[i]);
    if (!row.failure.empty())
        return line + " failed: " + row.failure + "\n";
    for (const Figure metric : shownFigures(rankedBy))
        line += rightAligned(figureText(metric, sweep.result.central(row.cell, metric)), kSweepFigureWidth + 1);
    if (row.hazards > 0)
        line += "  " + counted(row.hazards, "hazard");
    return line + "\n";
}

std::string table(const StoredSweep &sweep, const SweepSummary &summary)
{
    const std::vector<std::size_t> widths = columnWidths(summary);
    std::string text = "  ";
    for (std::size_t i = 0; i < widths.size(); ++i)
        text += padded(summary.keys[i], widths[i]);
    for (const Figure metric : shownFigures(summary.metric)) {
        const std::string label(rowOf(metric).shortLabel);
        text += rightAligned(metric == summary.metric ? "▾ " + label : label, kSweepFigureWidth + 1);
    }
    text += "\n";
    for (const SweepRow &row : summary.rows)
        text += rowLine(sweep, row, summary.metric, widths);
    return text;
}

std::string labelled(std::string_view label, std::string_view text)
{
    return hangingParagraph(label, text, kSweepLabelWidth, kSweepTextWidth);
}

JsonObject metricsJson(const StoredSweep &sweep, std::size_t cell)
{
    JsonObject metrics;
    for (const Figure figure : sweepFigures()) {
        const FigureRow &row = rowOf(figure);
        std::string key(row.name);
        std::replace(key.begin(), key.end(), '-', '_');
        const std::optional<Summary> summary = sweep.result.summary(cell, figure);
        if (!summary) {
            metrics[key] = JsonValue();
            continue;
        }
        metrics[key] =
            JsonObject{{"central", jsonNumber(summary->central)},     {"noise", jsonNumber(summary->noise)},
                       {"p50", jsonNumber(summary->percentiles.p50)}, {"p95", jsonNumber(summary->percentiles.p95)},
                       {"p99", jsonNumber(summary->percentiles.p99)}, {"unit", unitName(row.unit)}};
    }
    return metrics;
}

JsonObject cellJson(const StoredSweep &sweep, const SweepRow &row)
{
    const SweepCell &cell = sweep.plan.cells[row.cell];
    JsonObject object = settingsJson(cell.config);
    object["width"] = cell.width;
    object["height"] = cell.height;
    object["cell"] = row.cell;
    object["rounds"] = sweep.result.roundsOf(row.cell);
    object["best"] = row.isBest;
    object["tie"] = row.isTie;
    object["failure"] = jsonTextOrNull(row.failure);
    object["hazards"] = row.hazards;
    object["metrics"] = metricsJson(sweep, row.cell);
    return object;
}

} // namespace

std::string sweepText(const StoredSweep &sweep)
{
    const std::vector<SweepWorkload> works = workloadsOf(sweep);
    const SweepSummary &first = works.front().summary;
    std::string text = labelled("Device", sweep.conditions.deviceName);
    text += labelled("Source", sweep.conditions.source);
    text += labelled("Method",
                     counted(first.rounds, "round") + " over " + counted(sweep.plan.cells.size(), "combination")
                         + " in shuffled order; medians of batches; a difference counts at an error of 1 %");
    text += labelled("Ranked by", rankingWords(first.metric, sweep.conditions));
    if (works.size() > 1)
        text += labelled("Work",
                         counted(works.size(), "kind")
                             + " of work, each ranked by itself: combinations that "
                               "do different work are not compared");
    for (const SweepWorkload &work : works) {
        if (!work.title.empty())
            text += "\n" + work.title + "\n";
        text += "\n" + table(sweep, work.summary) + "\n" + labelled("Result", work.verdict());
    }
    text += labelled("Marks", "▾ ranked by this, * best, ≈ not shown to be worse than the best");
    for (const LeftOutReason &reason : sweep.plan.reasons())
        text += labelled("Left out", counted(reason.cells, "combination") + ": " + reason.reason);
    return text;
}

JsonObject sweepJson(const StoredSweep &sweep)
{
    const std::vector<SweepWorkload> all = workloadsOf(sweep);
    const SweepSummary &first = all.front().summary;
    JsonArray works;
    JsonArray cells;
    std::string verdict;
    for (const SweepWorkload &work : all) {
        works.push_back(JsonObject{{"work", jsonTextOrNull(work.title)},
                                   {"combinations", work.summary.rows.size()},
                                   {"verdict", work.verdict()}});
        verdict += (verdict.empty() ? "" : " ") + (work.title.empty() ? "" : work.title + ": ") + work.verdict();
        for (const SweepRow &row : work.summary.rows) {
            JsonObject cell = cellJson(sweep, row);
            cell["work"] = jsonTextOrNull(work.title);
            cells.push_back(cell);
        }
    }
    JsonArray leftOut;
    for (const LeftOutReason &reason : sweep.plan.reasons())
        leftOut.push_back(JsonObject{{"reason", reason.reason}, {"combinations", reason.cells}});
    return {{"device", sweep.conditions.deviceName},
            {"device_id", sweep.conditions.deviceId},
            {"source", sweep.conditions.source},
            {"paced", sweep.conditions.paced},
            {"seed", sweep.conditions.seed},
            {"rounds", first.rounds},
            {"complete", sweep.isComplete()},
            {"ranked_by", rowOf(first.metric).name},
            {"verdict", verdict},
            {"no_verdict", jsonTextOrNull(first.noVerdict)},
            {"works", works},
            {"cells", cells},
            {"left_out", leftOut}};
}

} // namespace jetscope
