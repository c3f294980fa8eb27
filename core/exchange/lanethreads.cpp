// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/lanethreads.h"

#include "core/trace/timelimits.h"

#include <algorithm>
#include <bitset>
#include <limits>

namespace jetscope {

namespace {

using DepthSet = std::bitset<std::numeric_limits<std::uint8_t>::max() + std::size_t{1}>;

/// The depths of one lane that do not nest with lower depths.
DepthSet strayDepths(const std::vector<const SpanTrack *> &tracks)
{
    struct Open {
        std::int64_t endNs;
        std::uint8_t depth;
    };
    DepthSet stray;
    std::vector<Open> open;
    if (tracks.size() < 2)
        return stray;
    eachSpanOfLane(tracks, {-kMaxTraceNs, kMaxTraceNs}, [&](const SpanTrack &track, const TraceSpan &span) {
        while (!open.empty() && open.back().endNs <= span.startNs)
            open.pop_back();
        for (const Open &holder : open)
            if (holder.endNs > span.startNs && holder.endNs < span.endNs())
                stray.set(std::max(holder.depth, track.depth()));
        open.push_back({span.endNs(), track.depth()});
        return true;
    });
    return stray;
}

/// All lanes in display order, with their tracks.
std::vector<LaneThread> lanesAsShown(const Trace &trace)
{
    std::vector<LaneThread> lanes;
    for (const SpanTrack &track : trace.tracks()) {
        if (lanes.empty() || lanes.back().lane.id != track.lane()) {
            const LaneInfo *const info = trace.lane(track.lane());
            lanes.push_back({info ? *info : LaneInfo{track.lane(), LaneRole::Tool, {}, {}}, {}, {}});
        }
        lanes.back().tracks.push_back(&track);
    }
    std::vector<bool> hasSpans(std::numeric_limits<LaneId>::max() + std::size_t{1});
    for (const LaneThread &lane : lanes)
        hasSpans[lane.lane.id] = true;
    for (const LaneInfo &info : trace.lanes())
        if (!hasSpans[info.id])
            lanes.push_back({info, {}, {}});
    return lanes;
}

} // namespace

std::vector<LaneThread> laneThreads(const Trace &trace)
{
    std::vector<LaneThread> threads;
    for (LaneThread &lane : lanesAsShown(trace)) {
        const DepthSet stray = strayDepths(lane.tracks);
        LaneThread thread{lane.lane, lane.lane.name, {}};
        if (thread.name.empty())
            thread.name = "lane " + std::to_string(lane.lane.id);
        for (const SpanTrack *track : lane.tracks)
            if (!stray.test(track->depth()))
                thread.tracks.push_back(track);
        threads.push_back(thread);
        for (const SpanTrack *track : lane.tracks)
            if (stray.test(track->depth()))
                threads.push_back(
                    {lane.lane, thread.name + " (overlapping, depth " + std::to_string(track->depth()) + ")", {track}});
    }
    return threads;
}

} // namespace jetscope
