// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/probe/experiment.h"

#include "core/text/numbertext.h"

#include <array>
#include <cmath>

namespace jetscope {

namespace {

constexpr auto kExperiments = std::to_array<ExperimentInfo>({
    {"pinned-reread", "What does it cost the CPU to read pinned memory, and to read it again?",
     "the memory that the CPU reads: pageable, pinned, zero-copy, registered", "a few seconds",
     "Documented: boards below compute capability 7.2 do not cache pinned memory for the CPU. Where a further read is "
     "no "
     "faster, read it once, or copy it first."},
    {"gpu-passes", "From how many passes of the GPU on is a copy, or unified memory, better than zero-copy?",
     "the memory of a frame and how many kernels read it: 1, 2, 4, 8", "10 s",
     "Zero-copy has no copy. Where the GPU does not cache the memory, each pass costs as much as the first."},
    {"launch-attached", "What does managed memory cost at each launch of a kernel?",
     "how much globally attached managed memory exists: none to a frame", "a few seconds",
     "Documented: without concurrent access a launch prepares all managed memory that its stream may reach. Attachment "
     "to single streams limits that."},
    {"wait-policy", "What do the wait policies cost in latency and in CPU time?", "the policy: spin, yield, block",
     "a few seconds",
     "A wait that spins takes a core, which other threads then lack. Whether it ends sooner depends on device and "
     "load."},
    {"fence-flush", "Does a fence need a flush to be signalled?", "a flush behind the fence, or none", "a few seconds",
     "Documented: a fence without a flush may wait for the next flush of its context, however long that takes. Some "
     "drivers flush by themselves."},
    {"registration", "Does it pay to register host memory for each frame?",
     "registered once, registered for each frame, copied", "a few seconds",
     "Registration pins pages and maps them. Its cost decides whether buffers that change with each frame can be "
     "registered."},
    {"event-pairs", "What do pairs of timing events do to the pipeline that they time?",
     "the source of GPU times: none on the GPU (bounds), stamps of kernels, event pairs", "15 s",
     "An instrument that slows what it measures shows another program than the one that runs without it."},
    {"frames-in-flight", "How many frames in flight and streams does the pipeline need?",
     "frames in flight 1 to 4, on 1 to 4 streams", "20 s",
     "More frames in flight can hide waits and can add latency. More streams can help where copies and kernels "
     "overlap."},
    {"sync-calls", "What does a frame cost the pipeline thread under event, finish and graph?",
     "the synchronization, at 720p and 1080p, with 2 and with 8 filters; the thread blocks while it waits", "60 s",
     "A graph starts all copies and kernels of a frame by one call. That pays where a frame has many of them, and "
     "where "
     "the CPU is what limits the rate."},
    {"wake-up", "How soon does a waiting thread learn that a kernel has ended?",
     "how it waits: event or flag, spinning or blocking; host function; polling", "10 s",
     "A thread that reads a flag in memory calls no driver. The times include the end of the kernel that its own "
     "stamps "
     "do not see, which is the same for all."},
    {"contention", "What does a load beside the pipeline cost it?",
     "what runs beside it: nothing, copies of the CPU, copies of the GPU, kernels of a second context", "20 s",
     "CPU and GPU of a board share one memory. The GB/s of the load say how much of its bandwidth was taken."},
    {"gpu-share", "What share of the GPU is enough for the period beside a load?",
     "the multiprocessors of the pipeline (green contexts) and its priority, with copies of the GPU beside it", "30 s",
     "The smallest share without a difference in period is enough. Green contexts need CUDA 12.4."},
    {"vpi-attach", "Do attachments of managed memory help when PVA writes what the CPU reads?",
     "the memory of the output and its attachment: copied, global, attached to the host behind the work",
     "a few seconds",
     "VPI uses wrapped managed memory as CUDA memory, so the GPU must reach it until vpiStreamSync has returned: "
     "attach "
     "it to the host only then. Not verified on hardware."},
    {"vpi-order", "How can CUDA work follow VPI's work in a stream that both share?",
     "what orders the CUDA work: vpiStreamSync, a host function of VPI, a CUDA host function of VPI 4.1",
     "a few seconds",
     "Documented: kernels may be put into a wrapped stream when VPI's work in it is complete. A host function does "
     "that "
     "without holding the thread that submits. Not verified on hardware."},
    {"vpi-sync", "What does a time of VPI without vpiStreamSync leave out?",
     "where vpiStreamSync is called: behind each call, behind 20 calls, never within the time", "a few seconds",
     "A submission returns before the work is done. Only a time that ends with vpiStreamSync contains the work. Not "
     "verified on hardware."},
    {"vpi-buffers", "How should a buffer of the Jetson be given to VIC?",
     "what VPI wraps: host memory, an NvBufSurface by its descriptor, and by its EGLImage", "a few seconds",
     "Documented: VPI wraps buffers and EGLImages of a Jetson in place, and copies memory that the backend cannot "
     "reach. A wrapper that is made for each frame costs its own time. Not verified on hardware."},
});

/// "is 2.3 times that with A", "is 12 % lower than with A", or by how much it is higher in the unit of the column.
std::string relationText(const Difference &difference, const ExperimentColumn &column, const std::string &a)
{
    const double ratio = difference.ratio.value;
    const bool lower = difference.difference.value < 0;
    const std::string than = std::string(lower ? " lower" : " higher") + " than with " + a;
    if (column.method.scale == Scale::Difference || !std::isfinite(ratio) || ratio <= 0)
        return "is " + experimentValue(std::abs(difference.difference.value), column) + than;
    if (ratio >= 1.5)
        return "is " + threeFigures(ratio) + " times that with " + a;
    return "is " + threeFigures(100 * std::abs(ratio - 1)) + " %" + than;
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
    return "With " + b + ", " + column.name + " " + relationText(found, column, a) + figures + ".";
}

/// None where a variant failed or was not measured.
std::optional<Difference> differenceOf(const ExperimentResult &result, const ExperimentComparison &of)
{
    const RoundSeries &a = result.figures[of.a][of.column];
    const RoundSeries &b = result.figures[of.b][of.column];
    if (!a.failure.empty() || !b.failure.empty() || a.count() == 0 || b.count() == 0)
        return std::nullopt;
    return comparePaired(a.rounds, b.rounds, result.design.columns[of.column].method);
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
    for (const ExperimentComparison &comparison : result.design.comparisons)
        if (const std::optional<Difference> found = differenceOf(result, comparison))
            conclusions.push_back({comparison, *found, conclusionText(result, comparison, *found)});
    return conclusions;
}

std::string answerOf(const ExperimentResult &result)
{
    if (!result.design.ladder)
        return {};
    const ExperimentLadder &ladder = *result.design.ladder;
    const std::string &column = result.design.columns[ladder.column].name;
    std::size_t holding = ladder.variants.front();
    for (std::size_t step = 1; step < ladder.variants.size(); ++step) {
        const ExperimentComparison with{ladder.variants.front(), ladder.variants[step], ladder.column};
        const std::optional<Difference> found = differenceOf(result, with);
        if (!found)
            continue;
        if (!found->enough)
            return {};
        if (found->verdict == Comparison::Worse)
            return "Of those that were measured, " + ladder.what + " without a difference beyond noise in " + column
                + ": " + result.design.variants[holding] + ". " + conclusionText(result, with, *found);
        holding = ladder.variants[step];
    }
    if (holding == ladder.variants.front())
        return {};
    return "Even " + ladder.what + " that was measured shows no difference beyond noise in " + column + ": "
        + result.design.variants[holding] + ".";
}

std::string experimentValue(double value, const ExperimentColumn &column)
{
    return threeFigures(value) + " " + column.unit;
}

} // namespace jetscope
