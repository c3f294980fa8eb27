// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/compare/capturecomparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace jetscope {

namespace {

std::string decimals(double value, int places, bool sign = false)
{
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), sign ? "%+.*f" : "%.*f", places, value);
    return text.data();
}

std::string valueText(double value, std::string_view unit, bool sign)
{
    if (unit.empty())
        return decimals(value * 100, 1, sign) + (sign ? " points" : " %");
    if (unit == "bytes")
        return std::abs(value) < 1e6 ? decimals(value / 1e3, 1, sign) + " kB" : decimals(value / 1e6, 2, sign) + " MB";
    return decimals(value, std::abs(value) < 10 ? 3 : 2, sign) + " " + std::string(unit);
}

/// "Period +5.0 %"; "overlap −3.0 points".
std::string changeText(const CaptureMetricRow &row, const ComparedFigure &figure)
{
    std::string label(row.label);
    const bool isShare = row.unit.empty();
    const double change = figure.change();
    constexpr double kManyTimes = 10; // A percentage of a small figure says little.
    if (isShare || !figure.a || std::abs(change) > kManyTimes * std::abs(*figure.a))
        return label + " " + valueText(change, row.unit, true);
    return label + " " + decimals(change / std::abs(*figure.a) * 100, 1, true) + " %";
}

std::string commaJoined(const std::vector<std::string> &parts)
{
    std::string text;
    for (const std::string &part : parts)
        text += (text.empty() ? "" : ", ") + part;
    return text;
}

/// "; largest change of the critical path: kernel sobel (+0.51 ms a frame)": of those with this verdict.
std::string causeText(const CaptureComparison &comparison, RowVerdict verdict)
{
    const auto piece = std::find_if(comparison.path.begin(), comparison.path.end(),
                                    [&](const ComparedPiece &each) { return each.ms.verdict == verdict; });
    if (piece != comparison.path.end())
        return "; largest change of the critical path: " + piece->kind.what + " ("
            + valueText(piece->ms.change(), "ms", true) + " a frame)";
    const auto spans = std::find_if(comparison.spans.begin(), comparison.spans.end(), [&](const ComparedSpans &row) {
        return row.totalMs.verdict == verdict && !isWait(row.kind.category);
    });
    if (spans == comparison.spans.end())
        return {};
    return "; largest change of a span: " + spans->kind.name + " (" + valueText(spans->totalMs.change(), "ms", true)
        + " a frame)";
}

std::string leadWords(const CaptureComparison &comparison, RowVerdict verdict, const std::vector<std::string> &same,
                      const std::vector<std::string> &other)
{
    std::string words = std::string(comparison.sides == ComparedSides::Running ? "The present is " : "B is ")
        + (verdict == RowVerdict::Better ? "better" : "worse") + " than A: " + same.front();
    words += causeText(comparison, verdict) + ".";
    const bool better = verdict == RowVerdict::Better;
    if (same.size() > 1)
        words += std::string(" Also ") + (better ? "better: " : "worse: ") + commaJoined({same.begin() + 1, same.end()})
            + ".";
    if (!other.empty())
        words += std::string(" But ") + (better ? "worse: " : "better: ") + commaJoined(other) + ".";
    return words;
}

std::string wordsOfSpans(const CaptureComparison &comparison)
{
    std::vector<std::string> changed;
    constexpr std::size_t kMostNamed = 3;
    for (const ComparedSpans &row : comparison.spans) {
        const bool differs = row.totalMs.verdict == RowVerdict::Better || row.totalMs.verdict == RowVerdict::Worse;
        if (differs && changed.size() < kMostNamed)
            changed.push_back(row.kind.name + " " + valueText(row.totalMs.change(), "ms", true)
                              + (comparison.perFrame ? " a frame" : " a second"));
    }
    if (changed.empty())
        return {};
    return "these spans differ: " + commaJoined(changed);
}

bool isTooShort(const CaptureComparison &comparison)
{
    const auto isKnown = [](const ComparedFigure &figure) {
        return figure.verdict != RowVerdict::TooFewFrames && figure.verdict != RowVerdict::Unknown;
    };
    return std::none_of(comparison.metrics.begin(), comparison.metrics.end(),
                        [&](const ComparedMetric &metric) { return isKnown(metric.figure); })
        && (comparison.perFrame
            || std::none_of(comparison.spans.begin(), comparison.spans.end(),
                            [&](const ComparedSpans &row) { return isKnown(row.totalMs); }));
}

} // namespace

std::string figureText(std::optional<double> value, std::string_view unit)
{
    return value && std::isfinite(*value) ? valueText(*value, unit, false) : "–";
}

std::string differenceText(const ComparedFigure &figure, std::string_view unit)
{
    const double value = figure.change();
    if (!figure.a || !figure.b || !std::isfinite(value))
        return "–";
    std::string text = valueText(value, unit, true);
    if (!unit.empty() && *figure.a > 0)
        text += " (" + decimals(value / *figure.a * 100, 1, true) + " %)";
    return text;
}

std::string comparisonWords(const CaptureComparison &comparison)
{
    if (!comparison.noVerdict.empty())
        return "No verdict, because " + comparison.noVerdict + ".";
    if (isTooShort(comparison) && comparison.sides == ComparedSides::Running)
        return "Not enough frames yet: A has " + std::to_string(comparison.framesA) + ", the present choices "
            + std::to_string(comparison.framesB) + ".";
    if (isTooShort(comparison))
        return "No verdict, because the captures are too short (" + std::to_string(comparison.framesA) + " and "
            + std::to_string(comparison.framesB) + " frames): record at least 100 frames a side.";
    std::vector<std::string> better;
    std::vector<std::string> worse;
    RowVerdict lead = RowVerdict::Unchanged;
    for (const ComparedMetric &metric : comparison.metrics) {
        const RowVerdict verdict = metric.figure.verdict;
        if (verdict != RowVerdict::Better && verdict != RowVerdict::Worse)
            continue;
        lead = lead == RowVerdict::Unchanged ? verdict : lead;
        (verdict == RowVerdict::Better ? better : worse).push_back(changeText(rowOf(metric.metric), metric.figure));
    }
    if (lead != RowVerdict::Unchanged)
        return leadWords(comparison, lead, lead == RowVerdict::Better ? better : worse,
                         lead == RowVerdict::Better ? worse : better);
    const std::string spans = wordsOfSpans(comparison);
    const ComparedFigure &period = comparison.of(CaptureMetric::Period);
    if (!period.a || !period.b)
        return spans.empty() ? "No span is shown to differ." : "There are no frames to compare; " + spans + ".";
    const std::string words = "No figure of the frames is shown to differ: the period is " + figureText(period.a, "ms")
        + " and " + figureText(period.b, "ms") + " (±" + figureText(period.difference.difference.halfWidth(), "ms")
        + ")";
    return words + (spans.empty() ? "." : ", but " + spans + ".");
}

} // namespace jetscope
