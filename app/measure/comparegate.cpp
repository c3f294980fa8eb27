// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/measure/comparegate.h"

#include "core/text/shorttext.h"

namespace jetscope {

namespace {

GateVerdict verdictOf(RowVerdict verdict)
{
    switch (verdict) {
    case RowVerdict::Better:
        return GateVerdict::Better;
    case RowVerdict::Worse:
        return GateVerdict::Worse;
    case RowVerdict::Unchanged:
        return GateVerdict::Unchanged;
    default:
        return GateVerdict::None;
    }
}

GateRow gateRow(const ComparedFigure &figure, Figure of, const std::string &group, const std::string &noVerdict)
{
    const FigureRow &facts = rowOf(of);
    GateRow row;
    row.group = group;
    row.metric = facts.name;
    row.label = facts.label;
    row.unit = unitName(facts.unit);
    row.higherIsBetter = facts.direction == Direction::HigherIsBetter;
    row.a = figure.a;
    row.b = figure.b;
    row.texts[0] = figureText(facts.unit, figure.a);
    row.texts[1] = figureText(facts.unit, figure.b);
    row.change = differenceText(figure, facts.unit);
    row.range = intervalText(figure, facts.unit);
    row.verdict = noVerdict.empty() ? verdictOf(figure.verdict) : GateVerdict::None;
    if (row.verdict != GateVerdict::None)
        return row;
    row.reason = !noVerdict.empty() ? noVerdict
        : figure.a && !figure.b     ? "A has this figure, and B has not"
        : figure.b && !figure.a     ? "B has this figure, and A has not"
                                    : std::string(verdictName(figure.verdict));
    return row;
}

/// Adds a row, and what it means for the whole.
void addRow(GateReport &report, GateRow row, const ComparedFigure &figure, Figure of, double percent)
{
    constexpr double kRounding = 1e-9;
    const std::optional<double> share = worseBy(figure, of);
    if (row.verdict == GateVerdict::Worse && share && *share * 100 >= percent - kRounding)
        report.worse +=
            (report.worse.empty() ? "" : ", ") + (row.group.empty() ? row.label : row.group) + " " + row.change;
    // What A could tell, B must tell, too: a GPU that is gone is no improvement.
    if (report.noVerdict.empty() && row.verdict == GateVerdict::None && figure.a && !figure.b)
        report.noVerdict = row.label + (row.group.empty() ? "" : " of " + row.group) + ": " + row.reason;
    report.rows.push_back(std::move(row));
}

void finishGateReport(GateReport &report, const std::string &noVerdict)
{
    bool answered = false;
    for (const GateRow &row : report.rows)
        answered = answered || row.verdict != GateVerdict::None;
    if (!noVerdict.empty())
        report.noVerdict = noVerdict;
    else if (!answered && report.rows.empty())
        report.noVerdict = "nothing was recorded that could be compared";
    else if (!answered)
        report.noVerdict = report.rows.front().label + ": " + report.rows.front().reason;
}

std::vector<GateHazard> hazardsOf(const ComparedCaptures &captures)
{
    std::vector<GateHazard> hazards;
    for (const CaptureHazard &seen : captures.hazardsOfB) {
        GateHazard hazard;
        hazard.rule = seen.mark.rule;
        hazard.text = seen.mark.text;
        hazard.fix = seen.mark.fix;
        hazard.capture = seen.file;
        hazard.count = seen.count;
        hazard.title = hazard.rule;
        hazard.level = "error";
        if (const auto id = ruleNamed(hazard.rule)) {
            hazard.title = ruleOf(*id).title;
            hazard.level = nameOf(ruleOf(*id).level);
        }
        findPlace(hazard, hazard.text);
        for (const auto &access : {seen.mark.second, seen.mark.first})
            if (access && hazard.file.empty())
                findPlace(hazard, access->what);
        hazards.push_back(std::move(hazard));
    }
    return hazards;
}

} // namespace

GateReport gateOf(const Options &options, const ComparedCaptures &captures, const CaptureComparison &comparison,
                  double percent)
{
    GateReport report;
    report.words = comparisonWords(comparison);
    report.nameA = options.gate.against.value_or(joined(options.compare.a, ", "));
    report.nameB = joined(options.compare.b, ", ");
    report.notes = captures.notes;
    report.hazards = hazardsOf(captures);
    for (const ComparedMetric &metric : comparison.metrics)
        if (metric.figure.a || metric.figure.b)
            addRow(report, gateRow(metric.figure, metric.metric, {}, comparison.noVerdict), metric.figure,
                   metric.metric, percent);
    finishGateReport(report, comparison.noVerdict);
    return report;
}

GateReport gateOf(const Options &options, const SweepComparison &comparison, double percent)
{
    GateReport report;
    report.words = comparisonWords(comparison);
    report.nameA = joined(options.compare.a, ", ");
    report.nameB = joined(options.compare.b, ", ");
    for (const ComparedCell &cell : comparison.cells) {
        GateRow row = gateRow(cell.figure, comparison.metric, cell.words, comparison.noVerdict);
        if (!cell.failure.empty())
            row.reason = cell.failure;
        addRow(report, std::move(row), cell.figure, comparison.metric, percent);
    }
    finishGateReport(report, comparison.noVerdict);
    return report;
}

} // namespace jetscope
