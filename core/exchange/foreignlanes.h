// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/spanpoints.h"
#include "core/progress.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

/// Collects the spans of another program's trace, lane by lane and in any order, and puts them into a trace: sorted,
/// and each at the least depth at which it overlaps none of its lane, below those that hold it. One thread.
class ForeignLanes {
public:
    static constexpr std::size_t kMostLanes = Trace::kMostTracks;
    static constexpr int kAnyDepth = -1;

    /// None when there are too many.
    std::optional<LaneId> addLane(LaneRole role, std::string name, std::string detail = {});
    LaneInfo &info(LaneId lane) { return m_infos[lane]; }
    std::size_t lanes() const { return m_infos.size(); }

    /// A depth that is given is kept.
    void add(LaneId lane, const TraceSpan &span, int depth = kAnyDepth);
    std::uint64_t spans() const { return m_spans; }

    /// Calls `take(span)` for every span of a lane, in any order; what it changes stays, but start and duration.
    template <class Take>
    void each(LaneId lane, Take take)
    {
        for (std::vector<Placed> &block : m_lanes[lane].blocks)
            for (Placed &placed : block)
                take(placed.span);
    }

    /// Gives lanes and spans away, lane by lane. False when it was cancelled. Spans that even the greatest depth has no
    /// room for are the trace's lateSpans. Finds the spans of `points` on the way. `from` and `to` are the part of the
    /// progress.
    bool moveTo(Trace &trace, SpanPoints &points, Progress &progress, double from, double to);

private:
    struct Placed {
        TraceSpan span;
        int depth;
    };
    /// In blocks, so that growing moves nothing.
    struct Lane {
        static constexpr std::size_t kBlock = 2048;
        std::vector<std::vector<Placed>> blocks;
        bool sorted = true;
    };

    static bool goesBefore(const Placed &a, const Placed &b);
    static bool sort(Lane &lane, Progress &progress, double fraction);

    std::vector<LaneInfo> m_infos;
    std::vector<Lane> m_lanes;
    std::uint64_t m_spans = 0;
};

} // namespace jetscope
