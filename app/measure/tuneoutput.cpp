// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/measure/tuneoutput.h"

#include "app/commandline/jsonvalues.h"
#include "app/commandline/textlayout.h"
#include "core/measure/sweep/sweepsummary.h"
#include "core/settings/settingtable.h"
#include "core/text/numbertext.h"
#include "core/text/shorttext.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace jetscope {

namespace {

constexpr std::size_t kTuneWidth = 100;
constexpr std::size_t kTuneLabelWidth = 12;

std::string tuneRow(std::string_view label, std::string_view text)
{
    return hangingParagraph(label, text, kTuneLabelWidth, kTuneWidth);
}

/// "−4.1 to −2.0 %": the interval of the ratio.
std::string intervalWords(const Estimate &ratio)
{
    return signedText((ratio.atLeast - 1) * 100, 1) + " to " + signedText((ratio.atMost - 1) * 100, 1) + " %";
}

/// "12.0 % shorter period (-13.1 to -10.8 %)". Few turns are progress of the search, and no result.
std::string differenceWords(const Difference &difference, Figure metric)
{
    const double change = difference.ratio.value - 1;
    if (!difference.enough || !std::isfinite(change))
        return "no result after " + counted(difference.units, "turn");
    if (difference.verdict == Comparison::Unchanged)
        return "no difference beyond the noise (" + intervalWords(difference.ratio) + ")";
    return fixedText(std::abs(change) * 100, 1) + " % " + (change < 0 ? "shorter " : "longer ") + figurePhrase(metric)
        + " (" + intervalWords(difference.ratio) + ")";
}

std::string changeWords(const Tuner &tuner, std::size_t from, std::size_t to)
{
    const std::string change = describeChange(tuner.cells()[from].config, tuner.cells()[to].config);
    return change.empty() ? "the same choices" : change;
}

std::string outcomeWords(const TunerTry &tried, Figure metric)
{
    if (!tried.failure.empty())
        return "failed: " + tried.failure;
    // A race drops a cell by the noise of all cells, which may show more than its own turns do.
    if (tried.dropped && (!tried.difference.enough || tried.difference.verdict == Comparison::Unchanged))
        return "set aside after " + counted(tried.difference.units, "turn");
    return differenceWords(tried.difference, metric) + (tried.dropped ? ", set aside early" : "");
}

/// "*": shown to be the best of its race; ">": the search goes on with it.
std::string markOf(const TunerStep &step, const TunerTry &tried)
{
    return tried.cell != step.winner ? "  " : step.isShown ? "* " : "> ";
}

std::string stepText(const Tuner &tuner, const TunerStep &step, Figure metric)
{
    std::string text = step.what + ":\n";
    for (const TunerTry &each : step.tries)
        text += "  " + markOf(step, each) + padded(changeWords(tuner, step.champion, each.cell), 46)
            + outcomeWords(each, metric) + "\n";
    return text;
}

std::string resultText(const Tuner &tuner, Figure metric)
{
    if (tuner.best() == tuner.start())
        return "nothing that was tried is shown to beat the present choices";
    const std::string change = changeWords(tuner, tuner.start(), tuner.best());
    if (tuner.improvement())
        return change + ": " + differenceWords(*tuner.improvement(), metric) + ", checked by turns";
    return change + " is ahead, and the search ended before this was checked by turns: give it more --time";
}

/// The values that a setting has in the cells, in the order of the plan.
std::vector<std::string> valuesOf(const SettingRow &row, const std::vector<SweepCell> &cells)
{
    std::vector<std::string> values;
    for (const SweepCell &cell : cells)
        if (std::string value = row.text(cell.config, "+");
            std::find(values.begin(), values.end(), value) == values.end())
            values.push_back(std::move(value));
    return values;
}

/// "memory pinned, zero-copy; sync stream, event": the choices that vary, or those that do not.
std::string settingsWords(const Tuner &tuner, bool vary)
{
    std::string words;
    for (const SettingRow &row : settingTable()) {
        const std::vector<std::string> values = valuesOf(row, tuner.cells());
        if (row.isSwept() && !row.isWork() && (values.size() > 1) == vary)
            words += (words.empty() ? "" : "; ") + std::string(row.key) + " " + joined(values, ", ");
    }
    return words.empty() ? "nothing" : words;
}

/// "filters none, CPU work off"
std::string workWords(const PipelineConfig &config)
{
    std::string words;
    for (const SettingRow &row : settingTable())
        if (row.isWork())
            words += (words.empty() ? "" : "; ") + std::string(row.key) + " " + row.work.of(config);
    return words;
}

JsonObject spaceJson(const Tuner &tuner)
{
    JsonObject space;
    for (const SettingRow &row : settingTable())
        if (const std::vector<std::string> values = valuesOf(row, tuner.cells()); values.size() > 1)
            space[row.column()] = values;
    return space;
}

JsonObject differenceJson(const Difference &difference)
{
    const auto known = [&](double value) {
        return jsonNumber(difference.enough ? std::optional(value) : std::nullopt);
    };
    return {{"ratio", known(difference.ratio.value)},
            {"at_least", known(difference.ratio.atLeast)},
            {"at_most", known(difference.ratio.atMost)},
            {"turns", difference.units},
            {"verdict", difference.enough ? JsonValue(verdictName(difference.verdict)) : JsonValue()}};
}

} // namespace

JsonObject tuneStepJson(const Tuner &tuner, const TunerStep &step, Figure metric)
{
    JsonArray tries;
    for (const TunerTry &each : step.tries) {
        JsonObject tried = differenceJson(each.difference);
        tried["choices"] = settingsJson(tuner.cells()[each.cell].config);
        tried["change"] = changeWords(tuner, step.champion, each.cell);
        tried["outcome"] = outcomeWords(each, metric);
        tried["won"] = each.cell == step.winner;
        tried["shown"] = each.cell == step.winner && step.isShown;
        tried["failure"] = jsonTextOrNull(each.failure);
        tried["dropped"] = each.dropped;
        tries.push_back(tried);
    }
    return {{"what", step.what},
            {"from", settingsJson(tuner.cells()[step.champion].config)},
            {"winner", settingsJson(tuner.cells()[step.winner].config)},
            {"tries", tries}};
}

std::string tuneText(const Tuner &tuner, const SweepConditions &conditions)
{
    const Figure metric = conditions.figure();
    std::string text = tuneRow("Device", conditions.deviceName) + tuneRow("Source", conditions.source)
        + tuneRow("Same work", workWords(tuner.cells()[tuner.start()].config))
        + tuneRow("Open", settingsWords(tuner, true)) + tuneRow("Fixed", settingsWords(tuner, false))
        + tuneRow("Ranked by", rankingWords(metric, conditions)) + "\n";
    for (const TunerStep &step : tuner.steps())
        text += stepText(tuner, step, metric);
    text += "\n" + tuneRow("Result", resultText(tuner, metric));
    text += tuneRow("Measured",
                    std::to_string(tuner.measuredCells()) + " of " + counted(tuner.cells().size(), "combination")
                        + " in " + fixedText(tuner.elapsedSeconds(), 1) + " s. " + tuner.reason());
    return text + tuneRow("Marks", "* shown to be the best of its race, > the search went on with it");
}

JsonObject tuneJson(const Tuner &tuner, const SweepConditions &conditions)
{
    const Figure metric = conditions.figure();
    JsonArray steps;
    for (const TunerStep &step : tuner.steps())
        steps.push_back(tuneStepJson(tuner, step, metric));
    return {{"device", conditions.deviceName},
            {"source", conditions.source},
            {"ranked_by", rowOf(metric).name},
            {"space", spaceJson(tuner)},
            {"from", settingsJson(tuner.cells()[tuner.start()].config)},
            {"best", settingsJson(tuner.cells()[tuner.best()].config)},
            {"improvement", tuner.improvement() ? JsonValue(differenceJson(*tuner.improvement())) : JsonValue()},
            {"result", resultText(tuner, metric)},
            {"steps", steps},
            {"measured", tuner.measuredCells()},
            {"combinations", tuner.cells().size()},
            {"seconds", tuner.elapsedSeconds()},
            {"reason", tuner.reason()}};
}

} // namespace jetscope
