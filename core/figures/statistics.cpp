// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/figures/statistics.h"

#include "core/figures/averages.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace jetscope {

namespace {

/// Both ends of the 95 % interval.
constexpr double kLowerTail = 0.025;
constexpr double kUpperTail = 0.975;
/// Any constant works; a fixed seed makes results reproducible.
constexpr std::uint32_t kBootstrapSeed = 20260701;

/// Means of batches of equal length; an incomplete last batch is dropped unless it is the only one.
std::vector<double> batchMeans(std::span<const double> samples, std::size_t batch)
{
    const std::size_t length = std::clamp<std::size_t>(batch, 1, samples.size());
    std::vector<double> means;
    means.reserve(samples.size() / length);
    for (std::size_t at = 0; at + length <= samples.size(); at += length)
        means.push_back(meanOf(samples.subspan(at, length)));
    return means;
}

/// The median after dropping `trim` of the values at each end. Reorders `values`, which must not be empty.
double trimmedMedian(std::vector<double> &values, double trim)
{
    std::sort(values.begin(), values.end());
    const auto wanted = static_cast<std::size_t>(static_cast<double>(values.size()) * std::clamp(trim, 0.0, 0.5));
    const std::size_t dropped = std::min(wanted, (values.size() - 1) / 2);
    const auto kept = std::span(values).subspan(dropped, values.size() - 2 * dropped);
    return percentileOf(kept, 0.5);
}

double halfWidth(std::vector<double> &values)
{
    std::sort(values.begin(), values.end());
    return (percentileOf(values, kUpperTail) - percentileOf(values, kLowerTail)) / 2;
}

/// A single batch does not show the variation between batches. In that case the spread of the samples is used, which is
/// wider. For a single sample the noise is unknown.
double noiseOf(const std::vector<double> &means, std::vector<double> samples, const StatisticsMethod &method)
{
    if (samples.size() < 2)
        return std::numeric_limits<double>::infinity();
    if (means.size() < 2)
        return halfWidth(samples);
    std::mt19937 random(kBootstrapSeed);
    std::vector<double> centrals;
    std::vector<double> drawn(means.size());
    for (int round = 0; round < std::max(2, method.bootstrapRounds); ++round) {
        for (double &value : drawn)
            value = means[(std::uint64_t{random()} * means.size()) >> 32];
        centrals.push_back(trimmedMedian(drawn, method.trim));
    }
    return halfWidth(centrals);
}

/// The samples: values after warm-up that are numbers.
template <class T>
std::span<const T> afterWarmUp(std::span<const T> all, const StatisticsMethod &method)
{
    return all.size() > method.warmUp ? all.subspan(method.warmUp) : all;
}

std::vector<double> finiteOf(std::span<const double> samples)
{
    std::vector<double> finite;
    finite.reserve(samples.size());
    std::copy_if(samples.begin(), samples.end(), std::back_inserter(finite),
                 [](double value) { return std::isfinite(value); });
    return finite;
}

double centralOf(std::span<const double> samples, const StatisticsMethod &method)
{
    if (samples.empty())
        return 0;
    std::vector<double> means = batchMeans(samples, method.batch);
    return trimmedMedian(means, method.trim);
}

Percentiles percentilesOf(std::vector<double> samples)
{
    if (samples.empty())
        return {};
    std::sort(samples.begin(), samples.end());
    return {percentileOf(samples, 0.50), percentileOf(samples, 0.95), percentileOf(samples, 0.99)};
}

/// One figure of every frame that has it.
std::vector<double> column(std::span<const FrameFigures> frames, std::optional<double> (*get)(const FrameFigures &))
{
    std::vector<double> values;
    values.reserve(frames.size());
    for (const FrameFigures &frame : frames)
        if (const std::optional<double> value = get(frame))
            values.push_back(*value);
    return values;
}

std::optional<double> centralOfColumn(std::span<const FrameFigures> frames,
                                      std::optional<double> (*get)(const FrameFigures &),
                                      const StatisticsMethod &method)
{
    const std::vector<double> values = column(frames, get);
    return values.empty() ? std::nullopt : std::optional(centralOf(values, method));
}

Headroom headroomOf(std::span<const FrameFigures> frames, const Overlap &pooled)
{
    Headroom headroom;
    headroom.overlap = pooled;
    std::int64_t captureNs = 0;
    std::int64_t viewNs = 0;
    std::int64_t sourceNs = 0;
    std::int64_t known = 0; // Frames before the first measurement count with the mean of the others.
    for (const FrameFigures &frame : frames) {
        captureNs += frame.captureBusyNs;
        viewNs += frame.viewBusyNs;
        sourceNs += std::max(std::int64_t{0}, frame.sourcePeriodNs);
        known += frame.sourcePeriodNs != kSourcePeriodUnknown ? 1 : 0;
    }
    headroom.laneNs = std::max(captureNs, viewNs);
    headroom.lane = captureNs >= viewNs ? "the capture thread" : "the view";
    if (known > 0)
        headroom.sourceNs = std::llround(static_cast<double>(sourceNs) / static_cast<double>(known)
                                         * static_cast<double>(frames.size()));
    return headroom;
}

/// Frames with all their spans; in other frames, busy times and waits are invalid.
std::vector<FrameFigures> tracedOf(std::span<const FrameFigures> frames)
{
    std::vector<FrameFigures> traced;
    traced.reserve(frames.size());
    std::copy_if(frames.begin(), frames.end(), std::back_inserter(traced),
                 [](const FrameFigures &frame) { return frame.traced; });
    return traced;
}

} // namespace

std::optional<Summary> summarise(std::span<const double> samples, const StatisticsMethod &method)
{
    std::vector<double> used = finiteOf(afterWarmUp(samples, method));
    if (used.empty())
        return std::nullopt;
    std::vector<double> means = batchMeans(used, method.batch);
    Summary summary;
    summary.samples = used.size();
    summary.noise = noiseOf(means, used, method);
    summary.central = trimmedMedian(means, method.trim);
    summary.percentiles = percentilesOf(std::move(used));
    return summary;
}

std::optional<double> centralFigure(std::span<const double> samples, const StatisticsMethod &method)
{
    const std::vector<double> used = finiteOf(afterWarmUp(samples, method));
    return used.empty() ? std::nullopt : std::optional(centralOf(used, method));
}

double percentileOf(std::span<const double> sorted, double fraction)
{
    const double rank = std::clamp(fraction, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(rank);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], rank - static_cast<double>(below));
}

RunFigures summariseFrames(std::span<const FrameFigures> frames, const StatisticsMethod &method)
{
    RunFigures run;
    run.frames = frames.size();
    const auto used = afterWarmUp(frames, method);
    const auto whole = method.lastIsCut && !used.empty() ? used.first(used.size() - 1) : used;
    for (const FigureRow &row : figureTable()) {
        const auto index = static_cast<std::size_t>(row.figure);
        const auto counted = row.needsNextFrame ? whole : used;
        if (row.percentiles)
            run.*row.percentiles = percentilesOf(column(counted, row.ofFrame));
        if (row.sum == FigureSum::Mean)
            run.centrals[index] = centralOfColumn(counted, row.ofFrame, method);
        if (row.leastOfFrame)
            run.leasts[index] = centralOfColumn(used, row.leastOfFrame, method);
    }
    const double periodMs = run[Figure::Period];
    run.fps = periodMs > 0 ? 1e3 / periodMs : 0;
    const std::vector<FrameFigures> traced = tracedOf(used);
    for (const FrameFigures &frame : traced)
        run.pooled += frame.overlap;
    run.headroom = headroomOf(traced, run.pooled);
    return run;
}

} // namespace jetscope
