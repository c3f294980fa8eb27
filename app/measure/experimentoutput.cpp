// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/measure/experimentoutput.h"

#include "app/commandline/jsonvalues.h"
#include "app/commandline/textlayout.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace jetscope {

namespace {

constexpr std::size_t kExperimentLabel = 12;
constexpr std::size_t kExperimentWidth = 110;
constexpr std::size_t kFigureColumn = 20;

std::string experimentHead(const ExperimentInfo &info, const std::string &device)
{
    return std::string(info.name) + " on " + device + "\n"
        + hangingParagraph("Question", info.question, kExperimentLabel, kExperimentWidth)
        + hangingParagraph("Varied", info.varies, kExperimentLabel, kExperimentWidth);
}

std::string variantFigureText(const Estimate &estimate, const ExperimentColumn &column)
{
    std::string text = experimentValue(estimate.value, column);
    const double half = estimate.halfWidth();
    if (!std::isfinite(half) || !(estimate.value > 0))
        return text;
    if (column.method.scale == Scale::Difference)
        return text + " ±" + fixedText(std::ceil(half), 0);
    return text + " ±" + fixedText(std::ceil(100 * half / estimate.value), 0) + "%";
}

JsonObject variantFigureJson(const RoundSeries &series, const ExperimentColumn &column)
{
    if (!series.failure.empty() || series.count() == 0)
        return {{"column", column.name},
                {"unavailable", series.failure.empty() ? "it was not measured" : series.failure}};
    const Estimate estimate = series.estimate();
    return {{"column", column.name},
            {"unit", column.unit},
            {"value", jsonNumber(estimate.value)},
            {"at_least", jsonNumber(estimate.atLeast)},
            {"at_most", jsonNumber(estimate.atMost)},
            {"rounds", series.count()}};
}

JsonObject experimentHeadJson(const ExperimentInfo &info, const std::string &device)
{
    return {{"experiment", info.name},
            {"device", device},
            {"question", info.question},
            {"varies", info.varies},
            {"teaches", info.teaches}};
}

JsonObject conclusionJson(const ExperimentResult &result, const ExperimentConclusion &conclusion)
{
    const ExperimentComparison &of = conclusion.comparison;
    return {
        {"text", conclusion.text},
        {"a", result.design.variants[of.a]},
        {"b", result.design.variants[of.b]},
        {"column", result.design.columns[of.column].name},
        {"verdict", conclusion.difference.enough ? verdictName(conclusion.difference.verdict) : JsonValue("unknown")},
        {"ratio", jsonNumber(conclusion.difference.ratio.value)},
        {"ratio_at_least", jsonNumber(conclusion.difference.ratio.atLeast)},
        {"ratio_at_most", jsonNumber(conclusion.difference.ratio.atMost)}};
}

/// The differences one by one, then for each column and variant those that do not differ from it.
std::string conclusionsText(const ExperimentResult &result)
{
    std::string differing;
    if (const std::string answer = answerOf(result); !answer.empty())
        differing += hangingParagraph("  -", answer, 4, kExperimentWidth);
    std::map<std::pair<std::size_t, std::size_t>, std::string> same; // By column and variant a: names.
    for (const ExperimentConclusion &conclusion : concludeExperiment(result)) {
        const ExperimentComparison &of = conclusion.comparison;
        if (!conclusion.difference.enough || conclusion.difference.verdict != Comparison::Unchanged) {
            differing += hangingParagraph("  -", conclusion.text, 4, kExperimentWidth);
            continue;
        }
        std::string &names = same[{of.column, of.a}];
        names += (names.empty() ? "" : "; ") + result.design.variants[of.b];
    }
    for (const auto &[of, names] : same)
        differing += hangingParagraph("  -",
                                      "No difference beyond noise in " + result.design.columns[of.first].name
                                          + " compared with " + result.design.variants[of.second] + ": " + names + ".",
                                      4, kExperimentWidth);
    return differing.empty() ? "  - There is nothing to compare.\n" : differing;
}

} // namespace

std::string experimentListText()
{
    std::string text;
    for (const ExperimentInfo &info : experimentTable())
        text += std::string(info.name) + "\n"
            + hangingParagraph("  question", info.question, kExperimentLabel, kExperimentWidth)
            + hangingParagraph("  varied", info.varies, kExperimentLabel, kExperimentWidth)
            + hangingParagraph("  takes", info.lasts, kExperimentLabel, kExperimentWidth)
            + hangingParagraph("  teaches", info.teaches, kExperimentLabel, kExperimentWidth);
    return text + "\nRun one with: jetscope experiment NAME\n";
}

JsonObject experimentListJson()
{
    JsonArray rows;
    for (const ExperimentInfo &info : experimentTable())
        rows.push_back(JsonObject{{"name", info.name},
                                  {"question", info.question},
                                  {"varies", info.varies},
                                  {"lasts", info.lasts},
                                  {"teaches", info.teaches}});
    return {{"experiments", rows}};
}

std::string experimentText(const ExperimentResult &result)
{
    const ExperimentDesign &design = result.design;
    std::size_t width = kExperimentLabel;
    for (const std::string &variant : design.variants)
        width = std::max(width, textWidth(variant) + 2);
    std::string text = experimentHead(*result.info, result.device)
        + hangingParagraph("Measured", counted(result.rounds, "round") + "; medians with their 99 % interval",
                           kExperimentLabel, kExperimentWidth)
        + "\n" + padded("", width);
    for (std::size_t i = 0; i < design.columns.size(); ++i)
        text += rightAligned("(" + std::to_string(i + 1) + ")", kFigureColumn);
    text += "\n";
    std::string absent;
    for (std::size_t i = 0; i < design.variants.size(); ++i) {
        const RoundSeries &first = result.figures[i].front();
        if (!first.failure.empty()) {
            absent += hangingParagraph("  -", design.variants[i] + ": " + first.failure, 4, kExperimentWidth);
            continue;
        }
        text += padded(design.variants[i], width);
        for (std::size_t column = 0; column < design.columns.size(); ++column)
            text += rightAligned(variantFigureText(result.figures[i][column].estimate(), design.columns[column]),
                                 kFigureColumn);
        text += "\n";
    }
    text += absent;
    for (std::size_t i = 0; i < design.columns.size(); ++i)
        text += "(" + std::to_string(i + 1) + ") " + design.columns[i].name + "\n";
    return text + "\nConclusion\n" + conclusionsText(result)
        + hangingParagraph("Background", result.info->teaches, kExperimentLabel, kExperimentWidth);
}

JsonObject experimentJson(const ExperimentResult &result)
{
    JsonObject json = experimentHeadJson(*result.info, result.device);
    json["rounds"] = result.rounds;
    JsonArray variants;
    for (std::size_t i = 0; i < result.design.variants.size(); ++i) {
        JsonArray figures;
        for (std::size_t column = 0; column < result.design.columns.size(); ++column)
            figures.push_back(variantFigureJson(result.figures[i][column], result.design.columns[column]));
        variants.push_back(JsonObject{{"name", result.design.variants[i]}, {"figures", figures}});
    }
    json["variants"] = variants;
    JsonArray conclusions;
    for (const ExperimentConclusion &conclusion : concludeExperiment(result))
        conclusions.push_back(conclusionJson(result, conclusion));
    json["conclusions"] = conclusions;
    json["answer"] = jsonTextOrNull(answerOf(result));
    return json;
}

std::string unavailableExperimentText(const ExperimentInfo &info, const std::string &device, const std::string &reason)
{
    return experimentHead(info, device) + hangingParagraph("Unavailable", reason, kExperimentLabel, kExperimentWidth);
}

JsonObject unavailableExperimentJson(const ExperimentInfo &info, const std::string &device, const std::string &reason)
{
    JsonObject json = experimentHeadJson(info, device);
    json["unavailable"] = reason;
    return json;
}

} // namespace jetscope
