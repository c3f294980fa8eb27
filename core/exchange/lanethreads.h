// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <string>
#include <vector>

namespace jetscope {

/// One thread of a Chrome trace: a lane and those of its depths whose spans nest.
struct LaneThread {
    LaneInfo lane;
    std::string name;
    std::vector<const SpanTrack *> tracks; ///< Sorted by depth.
};

/// The threads for writing a trace: one per lane, and another one for each depth whose spans do not nest with those of
/// the other depths, because complete events of one thread must nest.
std::vector<LaneThread> laneThreads(const Trace &trace);

/// Calls `take(track, span)` for the spans of these tracks in order of their starts, enclosing spans before nested
/// ones, until it returns false. Suited for a few tracks. Limits are indices into each track.
template <class Take>
void eachSpanOfLane(const std::vector<const SpanTrack *> &tracks, Interval range, Take take)
{
    std::vector<std::pair<std::uint64_t, std::uint64_t>> places;
    std::vector<TraceSpan> heads(tracks.size());
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        places.push_back(tracks[i]->range(range.startNs, range.endNs));
        if (places[i].first < places[i].second)
            heads[i] = tracks[i]->at(places[i].first);
    }
    while (true) {
        std::size_t best = tracks.size();
        for (std::size_t i = 0; i < tracks.size(); ++i)
            if (places[i].first < places[i].second
                && (best == tracks.size() || heads[i].startNs < heads[best].startNs
                    || (heads[i].startNs == heads[best].startNs && heads[i].durationNs > heads[best].durationNs)))
                best = i;
        if (best == tracks.size() || !take(*tracks[best], heads[best]))
            return;
        if (++places[best].first < places[best].second)
            heads[best] = tracks[best]->at(places[best].first);
    }
}

} // namespace jetscope
