// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/measure/sweepoutput.h"

#include "app/commandline/jsonvalues.h"
#include "app/commandline/textlayout.h"
#include "core/measure/sweep/sweepsummary.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr std::size_t kSweepTextWidth = 100;
constexpr std::size_t kSweepLabelWidth = 12;
constexpr std::size_t kSweepFigureWidth = 11;
constexpr Figure kShown[] = {Figure::Period,  Figure::FrameP99, Figure::Latency,
                             Figure::Overlap, Figure::Blocked,  Figure::CpuUse};

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

std::string rowLine(const StoredSweep &sweep, const SweepRow &row, const std::vector<std::size_t> &widths)
{
    std::string line = row.isBest ? "* " : row.isTie ? "≈ " : "  ";
    for (std::size_t i = 0; i < widths.size(); ++i)
        line += padded(row.values[i], widths[i]);
    if (!row.failure.empty())
        return line + " failed: " + row.failure + "\n";
    for (const Figure metric : kShown)
        line += rightAligned(figureText(metric, sweep.result.shown(row.cell, metric)), kSweepFigureWidth + 1);
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
    for (const Figure metric : kShown)
        text += rightAligned(rowOf(metric).shortLabel, kSweepFigureWidth + 1);
    text += "\n";
    for (const SweepRow &row : summary.rows)
        text += rowLine(sweep, row, widths);
    return text;
}

std::string labelled(std::string_view label, std::string_view text)
{
    return hangingParagraph(label, text, kSweepLabelWidth, kSweepTextWidth);
}

QJsonObject metricsJson(const StoredSweep &sweep, std::size_t cell)
{
    QJsonObject metrics;
    for (const Figure figure : sweepFigures()) {
        const FigureRow &row = rowOf(figure);
        QString key = jsonText(row.name).toString();
        key.replace(u'-', u'_');
        const std::optional<Summary> summary = sweep.result.summary(cell, figure);
        if (!summary) {
            metrics[key] = QJsonValue(QJsonValue::Null);
            continue;
        }
        metrics[key] =
            QJsonObject{{"central", jsonNumber(summary->central)},     {"noise", jsonNumber(summary->noise)},
                        {"p50", jsonNumber(summary->percentiles.p50)}, {"p95", jsonNumber(summary->percentiles.p95)},
                        {"p99", jsonNumber(summary->percentiles.p99)}, {"unit", jsonText(unitName(row.unit))}};
    }
    return metrics;
}

QJsonObject cellJson(const StoredSweep &sweep, const SweepRow &row)
{
    const SweepCell &cell = sweep.plan.cells[row.cell];
    QJsonObject object = settingsJson(cell.config);
    object["width"] = cell.width;
    object["height"] = cell.height;
    object["cell"] = static_cast<qint64>(row.cell);
    object["rounds"] = static_cast<qint64>(sweep.result.roundsOf(row.cell));
    object["best"] = row.isBest;
    object["tie"] = row.isTie;
    object["failure"] = jsonTextOrNull(row.failure);
    object["hazards"] = static_cast<qint64>(row.hazards);
    object["metrics"] = metricsJson(sweep, row.cell);
    return object;
}

} // namespace

std::string sweepText(const StoredSweep &sweep)
{
    const SweepSummary summary = summariseSweep(sweep);
    std::string text = labelled("Device", sweep.conditions.deviceName);
    text += labelled("Source", sweep.conditions.source);
    text += labelled("Method",
                     counted(summary.rounds, "round") + " over " + counted(sweep.plan.cells.size(), "combination")
                         + " in shuffled order; medians of batches; a difference counts at an error of 1 %");
    text += "\n" + table(sweep, summary) + "\n";
    text += labelled("Result", sweepWords(summary));
    if (std::any_of(summary.rows.begin(), summary.rows.end(), [](const SweepRow &each) { return each.isTie; }))
        text += labelled("Marks", "* best, ≈ not shown to be worse than the best");
    for (const LeftOutReason &reason : sweep.plan.reasons())
        text += labelled("Left out", counted(reason.cells, "combination") + ": " + reason.reason);
    return text;
}

QJsonObject sweepJson(const StoredSweep &sweep)
{
    const SweepSummary summary = summariseSweep(sweep);
    QJsonArray cells;
    for (const SweepRow &row : summary.rows)
        cells.append(cellJson(sweep, row));
    QJsonArray leftOut;
    for (const LeftOutReason &reason : sweep.plan.reasons())
        leftOut.append(
            QJsonObject{{"reason", jsonText(reason.reason)}, {"combinations", static_cast<qint64>(reason.cells)}});
    return {{"device", jsonText(sweep.conditions.deviceName)},
            {"device_id", jsonText(sweep.conditions.deviceId)},
            {"source", jsonText(sweep.conditions.source)},
            {"paced", sweep.conditions.paced},
            {"seed", static_cast<qint64>(sweep.conditions.seed)},
            {"rounds", static_cast<qint64>(summary.rounds)},
            {"complete", sweep.isComplete()},
            {"verdict", jsonText(sweepWords(summary))},
            {"no_verdict", jsonTextOrNull(summary.noVerdict)},
            {"cells", cells},
            {"left_out", leftOut}};
}

} // namespace jetscope
