// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/causes.h"

#include "core/lanework.h"

#include <algorithm>

namespace jetscope {

namespace {

/// How many spans before a wait's end are looked at on each track: more than all frames in flight have.
constexpr std::uint64_t kMostLookedAt = 512;

LaneWork workIn(const Trace &trace, Interval window)
{
    LaneWork work(window);
    for (const SpanTrack &track : trace.tracks()) {
        const LaneInfo *lane = trace.lane(track.lane());
        if (!lane || !LaneWork::counts(lane->role))
            continue;
        const auto [first, last] = track.range(window.startNs, window.endNs);
        for (std::uint64_t index = first; index < last; ++index) {
            const TraceSpan span = track.at(index);
            work.add(lane->id, lane->role, track.depth(), trace.names().category(span.name),
                     {span.startNs, span.endNs()}, trace.names().certainty(span.name));
        }
    }
    return work;
}

void append(std::vector<BusyPiece> &pieces, BusyPiece::Kind kind, const Intervals &times, bool certain = true)
{
    for (const Interval &time : times)
        pieces.push_back({kind, time, certain});
}

/// How far the times of a lane may be off at a moment.
std::int64_t uncertaintyNs(const Trace &trace, LaneId lane, std::int64_t ns)
{
    for (const CounterTrack &counter : trace.counters())
        if (counter.info().lane == lane && counter.info().unit == "ns")
            return static_cast<std::int64_t>(std::clamp(counter.valueAt(ns).value_or(0), 0.0, 1e9));
    return 0;
}

bool isBetter(const std::optional<SpanPlace> &best, const TraceSpan &span)
{
    return !best || span.endNs() > best->bar.span.endNs();
}

/// Of the spans that ended while `wait` lasted, on lanes and of frames that fit: the one that ended last.
template <class LaneFits, class SpanFits>
std::optional<SpanPlace> lastEnded(const Trace &trace, const SpanPlace &wait, LaneFits laneFits, SpanFits spanFits)
{
    std::optional<SpanPlace> best;
    const LaneId waiting = trace.tracks()[wait.track].lane();
    for (std::size_t place = 0; place < trace.tracks().size(); ++place) {
        const SpanTrack &track = trace.tracks()[place];
        const LaneInfo *lane = trace.lane(track.lane());
        if (!lane || lane->id == waiting || !laneFits(lane->role))
            continue;
        const std::int64_t slack = uncertaintyNs(trace, lane->id, wait.bar.span.endNs());
        const std::int64_t from = wait.bar.span.startNs - slack;
        const std::int64_t to = wait.bar.span.endNs() + slack;
        const auto [first, last] = track.range(from, to + 1);
        const std::uint64_t until = last - first > kMostLookedAt ? last - kMostLookedAt : first;
        for (std::uint64_t index = last; index > until; --index) {
            const TraceSpan span = track.at(index - 1);
            const bool ended = span.endNs() <= to && span.endNs() >= from;
            if (!ended || isWait(trace.names().category(span.name)) || !spanFits(span))
                continue;
            if (isBetter(best, span))
                best = SpanPlace{place, {index - 1, span}};
            break;
        }
    }
    return best;
}

} // namespace

std::vector<BusyPiece> busyPieces(const Trace &trace, Interval window)
{
    LaneWork work = workIn(trace, window);
    std::vector<BusyPiece> pieces;
    append(pieces, BusyPiece::Kind::CpuOnly, work.when([](const BusyLanes &lanes) { return lanes.cpu() && !lanes.gpu(); }));
    for (const bool certain : {true, false}) {
        const auto gpu = [certain](const BusyLanes &lanes) { return lanes.gpu() && lanes.gpuCertainly() == certain; };
        append(pieces, BusyPiece::Kind::GpuOnly, work.when([&](const BusyLanes &lanes) { return gpu(lanes) && !lanes.cpu(); }),
               certain);
        append(pieces, BusyPiece::Kind::Both, work.when([&](const BusyLanes &lanes) { return gpu(lanes) && lanes.cpu(); }),
               certain);
    }
    std::sort(pieces.begin(), pieces.end(),
              [](const BusyPiece &a, const BusyPiece &b) { return a.time.startNs < b.time.startNs; });
    return pieces;
}

Overlap overlapIn(const Trace &trace, Interval window)
{
    return workIn(trace, window).overlap();
}

Intervals contendedPieces(const Trace &trace, Interval window)
{
    return workIn(trace, window).when([](const BusyLanes &lanes) {
        return lanes.any(LaneRole::DeviceStream) && lanes.any(LaneRole::GlQueue);
    });
}

std::optional<SpanPlace> waitedFor(const Trace &trace, const SpanPlace &wait)
{
    const std::uint32_t frame = wait.bar.span.frame;
    const auto ofThisFrame = [frame](const TraceSpan &span) { return frame != kNoFrame && span.frame == frame; };
    const auto ofAnotherFrame = [frame](const TraceSpan &span) {
        return span.frame != kNoFrame && span.frame != frame;
    };
    const auto isCpuStage = [](LaneRole role) { return role == LaneRole::CpuStage; };
    const auto isCapture = [](LaneRole role) { return role == LaneRole::Capture; };
    const auto any = [](const TraceSpan &) { return true; };
    switch (trace.names().category(wait.bar.span.name)) {
    case Category::WaitSync:
    case Category::WaitMemory:
        return lastEnded(trace, wait, isGpuLane, ofThisFrame);
    case Category::WaitSlot: {
        const auto device = lastEnded(trace, wait, isGpuLane, ofAnotherFrame);
        return device ? device : lastEnded(trace, wait, isCpuStage, any);
    }
    case Category::WaitInput: {
        const auto capture = lastEnded(trace, wait, isCapture, ofThisFrame);
        return capture ? capture : lastEnded(trace, wait, isCapture, any);
    }
    default:
        return std::nullopt;
    }
}

} // namespace jetscope
