// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/compare/capturecomparison.h"

#include "core/text/numbertext.h"
#include "core/text/shorttext.h"

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

/// "Period +0.510 ms (+5.0 %; +0.430 to +0.590 ms)".
std::string wordsOfChange(const FigureRow &row, const ComparedFigure &figure)
{
    return std::string(row.label) + " " + changeWithInterval(figure, row.unit);
}

/// "; largest change of the critical path: kernel sobel (+0.51 ms a frame)": of those with this verdict.
std::string causeText(const CaptureComparison &comparison, RowVerdict verdict)
{
    const auto piece = std::find_if(comparison.path.begin(), comparison.path.end(),
                                    [&](const ComparedPiece &each) { return each.ms.verdict == verdict; });
    if (piece != comparison.path.end())
        return "; largest change of the critical path: " + piece->kind.what + " ("
            + changeWithInterval(piece->ms, FigureUnit::Milliseconds) + " a frame)";
    const auto spans = std::find_if(comparison.spans.begin(), comparison.spans.end(), [&](const ComparedSpans &row) {
        return row.totalMs.verdict == verdict && !isWait(row.kind.category);
    });
    if (spans == comparison.spans.end())
        return {};
    return "; largest change of a span: " + spans->kind.name + " ("
        + changeWithInterval(spans->totalMs, FigureUnit::Milliseconds) + " a frame)";
}

std::string leadWords(const CaptureComparison &comparison, RowVerdict verdict, const std::vector<std::string> &same,
                      const std::vector<std::string> &other)
{
    std::string words = std::string(comparison.sides == ComparedSides::Running ? "The present is " : "B is ")
        + (verdict == RowVerdict::Better ? "better" : "worse") + " than " + comparison.nameA + ": " + same.front();
    words += causeText(comparison, verdict) + ".";
    const bool better = verdict == RowVerdict::Better;
    if (same.size() > 1)
        words += std::string(" Also ") + (better ? "better: " : "worse: ")
            + joined({same.begin() + 1, same.end()}, ", ") + ".";
    if (!other.empty())
        words += std::string(" But ") + (better ? "worse: " : "better: ") + joined(other, ", ") + ".";
    return words;
}

std::string wordsOfSpans(const CaptureComparison &comparison)
{
    std::vector<std::string> changed;
    constexpr std::size_t kMaxNamed = 3;
    for (const ComparedSpans &row : comparison.spans) {
        if (row.totalMs.differs() && changed.size() < kMaxNamed)
            changed.push_back(row.kind.name + " " + changeWithInterval(row.totalMs, FigureUnit::Milliseconds)
                              + (comparison.perFrame ? " a frame" : " a second"));
    }
    if (changed.empty())
        return {};
    return "these spans differ: " + joined(changed, ", ");
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

std::string resultWords(const CaptureComparison &comparison)
{
    if (!comparison.noVerdict.empty())
        return "No verdict, because " + comparison.noVerdict + ".";
    if (isTooShort(comparison) && comparison.sides == ComparedSides::Running)
        return "Not enough frames yet: " + comparison.nameA + " has " + std::to_string(comparison.framesA)
            + ", the present choices " + std::to_string(comparison.framesB) + ".";
    if (isTooShort(comparison))
        return "No verdict, because the captures are too short (" + std::to_string(comparison.framesA) + " and "
            + std::to_string(comparison.framesB) + " frames): record at least 100 frames a side.";
    std::vector<std::string> better;
    std::vector<std::string> worse;
    std::vector<std::string> shares; // Overlap and what could be saved: by themselves they make no side better.
    RowVerdict lead = RowVerdict::Unchanged;
    for (const ComparedMetric &metric : comparison.metrics) {
        if (!metric.figure.differs())
            continue;
        const RowVerdict verdict = metric.figure.verdict;
        const bool isShare = rowOf(metric.metric).sum == FigureSum::Pooled;
        if (lead == RowVerdict::Unchanged && !isShare)
            lead = verdict;
        (isShare                             ? shares
             : verdict == RowVerdict::Better ? better
                                             : worse)
            .push_back(wordsOfChange(rowOf(metric.metric), metric.figure));
    }
    const std::string alsoShares = shares.empty() ? "" : " Besides: " + joined(shares, ", ") + ".";
    if (lead != RowVerdict::Unchanged)
        return leadWords(comparison, lead, lead == RowVerdict::Better ? better : worse,
                         lead == RowVerdict::Better ? worse : better)
            + alsoShares;
    const std::string spans = wordsOfSpans(comparison);
    const ComparedFigure &period = comparison.of(Figure::Period);
    if (!period.a || !period.b)
        return (spans.empty() ? "No span is shown to differ." : "There are no frames to compare; " + spans + ".")
            + alsoShares;
    const std::string which = shares.empty() ? "figure" : "time";
    const std::string words = "No " + which + " of the frames is shown to differ: the period is "
        + figureText(Figure::Period, period.a) + " and " + figureText(Figure::Period, period.b) + " (±"
        + figureText(Figure::Period, period.difference.difference.halfWidth()) + ")";
    return words + (spans.empty() ? "." : ", but " + spans + ".") + alsoShares;
}

} // namespace

std::string intervalText(const ComparedFigure &figure, FigureUnit unit)
{
    const Estimate &interval = figure.difference.difference;
    if (!figure.isStated() || !std::isfinite(interval.halfWidth()))
        return "–";
    const std::string least = changeText(unit, interval.atLeast);
    const std::string most = changeText(unit, interval.atMost);
    // A unit that both have is written once.
    const std::size_t number = least.find(' ');
    const bool isSame = number != std::string::npos && most.ends_with(least.substr(number));
    return (isSame ? least.substr(0, number) : least) + " to " + most;
}

std::string differenceText(const ComparedFigure &figure, FigureUnit unit)
{
    const double value = figure.change();
    if (!figure.isStated() || !std::isfinite(value))
        return "–";
    std::string text = changeText(unit, value);
    constexpr double kManyTimes = 10; // A percentage of a small figure says little.
    if (unit != FigureUnit::Share && *figure.a > 0 && std::abs(value) <= kManyTimes * *figure.a)
        text += " (" + signedText(value / *figure.a * 100, 1) + " %)";
    return text;
}

std::string changeWithInterval(const ComparedFigure &figure, FigureUnit unit)
{
    std::string change = differenceText(figure, unit);
    const std::string interval = intervalText(figure, unit);
    if (interval == "–")
        return change;
    if (!change.ends_with(')'))
        return change + " (" + interval + ")";
    change.pop_back();
    return change + "; " + interval + ")";
}

std::string comparisonWords(const CaptureComparison &comparison)
{
    const bool isOther = !comparison.otherWork.empty() && comparison.noVerdict.empty();
    return (isOther ? "Different work is compared: " + comparison.otherWork + ". " : std::string())
        + resultWords(comparison);
}

} // namespace jetscope
