// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"

#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace jetscope {

/// Calls `take(track, span)` for every span of a trace in order of start, until it returns false. O(n log tracks).
template <class Take>
void eachSpanInOrder(const Trace &trace, Take take)
{
    struct Next {
        std::int64_t startNs;
        std::size_t track;
        std::uint64_t index;
        bool operator>(const Next &other) const
        {
            return std::pair(startNs, track) > std::pair(other.startNs, other.track);
        }
    };
    std::priority_queue<Next, std::vector<Next>, std::greater<>> heads;
    const std::vector<SpanTrack> &tracks = trace.tracks();
    for (std::size_t i = 0; i < tracks.size(); ++i)
        if (!tracks[i].empty())
            heads.push({tracks[i].at(tracks[i].firstIndex()).startNs, i, tracks[i].firstIndex()});
    while (!heads.empty()) {
        const Next next = heads.top();
        heads.pop();
        const SpanTrack &track = tracks[next.track];
        if (!take(track, track.at(next.index)))
            return;
        if (next.index + 1 < track.endIndex())
            heads.push({track.at(next.index + 1).startNs, next.track, next.index + 1});
    }
}

} // namespace jetscope
