// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/spanpoints.h"
#include "core/progress.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

/// Collects the spans of another program's trace, by lane and in any order, and moves them into a trace: sorted, and
/// each at the lowest depth below its enclosing spans at which it overlaps no other span of its lane. Not thread-safe.
class ForeignLanes {
public:
    static constexpr std::size_t kMostLanes = Trace::kMostTracks;
    static constexpr int kAnyDepth = -1;

    /// Empty if there are too many lanes.
    std::optional<LaneId> addLane(LaneRole role, std::string name, std::string detail = {});
    LaneInfo &info(LaneId lane) { return m_infos[lane]; }
    std::size_t lanes() const { return m_infos.size(); }

    /// An explicit depth is kept.
    void add(LaneId lane, const TraceSpan &span, int depth = kAnyDepth);
    std::uint64_t spans() const { return m_spans; }

    /// Calls `take(span)` for every span of a lane, in any order. `take` may modify the span, except for its start and
    /// duration.
    template <class Take>
    void each(LaneId lane, Take take)
    {
        for (std::vector<Placed> &block : m_lanes[lane].blocks)
            for (Placed &placed : block)
                take(placed.span);
    }

    /// Moves lanes and spans into the trace, lane by lane, and binds the `points` to their spans. Returns false when
    /// cancelled. Spans that do not fit even at the greatest depth are counted in the trace's lateSpans. Progress is
    /// reported from `from` to `to`; `refused` gets every span that does not fit.
    bool moveTo(Trace &trace, SpanPoints &points, Progress &progress, double from, double to,
                const std::function<void(const TraceSpan &)> &refused = {});

private:
    struct Placed {
        TraceSpan span;
        int depth;
    };
    /// Stored in blocks, so that growing moves no spans.
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
