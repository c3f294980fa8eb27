// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/compare/capturefigures.h"

#include "core/board/boardlayout.h"
#include "core/board/machinechanges.h"
#include "core/figures/averages.h"
#include "core/measure/compare/capturespans.h"
#include "core/measure/sweep/sweepresult.h"
#include "core/path/tracepaths.h"
#include "core/trace/tracefigures.h"

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

constexpr std::uint64_t kMaxCaptureFrames = 1 << 17;
constexpr std::size_t kMaxCapturePieces = 120;
constexpr std::size_t kPiecesOfTime = 24; ///< Of a trace without frames, and for overlap and headroom.
constexpr std::size_t kFramesOfP99 = 100; ///< Fewer have no 99th percentile.
constexpr std::size_t kMaxP99Pieces = 12;
constexpr StatisticsMethod kFrameMethod{};

/// The frames that count: indices of the frame table.
struct UsedFrames {
    std::uint64_t first = 0;
    std::uint64_t last = 0;

    std::size_t count() const { return static_cast<std::size_t>(last - first); }
};

UsedFrames usedFrames(const Trace &trace)
{
    const auto [first, last] = framesAfterWarmUp(trace);
    return {last - std::min(last - first, kMaxCaptureFrames), last};
}

/// [first, last) cut into `pieces` of equal length; the remainder at the end is left out.
std::vector<UsedFrames> cutFrames(const UsedFrames &used, std::size_t pieces)
{
    std::vector<UsedFrames> all;
    const std::uint64_t length = std::max<std::uint64_t>(1, used.count() / std::max<std::size_t>(1, pieces));
    for (std::uint64_t at = used.first; at + length <= used.last && all.size() < pieces; at += length)
        all.push_back({at, at + length});
    return all;
}

std::size_t pieceCount(const UsedFrames &used, std::size_t framesEach, std::size_t most)
{
    return std::clamp<std::size_t>(used.count() / framesEach, 1, most);
}

Interval timeOfFrames(const FrameTable &table, const UsedFrames &frames)
{
    const FrameFigures last = table.at(frames.last - 1);
    return {table.at(frames.first).startNs, last.startNs + last.periodNs()};
}

std::vector<TimePiece> timePieces(const Trace &trace, const UsedFrames &used)
{
    std::vector<TimePiece> pieces;
    if (used.count() > 0) {
        for (const UsedFrames &frames : cutFrames(used, pieceCount(used, kFrameMethod.batch, kMaxCapturePieces)))
            pieces.push_back({timeOfFrames(trace.frames(), frames), static_cast<double>(frames.count())});
        return pieces;
    }
    const std::int64_t wholeNs = trace.newestNs() - trace.oldestNs();
    const auto count = static_cast<std::int64_t>(kPiecesOfTime);
    const std::int64_t eachNs = std::max<std::int64_t>(1, wholeNs / count);
    for (std::int64_t i = 0; i < count; ++i)
        pieces.push_back(
            {{trace.oldestNs() + i * eachNs, trace.oldestNs() + (i + 1) * eachNs}, static_cast<double>(eachNs) / 1e9});
    return pieces;
}

/// A percentile of pieces with at least 100 frames each, so that each of them has one.
CaptureBatches p99Pieces(std::span<const float> frameMs)
{
    CaptureBatches batches;
    const std::size_t count = std::clamp<std::size_t>(frameMs.size() / kFramesOfP99, 1, kMaxP99Pieces);
    const std::size_t length = frameMs.size() / count;
    for (std::size_t at = 0; length > 0 && at + length <= frameMs.size(); at += length)
        batches.push_back(percentileOfUnsorted({frameMs.begin() + static_cast<std::ptrdiff_t>(at),
                                                frameMs.begin() + static_cast<std::ptrdiff_t>(at + length)},
                                               0.99));
    return batches;
}

/// mJ per frame in pieces that are long enough for the readings of the power; unknown as a whole if one of them is.
CaptureBatches energyPieces(const Trace &trace, const UsedFrames &used)
{
    constexpr std::int64_t kMinPieceNs = 500'000'000;
    const Interval whole = timeOfFrames(trace.frames(), used);
    const auto pieces = static_cast<std::size_t>(
        std::clamp<std::int64_t>((whole.endNs - whole.startNs) / kMinPieceNs, 1, kPiecesOfTime));
    CaptureBatches batches;
    for (const UsedFrames &piece : cutFrames(used, pieces)) {
        const Energy energy = energyWithin(trace.counters(), timeOfFrames(trace.frames(), piece));
        if (!energy.joules.known())
            return {};
        batches.push_back(*energy.joules.value * 1e3 / static_cast<double>(piece.count()));
    }
    return batches;
}

void addEnergyOf(CaptureFigures &capture, const Trace &trace, const UsedFrames &used)
{
    const Energy energy = energyWithin(trace.counters(), timeOfFrames(trace.frames(), used));
    if (!energy.joules.known()) {
        capture.energyReason = energy.joules.reason;
        return;
    }
    const auto index = static_cast<std::size_t>(Figure::Energy);
    capture.metrics[index] = energyPieces(trace, used);
    capture.values[index] = *energy.joules.value * 1e3 / static_cast<double>(used.count());
}

std::optional<double> finiteFigure(const CaptureBatches &batches)
{
    const double figure = figureOfBatches(batches);
    return std::isfinite(figure) ? std::optional(figure) : std::nullopt;
}

/// Pieces of overlap and headroom, which are pooled.
void addPooled(CaptureFigures &capture, const Trace &trace, const UsedFrames &used)
{
    const bool gpuIsKnown = hasGpuSpans(trace);
    const auto sumsOf = [&](const UsedFrames &frames) {
        RunFigures run;
        run.frames = frames.count();
        run.headroom = headroomOfFrames(trace, frames.first, frames.last);
        run.pooled = run.headroom.overlap;
        run.gpuIsKnown = gpuIsKnown;
        return run;
    };
    std::vector<RunFigures> pieces;
    for (const UsedFrames &piece : cutFrames(used, pieceCount(used, kFrameMethod.batch, kPiecesOfTime)))
        pieces.push_back(sumsOf(piece));
    const RunFigures whole = sumsOf(used);
    for (const Figure figure : captureFigures()) {
        if (rowOf(figure).sum != FigureSum::Pooled)
            continue;
        CaptureBatches &batches = capture.metrics[static_cast<std::size_t>(figure)];
        for (const RunFigures &piece : pieces)
            if (const auto value = readingOf(piece, figure).value)
                batches.push_back(*value);
        const std::optional<double> value = readingOf(whole, figure).value;
        capture.values[static_cast<std::size_t>(figure)] = value ? value : finiteFigure(batches);
    }
}

void addMetrics(CaptureFigures &capture, const Trace &trace, const UsedFrames &used)
{
    std::vector<FrameFigures> frames;
    for (std::uint64_t i = used.first; i < used.last; ++i)
        frames.push_back(trace.frames().at(i));
    StatisticsMethod rest = kFrameMethod;
    rest.warmUp = 0;
    StretchFigures stretch = figuresOfStretch(frames, {}, rest);
    stretch.batches[static_cast<std::size_t>(Figure::FrameP99)] = p99Pieces(stretch.frameMs);
    const bool gpuIsKnown = hasGpuSpans(trace);
    for (const Figure figure : captureFigures()) {
        const auto i = static_cast<std::size_t>(figure);
        if (!rowOf(figure).ofFrame || (rowOf(figure).needsGpu && !gpuIsKnown))
            continue;
        capture.metrics[i] = std::move(stretch.batches[i]);
        capture.values[i] = finiteFigure(capture.metrics[i]);
    }
    capture.leasts = summariseFrames(frames, rest).leasts;
    if (!stretch.frameMs.empty()) {
        const auto value = [&](Figure figure) -> std::optional<double> & {
            return capture.values[static_cast<std::size_t>(figure)];
        };
        std::vector<double> sorted(stretch.frameMs.begin(), stretch.frameMs.end());
        std::sort(sorted.begin(), sorted.end());
        value(Figure::FrameP50) = percentileOf(sorted, 0.5);
        value(Figure::FrameP99) = percentileOf(sorted, 0.99);
    }
    addPooled(capture, trace, used);
}

/// False when cancelled.
bool addPath(CaptureFigures &capture, const Trace &trace, const UsedFrames &used, Progress &progress)
{
    const UsedFrames followed{used.last - std::min<std::uint64_t>(used.count(), kMaxFramesSummarised), used.last};
    TracePaths paths(trace);
    std::vector<PathPiece> pieces;
    for (const UsedFrames &piece : cutFrames(followed, pieceCount(followed, kFrameMethod.batch, kMaxCapturePieces))) {
        pieces.clear();
        paths.follow(piece.first, piece.last, pieces);
        PathSums sums;
        sums.add(pieces);
        const PathSummary summary = paths.summary(sums);
        if (!progress.advance(1))
            return false;
        if (summary.empty())
            continue;
        for (const PathShare &share : summary.shares) {
            CaptureBatches &batches = capture.path[{share.what, share.role}];
            batches.resize(capture.pathPieces + 1);
            batches.back() += share.ms;
        }
        ++capture.pathPieces;
    }
    for (auto &[kind, batches] : capture.path)
        batches.resize(capture.pathPieces);
    return true;
}

/// The mean over a time of a value that holds until the next sample; empty if it is never known.
std::optional<double> meanOfCounter(const CounterTrack &track, Interval time)
{
    double sum = 0;
    double known = 0;
    const auto add = [&](std::int64_t fromNs, std::int64_t toNs, double value) {
        const auto ns = static_cast<double>(std::min(toNs, time.endNs) - std::max(fromNs, time.startNs));
        if (ns <= 0 || !std::isfinite(value))
            return;
        sum += value * ns;
        known += ns;
    };
    for (std::uint64_t i = track.firstIndex(); i < track.endIndex(); ++i) {
        const auto [ns, value] = track.at(i);
        add(ns, i + 1 < track.endIndex() ? track.at(i + 1).first : time.endNs, value);
    }
    return known > 0 ? std::optional(sum / known) : std::nullopt;
}

void addMachine(CaptureFigures &capture, const Trace &trace, Interval time)
{
    for (const CounterTrack &track : trace.counters()) {
        const CounterInfo &info = track.info();
        const bool isState =
            info.name == kPowerModeCounter || info.name == kOutsideLoadCounter || isLimitCounter(info.name);
        if (info.lane || (info.unit != "Hz" && info.unit != "°C" && !isState))
            continue;
        if (const auto mean = meanOfCounter(track, time))
            capture.machine.push_back({info.name, info.unit, *mean});
    }
}

} // namespace

std::optional<CaptureFigures> figuresOfCapture(const Trace &trace, Progress &progress)
{
    CaptureFigures capture;
    capture.origin = trace.origin();
    capture.file = trace.origin().file;
    capture.frames = trace.frames().endIndex() - trace.frames().firstIndex();
    const auto change = std::find_if(trace.marks().all().begin(), trace.marks().all().end(), [](const TraceMark &mark) {
        return mark.kind == TraceMark::Kind::Switch && !mark.text.empty();
    });
    if (change != trace.marks().all().end())
        capture.change = change->text;
    if (trace.empty())
        return capture;
    const UsedFrames used = usedFrames(trace);
    capture.perFrame = used.count() > 0;
    const std::vector<TimePiece> pieces = timePieces(trace, used);
    capture.pieces = pieces.size();
    addMachine(capture, trace, {pieces.front().time.startNs, pieces.back().time.endNs});
    if (capture.perFrame) {
        addMetrics(capture, trace, used);
        addEnergyOf(capture, trace, used);
        if (!addPath(capture, trace, used, progress))
            return std::nullopt;
    }
    if (!addSpanKinds(capture, trace, pieces, progress))
        return std::nullopt;
    return capture;
}

} // namespace jetscope
