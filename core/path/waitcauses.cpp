// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/path/waitcauses.h"

#include "core/figures/busytimesweep.h"
#include "core/path/tracepaths.h"

#include <algorithm>

namespace jetscope {

namespace {

/// Number of spans before a wait's end that are checked on each track: more than all frames in flight have.
constexpr std::uint64_t kMaxLookedAt = 512;
constexpr std::uint64_t kMaxLookedAtInAll = 1 << 14;

BusyTimeSweep workIn(const Trace &trace, Interval window)
{
    BusyTimeSweep work(window);
    for (const SpanTrack &track : trace.tracks()) {
        const LaneInfo *lane = trace.lane(track.lane());
        if (!lane || !BusyTimeSweep::counts(lane->role))
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

} // namespace

std::vector<BusyPiece> busyPieces(const Trace &trace, Interval window)
{
    BusyTimeSweep work = workIn(trace, window);
    std::vector<BusyPiece> pieces;
    append(pieces, BusyPiece::Kind::CpuOnly,
           work.when([](const BusyLanes &lanes) { return lanes.cpu() && !lanes.gpu(); }));
    for (const bool certain : {true, false}) {
        const auto gpu = [certain](const BusyLanes &lanes) { return lanes.gpu() && lanes.gpuCertainly() == certain; };
        append(pieces, BusyPiece::Kind::GpuOnly,
               work.when([&](const BusyLanes &lanes) { return gpu(lanes) && !lanes.cpu(); }), certain);
        append(pieces, BusyPiece::Kind::Both,
               work.when([&](const BusyLanes &lanes) { return gpu(lanes) && lanes.cpu(); }), certain);
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
    const TraceSpan &span = wait.bar.span;
    if (!isWait(trace.names().category(span.name)))
        return std::nullopt;
    const LaneId lane = trace.tracks()[wait.track].lane();
    TraceRules rules(trace);
    if (!rules.load({span.startNs - 1, span.endNs() + 1}, kMaxLookedAt, kMaxLookedAtInAll))
        return std::nullopt;
    rules.rules().build();
    const std::optional<PathSpan> found = rules.rules().releaserOf(lane, span.endNs());
    if (!found)
        return std::nullopt;
    for (std::size_t place = 0; place < trace.tracks().size(); ++place) {
        const SpanTrack &track = trace.tracks()[place];
        if (track.lane() != found->lane || track.depth() != found->depth)
            continue;
        const std::uint64_t index = track.firstFrom(found->startNs);
        return SpanPlace{place, {index, track.at(index)}};
    }
    return std::nullopt;
}

} // namespace jetscope
