// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/compare/choicetable.h"

#include "core/measure/sweep/sweepsummary.h"
#include "core/settings/settingtable.h"
#include "core/text/numbertext.h"

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

ComparisonMethod methodFor(Figure metric, std::size_t comparisons)
{
    ComparisonMethod method = methodOf(metric);
    method.error /= static_cast<double>(std::max<std::size_t>(1, comparisons));
    return method;
}

std::optional<double> centralOf(const StoredSweep &sweep, std::size_t cell, Figure metric)
{
    const std::optional<Summary> summary = sweep.result.summary(cell, metric);
    return summary ? std::optional(summary->central) : std::nullopt;
}

std::string percentWords(double share)
{
    return percentNumber(std::abs(share)) + " %";
}

/// A wider interval tells nothing, and its number reads as an error.
constexpr double kSensibleNoise = 1;

std::string wordsOf(const ChoiceTable &table, const std::string &present)
{
    if (!table.noVerdict.empty())
        return "No verdict, because " + table.noVerdict + ".";
    const std::string metric = figurePhrase(table.metric);
    if (table.better) {
        const ChoiceRow &best = table.rows[*table.better];
        const Estimate &ratio = best.figure.difference.ratio;
        return best.label + " is the best: its " + metric + " is " + figureText(table.metric, best.figure.b.value_or(0))
            + ", " + percentWords(1 - ratio.value) + " (±" + percentWords(ratio.halfWidth()) + ") shorter than with "
            + present + ", which is in use.";
    }
    double widest = 0;
    for (const ChoiceRow &row : table.rows)
        if (row.figure.verdict == RowVerdict::Unchanged)
            widest = std::max(widest, row.figure.difference.ratio.halfWidth());
    const std::string noise = widest > kSensibleNoise ? ", but the noise is larger than the figures: let it run longer"
        : widest > 0                                  ? ", noise up to ±" + percentWords(widest)
                                                      : std::string();
    return "Nothing is shown to have a shorter " + metric + " than " + present
        + ", which is in use (least difference that counts " + percentWords(ComparisonMethod{}.least) + noise + ").";
}

std::string reasonWithoutVerdict(const ChoiceTable &table, const StoredSweep &sweep, std::size_t present)
{
    if (!sweep.result.failureOf(present).empty())
        return "the present choice failed: " + sweep.result.failureOf(present);
    return whyNoVerdict(sweep, table.rounds);
}

void compareRow(ChoiceRow &row, const CellComparison &comparison, const ChoiceTable &table, std::size_t present,
                const ComparisonMethod &method)
{
    row.figure.difference = comparison.compare(present, *row.cell);
    judge(row.figure, method);
    if (!table.noVerdict.empty() && row.figure.verdict != RowVerdict::Unknown
        && row.figure.verdict != RowVerdict::TooFewFrames)
        row.figure.verdict = RowVerdict::NotComparable;
}

void markBestRow(ChoiceTable &table)
{
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const ComparedFigure &figure = table.rows[i].figure;
        if (figure.verdict == RowVerdict::Better && (!table.better || *figure.b < *table.rows[*table.better].figure.b))
            table.better = i;
    }
    if (table.better)
        table.rows[*table.better].isBest = true;
}

} // namespace

ChoicePlan planChoice(std::string_view key, const PipelineConfig &present, const DeviceFacts &facts)
{
    ChoicePlan plan;
    const SettingRow &setting = *settingRow(key);
    for (SettingValue &value : setting.values()) {
        SweepCell cell{present, 0, 0};
        static_cast<void>(setting.set(cell.config, value.name)); // A value of its own.
        const bool isPresent = cell.config == present;
        const Availability found = availability(cell.config, facts);
        if (!isPresent && !found.legal()) {
            const std::string unsafe = found.unavailable() ? "" : "unsafe, so it is not tried unasked: ";
            plan.values.push_back({std::move(value.label), std::nullopt, unsafe + found.reason});
            continue;
        }
        if (isPresent)
            plan.present = plan.cells.size();
        plan.values.push_back({std::move(value.label), plan.cells.size(), {}});
        plan.cells.push_back(std::move(cell));
    }
    return plan;
}

ChoicePlan planTurns(const PipelineConfig &a, const PipelineConfig &now)
{
    return {{{"A", 0, {}}, {"now", 1, {}}}, {{a, 0, 0}, {now, 0, 0}}, 1};
}

ChoiceTable choiceTable(const ChoicePlan &plan, const StoredSweep &sweep, Figure metric)
{
    ChoiceTable table;
    table.metric = metric;
    table.rounds = sweep.result.completeRounds();
    table.noVerdict = reasonWithoutVerdict(table, sweep, plan.present);
    std::vector<std::vector<double>> figures(plan.cells.size());
    for (std::size_t cell = 0; cell < plan.cells.size(); ++cell)
        if (sweep.result.failureOf(cell).empty())
            figures[cell] = sweep.result.roundFigures(cell, metric);
    const ComparisonMethod method = methodFor(metric, plan.cells.size() - 1);
    const CellComparison comparison(figures, method);
    std::string present;
    for (const ChoicePlan::Value &value : plan.values) {
        ChoiceRow row;
        row.label = value.label;
        row.cell = value.cell;
        row.reason = value.reason;
        row.isPresent = value.cell == plan.present;
        if (value.cell) {
            row.latencyMs = centralOf(sweep, *value.cell, Figure::Latency);
            row.periodMs = centralOf(sweep, *value.cell, Figure::Period);
            row.reason = sweep.result.failureOf(*value.cell);
            row.figure.a = centralOf(sweep, plan.present, metric);
            row.figure.b = centralOf(sweep, *value.cell, metric);
            if (!row.isPresent && row.reason.empty())
                compareRow(row, comparison, table, plan.present, method);
        }
        if (row.isPresent)
            present = row.label;
        table.rows.push_back(std::move(row));
    }
    markBestRow(table);
    table.words = wordsOf(table, present);
    return table;
}

CaptureComparison compareTurns(const StoredSweep &sweep, std::size_t a, std::size_t b)
{
    CaptureComparison comparison;
    comparison.sides = ComparedSides::Running;
    comparison.settings = describeChange(sweep.plan.cells[a].config, sweep.plan.cells[b].config);
    for (const std::size_t cell : {a, b})
        if (!sweep.result.failureOf(cell).empty() && comparison.noVerdict.empty())
            comparison.noVerdict = sweep.result.failureOf(cell);
    if (comparison.noVerdict.empty())
        comparison.noVerdict = machineChange(sweep);
    comparison.framesA = sweep.result.distribution(a).count;
    comparison.framesB = sweep.result.distribution(b).count;
    for (const Figure metric : captureFigures()) {
        ComparedFigure figure;
        if (!rowOf(metric).column.empty()) {
            ComparisonMethod method = methodOf(metric);
            if (metric != Figure::Period)
                method.error /= static_cast<double>(captureFigures().size() - 1);
            figure.a = centralOf(sweep, a, metric);
            figure.b = centralOf(sweep, b, metric);
            figure.difference =
                comparePaired(sweep.result.roundFigures(a, metric), sweep.result.roundFigures(b, metric), method);
            judge(figure, method);
            if (!comparison.noVerdict.empty() && figure.verdict != RowVerdict::Unknown)
                figure.verdict = RowVerdict::NotComparable;
        }
        comparison.metrics.push_back({metric, figure});
    }
    return comparison;
}

} // namespace jetscope
