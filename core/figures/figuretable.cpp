// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/figures/figuretable.h"

#include "core/figures/statistics.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <type_traits>

namespace jetscope {

namespace {

using enum FigureUnit;
using enum FigureSum;

/// A member of the figures or of their overlap.
template <auto member, class Figures>
auto &placeIn(Figures &figures)
{
    if constexpr (std::is_invocable_v<decltype(member), FrameFigures &>)
        return figures.*member;
    else
        return figures.overlap.*member;
}

/// More bytes than files can hold are cut.
template <auto member>
std::int64_t valueIn(const FrameFigures &figures)
{
    const auto &place = placeIn<member>(figures);
    constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
    return std::cmp_less(place, kMax) ? static_cast<std::int64_t>(place) : kMax;
}

template <auto member>
void setIn(FrameFigures &figures, std::int64_t value)
{
    auto &place = placeIn<member>(figures);
    using Value = std::remove_reference_t<decltype(place)>;
    place = static_cast<Value>(std::is_signed_v<Value> ? value : std::max(std::int64_t{0}, value));
}

template <auto member>
constexpr FrameField fieldOf(std::string_view name)
{
    return {name, valueIn<member>, setIn<member>};
}

constexpr FrameField optional(FrameField field)
{
    field.isRequired = false;
    return field;
}

constexpr FrameField negative(FrameField field)
{
    field.mayBeNegative = true;
    return field;
}

constexpr FrameField kFields[] = {
    fieldOf<&FrameFigures::frame>("frame"),
    fieldOf<&FrameFigures::startNs>(kFrameStartField),
    fieldOf<&Overlap::periodNs>("period_ns"),
    fieldOf<&Overlap::cpuNs>("cpu_ns"),
    fieldOf<&Overlap::gpuNs>("gpu_ns"),
    fieldOf<&Overlap::bothNs>("both_ns"),
    fieldOf<&Overlap::idleNs>("idle_ns"),
    fieldOf<&FrameAmounts::waitSyncNs>("wait_sync_ns"),
    fieldOf<&FrameAmounts::waitMemoryNs>("wait_memory_ns"),
    fieldOf<&FrameAmounts::waitSlotNs>("wait_slot_ns"),
    fieldOf<&FrameAmounts::waitInputNs>("wait_input_ns"),
    fieldOf<&FrameFigures::frameNs>("frame_ns"),
    negative(fieldOf<&FrameFigures::latencyNs>("latency_ns")), // Clocks may differ.
    fieldOf<&FrameAmounts::bytesCopied>("bytes_copied"),
    optional({"gpu_at_least_ns", [](const FrameFigures &f) { return f.overlap.gpuAtLeastNs(); },
              [](FrameFigures &f, std::int64_t ns) { f.overlap.gpuBoundedNs = f.overlap.gpuNs - ns; }}),
    optional({"both_at_least_ns", [](const FrameFigures &f) { return f.overlap.bothAtLeastNs(); },
              [](FrameFigures &f, std::int64_t ns) { f.overlap.bothBoundedNs = f.overlap.bothNs - ns; }}),
};

constexpr double kPercentagePoint = 0.01;
/// Waits of a microsecond are of no interest, however different.
constexpr double kMicrosecond = 0.001;

std::optional<double> positiveMs(std::int64_t ns)
{
    return ns > 0 ? std::optional(static_cast<double>(ns) / 1e6) : std::nullopt;
}

/// Busy times and waits need all spans of a frame.
template <auto get>
std::optional<double> tracedMs(const FrameFigures &frame)
{
    return frame.traced ? std::optional(static_cast<double>(std::invoke(get, frame)) / 1e6) : std::nullopt;
}

std::optional<double> framePeriodMs(const FrameFigures &frame)
{
    return positiveMs(frame.periodNs());
}

std::optional<double> frameTimeMs(const FrameFigures &frame)
{
    return positiveMs(frame.frameNs);
}

std::optional<double> frameLatencyMs(const FrameFigures &frame)
{
    return positiveMs(frame.latencyNs);
}

std::optional<double> frameParallelism(const FrameFigures &frame)
{
    return frame.traced ? std::optional(frame.overlap.parallelism()) : std::nullopt;
}

std::optional<double> frameBytesCopied(const FrameFigures &frame)
{
    return static_cast<double>(frame.bytesCopied);
}

template <Percentiles RunFigures::*of, double Percentiles::*percentile>
FigureReading percentileOfRun(const RunFigures &run)
{
    const double value = run.*of.*percentile;
    return {value > 0 ? std::optional(value) : std::nullopt, {}, {}, {}};
}

FigureReading rateOfRun(const RunFigures &run)
{
    return {run.fps > 0 ? std::optional(run.fps) : std::nullopt, {}, {}, {}};
}

FigureReading periodOfRun(const RunFigures &run)
{
    return {run.fps > 0 ? std::optional(1e3 / run.fps) : std::nullopt, {}, {}, {}};
}

FigureReading overlapOfRun(const RunFigures &run)
{
    FigureReading reading{run.pooled.overlap(), {}, {}, run.pooled.overlapReason()};
    if (const auto bounds = run.pooled.overlapBounds(); bounds && !reading.value) {
        reading.least = bounds->atLeast;
        reading.most = bounds->atMost;
    }
    return reading;
}

FigureReading headroomOfRun(const RunFigures &run)
{
    const std::optional<double> ratio = run.headroom.ratio();
    return {ratio, {}, {}, run.headroom.reason(), ratio ? "then " + run.headroom.limit() + " would be the limit" : ""};
}

constexpr auto kRows = std::to_array<FigureRow>({
    {.figure = Figure::Rate,
     .name = "rate",
     .label = "Rate",
     .shortLabel = "frames/s",
     .meaning = "Frames completed per second",
     .unit = PerSecond,
     .sum = Other,
     .ofRun = rateOfRun,
     .key = "fps",
     .direction = Direction::HigherIsBetter},
    {.figure = Figure::Period,
     .name = "period",
     .label = "Period",
     .shortLabel = "period",
     .meaning = "From the start of a frame to the start of the next one",
     .unit = Milliseconds,
     .sum = Mean,
     .needsNextFrame = true,
     .ofFrame = framePeriodMs,
     .ofRun = periodOfRun,
     .key = "period_ms",
     .percentiles = &RunFigures::periodMs,
     .column = "period_ms",
     .compared = true},
    {.figure = Figure::FrameP50,
     .name = "frame-p50",
     .label = "Frame time, median",
     .shortLabel = "frame p50",
     .meaning = "From the start of a frame to its complete output: half of the frames took less",
     .unit = Milliseconds,
     .sum = Median,
     .ofFrame = frameTimeMs,
     .ofRun = percentileOfRun<&RunFigures::frameMs, &Percentiles::p50>,
     .key = "frame_ms",
     .percentiles = &RunFigures::frameMs,
     .column = "frame_p50_ms",
     .compared = true},
    {.figure = Figure::FrameP99,
     .name = "frame-p99",
     .label = "Frame time, 99th percentile",
     .shortLabel = "frame p99",
     .meaning = "From the start of a frame to its complete output: 99 of 100 frames took less",
     .unit = Milliseconds,
     .sum = Highest99,
     .ofFrame = frameTimeMs,
     .ofRun = percentileOfRun<&RunFigures::frameMs, &Percentiles::p99>,
     .column = "frame_p99_ms",
     .compared = true},
    {.figure = Figure::Latency,
     .name = "latency",
     .label = "Latency",
     .shortLabel = "latency",
     .meaning = "From the capture of a frame to its picture on the screen: half of the frames took less",
     .unit = Milliseconds,
     .sum = Median,
     .ofFrame = frameLatencyMs,
     .ofRun = percentileOfRun<&RunFigures::latencyMs, &Percentiles::p50>,
     .key = "latency_ms",
     .percentiles = &RunFigures::latencyMs,
     .column = "latency_ms",
     .compared = true},
    {.figure = Figure::Overlap,
     .name = "overlap",
     .label = "Overlap",
     .shortLabel = "overlap",
     .meaning = "Time in which CPU and GPU were busy together, as a share of the shorter busy time",
     .unit = Share,
     .sum = Pooled,
     .needsGpu = true,
     .ofRun = overlapOfRun,
     .key = "overlap",
     .leastKey = "overlap_at_least",
     .mostKey = "overlap_at_most",
     .column = "overlap",
     .compared = true,
     .direction = Direction::HigherIsBetter,
     .scale = Scale::Difference,
     .leastInUnit = kPercentagePoint},
    {.figure = Figure::Headroom,
     .name = "headroom",
     .label = "Could be saved",
     .shortLabel = "savable",
     .meaning = "How much shorter the period could be if all work that may overlap did overlap",
     .unit = Share,
     .sum = Pooled,
     .needsGpu = true,
     .ofRun = headroomOfRun,
     .key = "headroom",
     .column = "headroom",
     .compared = true,
     .scale = Scale::Difference,
     .leastInUnit = kPercentagePoint},
    {.figure = Figure::Parallelism,
     .name = "parallelism",
     .label = "Parallelism",
     .shortLabel = "parallelism",
     .meaning = "1 is serial, 2 is perfect",
     .unit = Plain,
     .sum = Mean,
     .needsGpu = true,
     .ofFrame = frameParallelism,
     .key = "parallelism",
     .direction = Direction::HigherIsBetter},
    {.figure = Figure::Blocked,
     .name = "blocked",
     .label = "Blocked",
     .shortLabel = "blocked",
     .meaning = "The pipeline waits for a hand-over or for memory",
     .unit = Milliseconds,
     .sum = Mean,
     .ofFrame = tracedMs<&FrameFigures::blockedNs>,
     .key = "blocked_ms",
     .column = "blocked_ms",
     .compared = true,
     .scale = Scale::Difference,
     .leastInUnit = kMicrosecond},
    {.figure = Figure::WaitSync,
     .name = "wait-sync",
     .label = "Hand-over wait",
     .shortLabel = "hand-over",
     .meaning = "The pipeline waits for a hand-over between CPU and GPU",
     .unit = Milliseconds,
     .sum = Mean,
     .ofFrame = tracedMs<&FrameFigures::waitSyncNs>,
     .key = "sync_ms"},
    {.figure = Figure::WaitMemory,
     .name = "wait-memory",
     .label = "Memory wait",
     .shortLabel = "memory",
     .meaning = "The pipeline waits because the memory kind demands it",
     .unit = Milliseconds,
     .sum = Mean,
     .ofFrame = tracedMs<&FrameFigures::waitMemoryNs>,
     .key = "memory_ms"},
    {.figure = Figure::WaitSlot,
     .name = "wait-slot",
     .label = "Slot wait",
     .shortLabel = "slot",
     .meaning = "The pipeline waits because all frames are in flight",
     .unit = Milliseconds,
     .sum = Mean,
     .ofFrame = tracedMs<&FrameFigures::waitSlotNs>,
     .key = "slot_ms"},
    {.figure = Figure::WaitInput,
     .name = "wait-input",
     .label = "Input wait",
     .shortLabel = "input",
     .meaning = "The pipeline waits for the next picture",
     .unit = Milliseconds,
     .sum = Mean,
     .needsNextFrame = true,
     .ofFrame = tracedMs<&FrameFigures::waitInputNs>,
     .key = "input_ms"},
    {.figure = Figure::CpuBusy,
     .name = "cpu-busy",
     .label = "CPU busy",
     .shortLabel = "CPU busy",
     .meaning = "Pipeline or CPU stage busy; waits are not",
     .unit = Milliseconds,
     .sum = Mean,
     .ofFrame = tracedMs<[](const FrameFigures &frame) { return frame.overlap.cpuNs; }>,
     .key = "cpu_busy_ms"},
    {.figure = Figure::GpuBusy,
     .name = "gpu-busy",
     .label = "GPU busy",
     .shortLabel = "GPU busy",
     .meaning = "Any stream or GL queue busy",
     .unit = Milliseconds,
     .sum = Mean,
     .needsGpu = true,
     .ofFrame = tracedMs<[](const FrameFigures &frame) { return frame.overlap.gpuNs; }>,
     .leastOfFrame = tracedMs<[](const FrameFigures &frame) { return frame.overlap.gpuAtLeastNs(); }>,
     .key = "gpu_busy_ms",
     .leastKey = "gpu_busy_at_least_ms",
     .compared = true},
    {.figure = Figure::BytesCopied,
     .name = "bytes-copied",
     .label = "Bytes copied",
     .shortLabel = "copied",
     .meaning = "By copies of a frame that the pipeline asks for",
     .unit = Bytes,
     .sum = Mean,
     .ofFrame = frameBytesCopied,
     .key = "bytes_copied_per_frame",
     .column = "bytes_copied",
     .compared = true},
    {.figure = Figure::CpuUse,
     .name = "cpu-use",
     .label = "CPU use",
     .shortLabel = "CPU use",
     .meaning = "CPU time of the process by the time that passed; 1 is one core",
     .unit = Cores,
     .sum = Other,
     .column = "cpu_use",
     .scale = Scale::Difference,
     .leastInUnit = kPercentagePoint},
    {.figure = Figure::Energy,
     .name = "energy",
     .label = "Energy",
     .shortLabel = "energy",
     .meaning = "The power integrated over the frames, by their number",
     .unit = Millijoules,
     .sum = Other,
     .key = "energy_mj_per_frame",
     .column = "energy_mj",
     .compared = true},
});
static_assert(hasEveryRow(kRows, &FigureRow::figure));

template <class Takes>
std::vector<Figure> figuresThat(Takes takes)
{
    std::vector<Figure> figures;
    for (const FigureRow &row : kRows)
        if (takes(row))
            figures.push_back(row.figure);
    return figures;
}

} // namespace

std::span<const FrameField> frameFields()
{
    return kFields;
}

std::span<const FigureRow> figureTable()
{
    return kRows;
}

const FigureRow &rowOf(Figure figure)
{
    return kRows[static_cast<std::size_t>(figure)];
}

std::span<const Figure> sweepFigures()
{
    static const std::vector<Figure> figures = figuresThat([](const FigureRow &row) { return !row.column.empty(); });
    return figures;
}

std::span<const Figure> captureFigures()
{
    static const std::vector<Figure> figures = figuresThat([](const FigureRow &row) { return row.compared; });
    return figures;
}

FigureReading readingOf(const RunFigures &run, Figure figure)
{
    const FigureRow &row = rowOf(figure);
    if (run.frames == 0)
        return {{}, {}, {}, row.sum == Pooled ? "no frame was completed" : ""};
    if (row.needsGpu && !run.gpuIsKnown)
        return {{}, {}, {}, std::string(row.sum == Pooled ? kNothingOfTheGpu : std::string_view())};
    if (row.ofRun)
        return row.ofRun(run);
    const auto index = static_cast<std::size_t>(figure);
    return {run.centrals[index], run.leasts[index], {}, {}};
}

} // namespace jetscope
