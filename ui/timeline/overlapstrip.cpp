// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/overlapstrip.h"

#include "ui/timeline/tracehistory.h"

#include <algorithm>
#include <map>

namespace jetscope {

namespace {

/// What one lane did in the window. Work may be the outer span of a wait or the other way round.
struct LaneTime {
    LaneRole role = LaneRole::Tool;
    Intervals busy;
    Intervals waits;
};

std::map<LaneId, LaneTime> laneTimes(const TraceHistory &history, Interval window)
{
    std::map<LaneId, LaneTime> lanes;
    for (const Track &track : history.tracks()) {
        const LaneInfo *info = history.lane(track.lane);
        if (!info)
            continue;
        LaneTime &lane = lanes[track.lane];
        lane.role = info->role;
        const auto [first, last] = track.range(window.startNs, window.endNs);
        for (std::size_t i = first; i < last; ++i) {
            const Span &span = track.spans[i];
            const Category category = spanCategory(span.name);
            if (category != Category::Tool)
                (isWait(category) ? lane.waits : lane.busy).push_back({span.startNs, span.endNs()});
        }
    }
    return lanes;
}

void append(std::vector<BusyPiece> &pieces, BusyPiece::Kind kind, const Intervals &times)
{
    for (const Interval &time : times)
        pieces.push_back({kind, time});
}

} // namespace

std::vector<BusyPiece> busyPieces(const TraceHistory &history, Interval window)
{
    Intervals cpu;
    Intervals gpu;
    for (auto &[id, lane] : laneTimes(history, window)) {
        const bool counted = lane.role == LaneRole::Pipeline || lane.role == LaneRole::CpuStage;
        if (!counted && !isGpuLane(lane.role))
            continue;
        const Intervals busy = subtracted(merged(std::move(lane.busy)), merged(std::move(lane.waits)));
        Intervals &side = counted ? cpu : gpu;
        side.insert(side.end(), busy.begin(), busy.end());
    }
    cpu = clipped(merged(std::move(cpu)), window);
    gpu = clipped(merged(std::move(gpu)), window);

    std::vector<BusyPiece> pieces;
    append(pieces, BusyPiece::Kind::CpuOnly, subtracted(cpu, gpu));
    append(pieces, BusyPiece::Kind::GpuOnly, subtracted(gpu, cpu));
    append(pieces, BusyPiece::Kind::Both, intersected(cpu, gpu));
    std::sort(pieces.begin(), pieces.end(),
              [](const BusyPiece &a, const BusyPiece &b) { return a.time.startNs < b.time.startNs; });
    return pieces;
}

} // namespace jetscope
