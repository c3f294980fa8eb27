// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/fleet/fleetoutput.h"

#include "app/commandline/jsonvalues.h"
#include "app/commandline/textlayout.h"
#include "core/figures/figuretable.h"

#include <algorithm>
#include <array>

namespace jetscope {

namespace {

constexpr std::size_t kFleetLabel = 10;
constexpr std::size_t kFleetWidth = 100;

GateVerdict verdictOf(const FleetResult &result)
{
    if (!result.noVerdict.empty())
        return GateVerdict::None;
    switch (result.verdict) {
    case Comparison::Better:
        return GateVerdict::Better;
    case Comparison::Worse:
        return GateVerdict::Worse;
    default:
        return GateVerdict::Unchanged;
    }
}

std::string labelOf(const std::string &metric)
{
    for (const FigureRow &row : figureTable())
        if (row.name == metric)
            return std::string(row.label);
    return metric;
}

std::string valueText(const FleetResult &result, double value)
{
    for (const FigureRow &row : figureTable())
        if (row.name == result.metric)
            return figureText(row.figure, value);
    return fixedText(value, 3) + (result.how.unit.empty() ? "" : " " + result.how.unit);
}

std::string rangeText(const FleetResult &result)
{
    return fleetChangeText(result, result.atLeast) + " to " + fleetChangeText(result, result.atMost);
}

/// What stands in the column of the verdict.
std::string remarkOf(const FleetResult &result)
{
    std::string remark(gateWord(verdictOf(result)));
    if (!result.noVerdict.empty())
        return remark;
    remark += result.q < 0.001 ? ", q below 0.001" : ", q " + fixedText(result.q, 3);
    if (!result.fellOut.empty())
        remark += ", " + counted(result.fellOut.size(), "board") + " fell out";
    return remark;
}

std::string tableOf(const FleetComparison &comparison)
{
    std::string text;
    std::string stratum;
    std::size_t width = 0;
    for (const FleetResult &result : comparison.results)
        width = std::max(width, textWidth(labelOf(result.metric)));
    for (const FleetResult &result : comparison.results) {
        if (const std::string words = result.stratum.words(); words != stratum) {
            stratum = words;
            text += "\n" + stratum + ", " + counted(result.boards, "board") + "\n";
        }
        if (!result.noVerdict.empty())
            text += padded("  " + labelOf(result.metric), width + 3) + "no verdict: " + result.noVerdict + "\n";
        else
            text += padded("  " + labelOf(result.metric), width + 3) + rightAligned(valueText(result, result.a), 12)
                + " " + rightAligned(valueText(result, result.b), 12) + " "
                + rightAligned(fleetChangeText(result, result.change), 10) + "  " + padded(rangeText(result), 21)
                + remarkOf(result) + "\n";
    }
    return text;
}

JsonArray stragglersJson(const FleetResult &result)
{
    JsonArray boards;
    for (const Straggler &board : result.fellOut)
        boards.push_back(JsonObject{
            {"board", board.board},
            {"change", jsonNumber(board.change)},
            {"z", jsonNumber(board.z)},
            {"q", JsonValue(board.q)},
            {"verdict", gateWord(board.verdict == Comparison::Worse ? GateVerdict::Worse : GateVerdict::Better)}});
    return boards;
}

JsonObject resultJson(const FleetResult &result)
{
    const bool judged = result.noVerdict.empty();
    const auto number = [&](double value) { return judged ? jsonNumber(value) : JsonValue(); };
    return {{"soc", result.stratum.soc},
            {"jetpack", result.stratum.jetpack},
            {"power_mode", jsonTextOrNull(result.stratum.powerMode)},
            {"config_hash", result.stratum.configHash},
            {"metric", result.metric},
            {"unit", result.how.unit},
            {"scale", result.how.byDifference ? kByDifference : kByRatio},
            {"boards", result.boards},
            {"runs_a", result.runsA},
            {"runs_b", result.runsB},
            {"a", number(result.a)},
            {"b", number(result.b)},
            {"change", number(result.change)},
            {"at_least", number(result.atLeast)},
            {"at_most", number(result.atMost)},
            {"p", judged ? JsonValue(result.p) : JsonValue()},
            {"q", judged ? JsonValue(result.q) : JsonValue()},
            {"verdict", gateWord(verdictOf(result))},
            {"no_verdict", jsonTextOrNull(result.noVerdict)},
            {"fell_out", stragglersJson(result)}};
}

} // namespace

std::string fleetText(const FleetComparison &comparison)
{
    std::string text = hangingParagraph("Result", fleetWords(comparison), kFleetLabel, kFleetWidth) + "\n";
    text += hangingParagraph("A", comparison.nameA, kFleetLabel, kFleetWidth);
    text += hangingParagraph("B", comparison.nameB, kFleetLabel, kFleetWidth);
    for (const std::string &note : comparison.notes)
        text += hangingParagraph("Note", note, kFleetLabel, kFleetWidth);
    return text + tableOf(comparison);
}

JsonObject fleetJson(const FleetComparison &comparison)
{
    JsonArray results;
    for (const FleetResult &result : comparison.results)
        results.push_back(resultJson(result));
    return {{"a", comparison.nameA},
            {"b", comparison.nameB},
            {"summary", fleetWords(comparison)},
            {"no_verdict", jsonTextOrNull(comparison.noVerdict)},
            {"results", results},
            {"notes", comparison.notes}};
}

GateReport gateOf(const FleetComparison &comparison)
{
    GateReport report;
    report.words = fleetWords(comparison);
    report.nameA = comparison.nameA;
    report.nameB = comparison.nameB;
    report.notes = comparison.notes;
    report.noVerdict = comparison.noVerdict;
    const auto addWorse = [&](const std::string &what) { report.worse += (report.worse.empty() ? "" : ", ") + what; };
    for (const FleetResult &result : comparison.results) {
        GateRow row;
        row.group = result.stratum.words();
        row.metric = result.metric;
        row.label = labelOf(result.metric);
        row.unit = result.how.unit;
        row.higherIsBetter = result.how.higherIsBetter;
        row.verdict = verdictOf(result);
        row.reason = result.noVerdict;
        if (result.noVerdict.empty()) {
            row.a = result.a;
            row.b = result.b;
            row.texts[0] = valueText(result, result.a);
            row.texts[1] = valueText(result, result.b);
            row.change = fleetChangeText(result, result.change);
            row.range = rangeText(result);
        }
        if (row.verdict == GateVerdict::Worse)
            addWorse(row.label + " " + row.change + " of " + row.group);
        for (const Straggler &board : result.fellOut)
            if (board.verdict == Comparison::Worse) {
                addWorse(row.label + " " + fleetChangeText(result, board.change) + " of the board " + board.board);
                row.verdict = GateVerdict::Worse; // Or the case would pass beside an exit code of 1.
                row.change +=
                    (row.change.empty() ? "" : "; ") + board.board + " " + fleetChangeText(result, board.change);
            }
        report.rows.push_back(std::move(row));
    }
    return report;
}

} // namespace jetscope
