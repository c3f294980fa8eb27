// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/tracefigures.h"

#include "core/figures/busytimesweep.h"
#include "core/trace/timelimits.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace jetscope {

namespace {

constexpr std::uint64_t kMaxFigureFrames = 1 << 17;
constexpr std::uint64_t kFramesAtOnce = 512;

/// Adds the busy times of the capture thread and the view in an interval.
void addOtherLanes(const Trace &trace, Interval piece, std::map<LaneId, std::int64_t> &busyNs)
{
    BusyTimeSweep work(piece);
    for (const SpanTrack &track : trace.tracks()) {
        const LaneInfo *lane = trace.lane(track.lane());
        if (!lane || (lane->role != LaneRole::Capture && lane->role != LaneRole::View))
            continue;
        const auto [first, last] = track.range(piece.startNs, piece.endNs);
        for (std::uint64_t index = first; index < last; ++index) {
            const TraceSpan span = track.at(index);
            work.add(lane->id, lane->role, track.depth(), trace.names().category(span.name),
                     {span.startNs, span.endNs()});
        }
    }
    for (const LaneBusy &lane : work.lanesBusy())
        busyNs[lane.lane] += lane.busyNs;
}

} // namespace

std::int64_t sourceTimeIn(const Trace &trace, Interval range)
{
    const auto counter = std::find_if(trace.counters().begin(), trace.counters().end(), [](const CounterTrack &track) {
        return track.info().name == kSourcePeriodCounter && !track.info().lane;
    });
    const auto [first, last] = trace.frames().range(range.startNs, range.endNs);
    if (counter == trace.counters().end() || first == last)
        return kSourcePeriodUnknown;
    constexpr double kNsPerMs = 1e6;
    const auto mostNs = static_cast<double>(kMaxTraceNs);
    const double periodNs = counter->valueAt(range.endNs).value_or(-1) * kNsPerMs;
    if (!(periodNs >= 0 && periodNs <= mostNs))
        return kSourcePeriodUnknown;
    const auto partOf = [&](std::uint64_t frame) {
        const FrameFigures figures = trace.frames().at(frame);
        const std::int64_t endNs = figures.startNs + figures.periodNs();
        const std::int64_t within = std::min(range.endNs, endNs) - std::max(range.startNs, figures.startNs);
        return figures.periodNs() > 0 ? static_cast<double>(within) / static_cast<double>(figures.periodNs()) : 0;
    };
    double frames = partOf(first);
    if (last - first > 1)
        frames += partOf(last - 1) + static_cast<double>(last - first - 2);
    return std::llround(std::min(periodNs * frames, mostNs));
}

/// A pause between two frames belongs to no frame, so the sum runs over the periods instead of the whole time.
Headroom headroomOfFrames(const Trace &trace, std::uint64_t first, std::uint64_t last)
{
    const FrameTable &frames = trace.frames();
    Headroom headroom;
    headroom.overlap = frames.sum(first, last).overlap;
    std::map<LaneId, std::int64_t> busyNs;
    for (std::uint64_t from = first; from < last;) {
        std::int64_t endNs = frames.at(from).startNs;
        const std::int64_t startNs = endNs;
        std::uint64_t to = from;
        for (; to < std::min(last, from + kFramesAtOnce) && frames.at(to).startNs == endNs; ++to)
            endNs += frames.at(to).periodNs();
        addOtherLanes(trace, {startNs, endNs}, busyNs);
        from = std::max(to, from + 1);
    }
    for (const auto &[lane, ns] : busyNs)
        if (ns > headroom.laneNs) {
            headroom.laneNs = ns;
            headroom.lane = "the lane " + trace.lane(lane)->name;
        }
    if (first < last)
        headroom.sourceNs = sourceTimeIn(
            trace, {frames.at(first).startNs, frames.at(last - 1).startNs + frames.at(last - 1).periodNs()});
    return headroom;
}

bool hasGpuSpans(const Trace &trace)
{
    return std::any_of(trace.tracks().begin(), trace.tracks().end(), [&](const SpanTrack &track) {
        const LaneInfo *lane = trace.lane(track.lane());
        return lane && isGpuLane(lane->role);
    });
}

std::string overlapReasonIn(const Trace &trace, const Overlap &overlap)
{
    return hasGpuSpans(trace) ? overlap.overlapReason() : std::string(kNothingOfTheGpu);
}

StatisticsMethod methodOf(const Trace &trace)
{
    StatisticsMethod method;
    const bool isOfPipeline = trace.origin().config.has_value();
    const auto isAttached = [](const TraceFact &fact) { return fact.first == kAttachedFact; };
    if (!isOfPipeline && std::none_of(trace.facts().begin(), trace.facts().end(), isAttached))
        method.warmUp = 0;
    method.lastIsCut = isOfPipeline;
    return method;
}

std::pair<std::uint64_t, std::uint64_t> framesAfterWarmUp(const Trace &trace)
{
    const FrameTable &frames = trace.frames();
    const std::uint64_t count = frames.endIndex() - frames.firstIndex();
    const std::size_t warmUp = methodOf(trace).warmUp;
    return {frames.firstIndex() + (count > warmUp ? warmUp : 0), frames.endIndex()};
}

RunFigures summariseTrace(const Trace &trace)
{
    const FrameTable &frames = trace.frames();
    const std::uint64_t count = frames.endIndex() - frames.firstIndex();
    std::vector<FrameFigures> newest;
    for (std::uint64_t i = frames.endIndex() - std::min(count, kMaxFigureFrames); i < frames.endIndex(); ++i)
        newest.push_back(frames.at(i));
    RunFigures figures = summariseFrames(newest, methodOf(trace));
    figures.frames = static_cast<std::size_t>(count);
    const auto [first, last] = framesAfterWarmUp(trace);
    figures.headroom = headroomOfFrames(trace, first, last);
    figures.pooled = figures.headroom.overlap;
    figures.gpuIsKnown = hasGpuSpans(trace);
    return figures;
}

} // namespace jetscope
