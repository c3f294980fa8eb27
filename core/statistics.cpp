// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace jetscope {

namespace {

/// Both ends of the 95 % interval.
constexpr double kLowerTail = 0.025;
constexpr double kUpperTail = 0.975;
/// Any constant will do; a fixed one makes equal samples give equal figures.
constexpr std::uint32_t kBootstrapSeed = 20260701;

double meanOf(std::span<const double> values)
{
    double sum = 0;
    for (const double value : values)
        sum += value;
    return sum / static_cast<double>(values.size());
}

/// Means of batches of equal length; a rest shorter than a batch is left out unless it is all there is.
std::vector<double> batchMeans(std::span<const double> samples, std::size_t batch)
{
    const std::size_t length = std::clamp<std::size_t>(batch, 1, samples.size());
    std::vector<double> means;
    means.reserve(samples.size() / length);
    for (std::size_t at = 0; at + length <= samples.size(); at += length)
        means.push_back(meanOf(samples.subspan(at, length)));
    return means;
}

/// The median after dropping `trim` of the values at each end. Reorders `values`, which is not empty.
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

/// One batch says nothing about how batches differ: then the spread of the samples stands in for it, which
/// is wider, and for a single sample nothing is known.
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

/// What counts as a sample: after the warm-up, and a number.
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

double milliseconds(std::int64_t ns)
{
    return static_cast<double>(ns) / 1e6;
}

/// One figure of every frame that has it.
template <class Get>
std::vector<double> column(std::span<const FrameFigures> frames, Get get)
{
    std::vector<double> values;
    values.reserve(frames.size());
    for (const FrameFigures &frame : frames)
        if (const std::optional<double> value = get(frame))
            values.push_back(*value);
    return values;
}

std::optional<double> knownMs(std::int64_t ns)
{
    return ns > 0 ? std::optional(milliseconds(ns)) : std::nullopt;
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

double percentileOf(std::span<const double> sorted, double fraction)
{
    const double rank = std::clamp(fraction, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(rank);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], rank - static_cast<double>(below));
}

Comparison compareLowerIsBetter(const Summary &before, const Summary &after)
{
    const double difference = after.central - before.central;
    if (!(std::abs(difference) > before.noise + after.noise))
        return Comparison::Unchanged;
    return difference < 0 ? Comparison::Better : Comparison::Worse;
}

RunFigures summariseFrames(std::span<const FrameFigures> frames, const StatisticsMethod &method)
{
    RunFigures run;
    run.frames = frames.size();
    const auto used = afterWarmUp(frames, method);
    const auto central = [&](auto get) { return centralOf(column(used, get), method); };
    const auto centralMs = [&](auto getNs) {
        return central([&](const FrameFigures &frame) { return std::optional(milliseconds(getNs(frame))); });
    };

    const double periodMs = centralMs([](const FrameFigures &f) { return f.periodNs(); });
    run.fps = periodMs > 0 ? 1e3 / periodMs : 0;
    run.frameMs = percentilesOf(column(used, [](const FrameFigures &f) { return knownMs(f.frameNs); }));
    run.periodMs = percentilesOf(column(used, [](const FrameFigures &f) { return knownMs(f.periodNs()); }));
    run.latencyMs = percentilesOf(column(used, [](const FrameFigures &f) { return knownMs(f.latencyNs); }));

    const auto overlaps = column(used, [](const FrameFigures &f) { return f.overlap.overlap(); });
    if (!overlaps.empty())
        run.overlap = centralOf(overlaps, method);
    if (!used.empty())
        run.parallelism = central([](const FrameFigures &f) { return std::optional(f.overlap.parallelism()); });

    run.blockedMs = centralMs([](const FrameFigures &f) { return f.blockedNs(); });
    run.syncMs = centralMs([](const FrameFigures &f) { return f.waitSyncNs; });
    run.memoryMs = centralMs([](const FrameFigures &f) { return f.waitMemoryNs; });
    run.slotMs = centralMs([](const FrameFigures &f) { return f.waitSlotNs; });
    run.inputMs = centralMs([](const FrameFigures &f) { return f.waitInputNs; });
    run.cpuBusyMs = centralMs([](const FrameFigures &f) { return f.overlap.cpuNs; });
    run.gpuBusyMs = centralMs([](const FrameFigures &f) { return f.overlap.gpuNs; });
    run.bytesCopiedPerFrame =
        central([](const FrameFigures &f) { return std::optional(static_cast<double>(f.bytesCopied)); });
    return run;
}

} // namespace jetscope
