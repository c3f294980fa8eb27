// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/compare/capturecomparison.h"

#include "core/figures/averages.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace jetscope {

namespace {

constexpr std::size_t kMaxSpanRows = 50;
/// Spans that take less than this share of the period have no row.
constexpr double kMinShareOfRow = 0.001;
constexpr double kFamilyError = 0.01;
/// Differences below this are of no interest, however certain: ms per frame.
constexpr double kMinMs = 0.001;

std::optional<double> medianOfCaptures(std::vector<double> values)
{
    std::erase_if(values, [](double value) { return !std::isfinite(value); });
    return values.empty() ? std::nullopt : std::optional(medianOf(std::move(values)));
}

/// Batches of each capture of a side, and the figure of each to display.
struct SideFigures {
    std::vector<CaptureBatches> batches;
    std::vector<double> values;
};

/// The least lower bound of a side if one of its figures is only an upper bound.
std::optional<double> boundOf(CaptureSide side, Figure figure)
{
    const auto index = static_cast<std::size_t>(figure);
    std::optional<double> least;
    bool isBound = false;
    for (const CaptureFigures &capture : side) {
        const std::optional<double> &most = capture.values[index];
        const std::optional<double> &lower = capture.leasts[index];
        if (!lower || !most)
            continue;
        isBound = isBound || *lower < *most;
        least = std::min(least.value_or(*lower), *lower);
    }
    return isBound ? least : std::nullopt;
}

/// The true figures lie anywhere between the bounds: without a gap between both sides there is no difference.
void judgeBounds(ComparedFigure &figure)
{
    if (!figure.a || !figure.b)
        return;
    const bool overlap =
        figure.aAtLeast.value_or(*figure.a) <= *figure.b && figure.bAtLeast.value_or(*figure.b) <= *figure.a;
    if (overlap && figure.differs())
        figure.verdict = RowVerdict::Unchanged;
}

ComparedFigure comparedFigure(const SideFigures &a, const SideFigures &b, const ComparisonMethod &method)
{
    ComparedFigure figure;
    figure.a = medianOfCaptures(a.values);
    figure.b = medianOfCaptures(b.values);
    figure.difference = compareUnpaired(a.batches, b.batches, method);
    judge(figure, method);
    return figure;
}

/// A share is from 0 to 1, and so is what it can become.
void keepShare(ComparedFigure &figure)
{
    Estimate &interval = figure.difference.difference;
    if (!figure.a || !std::isfinite(interval.halfWidth())) // Unknown limits stay unknown.
        return;
    interval.atLeast = std::max(interval.atLeast, -std::max(*figure.a, 0.0));
    interval.atMost = std::min(interval.atMost, 1 - std::min(*figure.a, 1.0));
}

SideFigures metricOf(CaptureSide side, Figure metric)
{
    SideFigures figures;
    for (const CaptureFigures &capture : side) {
        figures.batches.push_back(capture.metrics[static_cast<std::size_t>(metric)]);
        if (const auto value = capture.values[static_cast<std::size_t>(metric)])
            figures.values.push_back(*value);
    }
    return figures;
}

void compareMetrics(CaptureComparison &comparison, CaptureSide a, CaptureSide b)
{
    double others = 0;
    for (const Figure metric : captureFigures())
        others += !metricOf(a, metric).values.empty() && !metricOf(b, metric).values.empty() ? 1 : 0;
    for (const Figure metric : captureFigures()) {
        ComparisonMethod method = methodOf(metric);
        if (metric != Figure::Period)
            method.error = kFamilyError / std::max(1.0, others - 1);
        comparison.metrics.push_back({metric, comparedFigure(metricOf(a, metric), metricOf(b, metric), method)});
        if (rowOf(metric).unit == FigureUnit::Share)
            keepShare(comparison.metrics.back().figure);
        if (!rowOf(metric).leastOfFrame)
            continue;
        ComparedFigure &figure = comparison.metrics.back().figure;
        figure.aAtLeast = boundOf(a, metric);
        figure.bAtLeast = boundOf(b, metric);
        judgeBounds(figure);
    }
}

ComparisonMethod methodOfRows(std::size_t rows)
{
    ComparisonMethod method;
    method.error = kFamilyError / static_cast<double>(std::max<std::size_t>(1, rows));
    method.leastInUnit = kMinMs;
    return method;
}

bool isGreaterChange(const ComparedFigure &a, const ComparedFigure &b)
{
    return std::abs(a.change()) > std::abs(b.change());
}

SideFigures pieceOf(CaptureSide side, const PieceKind &kind)
{
    SideFigures figures;
    for (const CaptureFigures &capture : side) {
        if (capture.pathPieces == 0)
            continue;
        const auto found = capture.path.find(kind);
        figures.batches.push_back(found == capture.path.end() ? CaptureBatches(capture.pathPieces) : found->second);
        figures.values.push_back(figureOfBatches(figures.batches.back()));
    }
    return figures;
}

bool hasPath(CaptureSide side)
{
    return std::any_of(side.begin(), side.end(), [](const CaptureFigures &capture) { return capture.pathPieces > 0; });
}

void comparePaths(CaptureComparison &comparison, CaptureSide a, CaptureSide b)
{
    if (!hasPath(a) || !hasPath(b))
        return;
    std::set<PieceKind> kinds;
    for (const CaptureSide side : {a, b})
        for (const CaptureFigures &capture : side)
            for (const auto &[kind, batches] : capture.path)
                kinds.insert(kind);
    const ComparisonMethod method = methodOfRows(kinds.size());
    for (const PieceKind &kind : kinds)
        comparison.path.push_back({kind, comparedFigure(pieceOf(a, kind), pieceOf(b, kind), method)});
    std::stable_sort(comparison.path.begin(), comparison.path.end(),
                     [](const ComparedPiece &x, const ComparedPiece &y) { return isGreaterChange(x.ms, y.ms); });
}

SideFigures totalOf(CaptureSide side, const SpanKind &kind)
{
    SideFigures figures;
    for (const CaptureFigures &capture : side) {
        const auto found = capture.spans.find(kind);
        figures.batches.push_back(found == capture.spans.end() ? CaptureBatches(capture.pieces)
                                                               : found->second.totalMs);
        figures.values.push_back(figureOfBatches(figures.batches.back()));
    }
    return figures;
}

SideFigures durationOf(CaptureSide side, const SpanKind &kind)
{
    SideFigures figures;
    for (const CaptureFigures &capture : side)
        if (const auto found = capture.spans.find(kind); found != capture.spans.end()) {
            figures.batches.push_back(found->second.medianMs);
            figures.values.push_back(found->second.medianOfAllMs);
        }
    return figures;
}

double meanOfPieces(const CaptureBatches &batches)
{
    double sum = 0;
    for (const double value : batches)
        sum += value;
    return batches.empty() ? 0 : sum / static_cast<double>(batches.size());
}

/// The kinds of spans that have a row: those that take the most time on either side.
std::vector<SpanKind> spanRows(CaptureComparison &comparison, CaptureSide a, CaptureSide b)
{
    std::map<SpanKind, double> totals;
    for (const CaptureSide side : {a, b})
        for (const CaptureFigures &capture : side)
            for (const auto &[kind, figures] : capture.spans)
                totals[kind] = std::max(totals[kind], meanOfPieces(figures.totalMs));
    std::vector<std::pair<double, SpanKind>> sorted;
    for (const auto &[kind, ms] : totals)
        sorted.emplace_back(ms, kind);
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto &x, const auto &y) { return x.first > y.first; });
    constexpr double kMsPerSecond = 1000;
    const ComparedFigure &period = comparison.of(Figure::Period);
    const double whole = comparison.perFrame ? std::max(period.a.value_or(0), period.b.value_or(0)) : kMsPerSecond;
    std::vector<SpanKind> kinds;
    for (const auto &[ms, kind] : sorted)
        if (kinds.size() < kMaxSpanRows && ms >= kMinShareOfRow * whole)
            kinds.push_back(kind);
    comparison.spansLeftOut = sorted.size() - kinds.size();
    return kinds;
}

void compareSpans(CaptureComparison &comparison, CaptureSide a, CaptureSide b)
{
    const std::vector<SpanKind> kinds = spanRows(comparison, a, b);
    // Two figures for each kind.
    const ComparisonMethod method = methodOfRows(2 * kinds.size());
    for (const SpanKind &kind : kinds)
        comparison.spans.push_back({kind, comparedFigure(totalOf(a, kind), totalOf(b, kind), method),
                                    comparedFigure(durationOf(a, kind), durationOf(b, kind), method)});
    std::stable_sort(
        comparison.spans.begin(), comparison.spans.end(),
        [](const ComparedSpans &x, const ComparedSpans &y) { return isGreaterChange(x.totalMs, y.totalMs); });
}

void withdraw(ComparedFigure &figure)
{
    if (figure.verdict != RowVerdict::Unknown)
        figure.verdict = RowVerdict::NotComparable;
}

void withdrawVerdicts(CaptureComparison &comparison)
{
    for (ComparedMetric &metric : comparison.metrics)
        withdraw(metric.figure);
    for (ComparedPiece &piece : comparison.path)
        withdraw(piece.ms);
    for (ComparedSpans &spans : comparison.spans) {
        withdraw(spans.totalMs);
        withdraw(spans.medianMs);
    }
}

std::uint64_t framesOf(CaptureSide side)
{
    std::uint64_t frames = 0;
    for (const CaptureFigures &capture : side)
        frames += capture.frames;
    return frames;
}

bool allPerFrame(CaptureSide side)
{
    return std::all_of(side.begin(), side.end(), [](const CaptureFigures &capture) { return capture.perFrame; });
}

} // namespace

std::string_view verdictName(RowVerdict verdict)
{
    constexpr auto kNames = std::to_array<std::string_view>(
        {"better", "worse", "unchanged", "too few frames", "unknown", "not comparable"});
    return kNames[static_cast<std::size_t>(verdict)];
}

void judge(ComparedFigure &figure, const ComparisonMethod &method)
{
    if (!figure.a || !figure.b)
        return;
    const double worse = method.direction == Direction::LowerIsBetter ? figure.change() : -figure.change();
    const Comparison verdict = figure.difference.verdict;
    figure.verdict = RowVerdict::Unchanged;
    if (!figure.difference.enough)
        figure.verdict = RowVerdict::TooFewFrames;
    else if (verdict == Comparison::Better && worse < 0)
        figure.verdict = RowVerdict::Better;
    else if (verdict == Comparison::Worse && worse > 0)
        figure.verdict = RowVerdict::Worse;
}

std::optional<double> worseBy(const ComparedFigure &figure, Figure of)
{
    if (!figure.a || !figure.b)
        return std::nullopt;
    const double sign = rowOf(of).direction == Direction::LowerIsBetter ? 1 : -1;
    const double worse = sign * figure.change();
    if (rowOf(of).unit == FigureUnit::Share || worse == 0)
        return worse;
    return *figure.a != 0 ? worse / std::abs(*figure.a) : std::copysign(std::numeric_limits<double>::infinity(), worse);
}

std::size_t placeOf(Figure metric)
{
    const auto figures = captureFigures();
    return static_cast<std::size_t>(std::find(figures.begin(), figures.end(), metric) - figures.begin());
}

CaptureComparison compareCaptures(CaptureSide a, CaptureSide b, ComparedSides sides, std::string_view nameA,
                                  bool anyway)
{
    CaptureComparison comparison;
    comparison.sides = sides;
    comparison.nameA = nameA;
    comparison.framesA = framesOf(a);
    comparison.framesB = framesOf(b);
    comparison.betweenRuns = a.size() > 1 || b.size() > 1;
    comparison.perFrame = allPerFrame(a) && allPerFrame(b);
    if (a.front().origin.config && b.front().origin.config)
        comparison.settings = describeChange(*a.front().origin.config, *b.front().origin.config);
    compareMetrics(comparison, a, b);
    comparePaths(comparison, a, b);
    compareSpans(comparison, a, b);
    const CaptureDifference work = otherWork(a, b, sides, nameA);
    comparison.otherWork = work.what;
    comparison.noVerdict = anyway ? std::string() : work.sentence();
    if (comparison.noVerdict.empty())
        comparison.noVerdict = captureRefusal(a, b, sides, nameA);
    if (!comparison.noVerdict.empty())
        withdrawVerdicts(comparison);
    return comparison;
}

} // namespace jetscope
