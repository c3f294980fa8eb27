// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/probe/experiment.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

namespace jetscope {

namespace {

constexpr auto kExperiments = std::to_array<ExperimentInfo>({
    {"pinned-reread", "What does it cost the CPU to read pinned memory, and to read it again?",
     "the memory that the CPU reads: pageable, pinned, zero-copy, registered", "a few seconds",
     "On boards below compute capability 7.2 the CPU does not cache pinned memory: read it once, or copy it first."},
    {"gpu-passes", "From how many passes of the GPU on is a copy, or unified memory, better than zero-copy?",
     "the memory of a frame and how many kernels read it: 1, 2, 4, 8", "10 s",
     "Zero-copy saves the copy and pays with each pass where the GPU does not cache the memory."},
    {"launch-attached", "What does managed memory cost at each launch of a kernel?",
     "how much globally attached managed memory exists: none to a frame", "a few seconds",
     "A launch has to prepare all managed memory that the GPU may reach: attach to single streams what it needs."},
    {"wait-policy", "What do the wait policies cost in latency and in CPU time?", "the policy: spin, yield, block",
     "a few seconds", "A wait that spins ends sooner and takes a core; a wait that blocks leaves the core to others."},
    {"fence-flush", "Does a fence need a flush to be signalled?", "a flush behind the fence, or none", "a few seconds",
     "A fence that is not flushed may wait for the next flush of its context, however long that takes."},
    {"registration", "Does it pay to register host memory for each frame?",
     "registered once, registered for each frame, copied", "a few seconds",
     "Registration pins pages and maps them: mostly worth it once for a buffer, rarely for each frame."},
    {"event-pairs", "What do pairs of timing events do to the pipeline that they time?",
     "the source of GPU times: none on the GPU (bounds), stamps of kernels, event pairs", "15 s",
     "An instrument that slows what it measures shows another program than the one that runs without it."},
    {"frames-in-flight", "How many frames in flight and streams does the pipeline need?",
     "frames in flight 1 to 4, on 1 to 4 streams", "20 s",
     "More frames in flight hide waits and add latency; more streams help if copies and kernels can overlap."},
});

std::string threeFigures(double value)
{
    std::array<char, 48> text{};
    const double size = std::abs(value);
    std::snprintf(text.data(), text.size(), "%.*f", size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2, value);
    return text.data();
}

/// "2.3 times" for large ratios, "12 %" for small ones, with the sign left out.
std::string sizeOf(const Difference &difference, const ExperimentColumn &column)
{
    const double ratio = difference.ratio.value;
    if (column.method.scale == Scale::Difference || !std::isfinite(ratio) || ratio <= 0)
        return threeFigures(std::abs(difference.difference.value)) + " " + column.unit;
    const double larger = std::max(ratio, 1 / ratio);
    return larger >= 1.5 ? threeFigures(larger) + " times" : threeFigures(100 * std::abs(ratio - 1)) + " %";
}

std::string conclusionText(const ExperimentResult &result, const ExperimentComparison &of, const Difference &found)
{
    const ExperimentColumn &column = result.design.columns[of.column];
    const std::string &a = result.design.variants[of.a];
    const std::string &b = result.design.variants[of.b];
    const double from = result.figures[of.a][of.column].estimate().value;
    const double to = result.figures[of.b][of.column].estimate().value;
    const std::string figures = " (" + experimentValue(to, column) + " against " + experimentValue(from, column) + ")";
    if (!found.enough)
        return "Too few rounds to compare " + b + " with " + a + " in " + column.name + ".";
    if (found.verdict == Comparison::Unchanged)
        return "No difference beyond noise in " + column.name + " between " + b + " and " + a + figures + ".";
    const bool lower = found.difference.value < 0;
    return "With " + b + ", " + column.name + " is " + sizeOf(found, column) + (lower ? " lower" : " higher")
        + " than with " + a + figures + ".";
}

} // namespace

std::span<const ExperimentInfo> experimentTable()
{
    return kExperiments;
}

const ExperimentInfo *experimentNamed(std::string_view name)
{
    for (const ExperimentInfo &info : kExperiments)
        if (info.name == name)
            return &info;
    return nullptr;
}

std::string experimentKey(std::size_t variant, std::size_t column)
{
    return std::to_string(variant) + "." + std::to_string(column);
}

ExperimentResult experimentResult(const ExperimentInfo &info, std::string device, ExperimentDesign design,
                                  const Rounds &rounds)
{
    ExperimentResult result{&info, std::move(device), std::move(design), {}, rounds.completeRounds()};
    for (std::size_t variant = 0; variant < result.design.variants.size(); ++variant) {
        std::vector<RoundSeries> row;
        for (std::size_t column = 0; column < result.design.columns.size(); ++column) {
            const RoundSeries *series = rounds.find(experimentKey(variant, column));
            row.push_back(series ? *series : RoundSeries{{}, "it was not measured"});
        }
        result.figures.push_back(std::move(row));
    }
    return result;
}

std::vector<ExperimentConclusion> concludeExperiment(const ExperimentResult &result)
{
    std::vector<ExperimentConclusion> conclusions;
    for (const ExperimentComparison &comparison : result.design.comparisons) {
        const RoundSeries &a = result.figures[comparison.a][comparison.column];
        const RoundSeries &b = result.figures[comparison.b][comparison.column];
        if (!a.failure.empty() || !b.failure.empty() || a.count() == 0 || b.count() == 0)
            continue;
        const Difference found = comparePaired(a.rounds, b.rounds, result.design.columns[comparison.column].method);
        conclusions.push_back({comparison, found, conclusionText(result, comparison, found)});
    }
    return conclusions;
}

std::string experimentValue(double value, const ExperimentColumn &column)
{
    return threeFigures(value) + " " + column.unit;
}

} // namespace jetscope
