// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/spanpoints.h"
#include "core/progress.h"
#include "core/trace/trace.h"

#include <array>
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
    static constexpr std::size_t kMaxLanes = Trace::kMaxTracks;
    static constexpr std::int16_t kAnyDepth = -1;

    /// Where a span came from.
    struct Source {
        char begin = 'X';       ///< The phases of its events in a Chrome trace.
        char end = '\0';        ///< None if it is one event.
        std::uint32_t work = 0; ///< What asked for it: spans of a device with the same number may overlap. 0: unknown.
    };

    /// Empty if there are too many lanes.
    std::optional<LaneId> addLane(LaneRole role, std::string name, std::string detail = {});
    LaneInfo &info(LaneId lane) { return m_infos[lane]; }
    std::size_t lanes() const { return m_infos.size(); }

    /// An explicit depth is kept.
    void add(LaneId lane, const TraceSpan &span) { add(lane, span, kAnyDepth, {}); }
    void add(LaneId lane, const TraceSpan &span, std::int16_t depth, Source source);
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

    /// Calls `take(span)` for every span of a lane in order of their starts, enclosing spans first. Otherwise as
    /// each(). Returns false when cancelled.
    template <class Take>
    bool eachInOrder(LaneId lane, Take take, Progress &progress, double fraction)
    {
        if (!sort(m_lanes[lane], progress, fraction))
            return false;
        each(lane, take);
        return progress.advance(fraction);
    }

    /// Calls `take(span, encloses)` for the spans of a lane for which `isRange(span)` is true, in order: whether
    /// another span begins within it. Otherwise as each(). Returns false when cancelled.
    template <class IsRange, class Take>
    bool eachRange(LaneId lane, IsRange isRange, Take take, Progress &progress, double fraction)
    {
        if (!sort(m_lanes[lane], progress, fraction))
            return false;
        TraceSpan *last = nullptr;
        for (std::vector<Placed> &block : m_lanes[lane].blocks)
            for (Placed &placed : block) {
                if (last && isRange(*last))
                    take(*last, placed.span.startNs < last->endNs());
                last = &placed.span;
            }
        if (last && isRange(*last))
            take(*last, false);
        return progress.advance(fraction);
    }

    /// Removes the spans for which `leavesOut(span, source)` is true.
    template <class LeavesOut>
    void removeIf(LaneId lane, LeavesOut leavesOut)
    {
        for (std::vector<Placed> &block : m_lanes[lane].blocks)
            m_spans -=
                std::erase_if(block, [&](const Placed &placed) { return leavesOut(placed.span, placed.source); });
        std::erase_if(m_lanes[lane].blocks, [](const std::vector<Placed> &block) { return block.empty(); });
    }

    /// Work of one queue of a device runs one after the other, so that none can last beyond several others that begin
    /// and end within it. Where such a span is also far longer than most, `cut(span)` is called and the span ends where
    /// the next one begins. `isWork(span)` says which spans count. Returns false when cancelled.
    template <class IsWork, class Cut>
    bool cutOverlong(LaneId lane, IsWork isWork, Cut cut, Progress &progress, double fraction)
    {
        std::vector<Placed *> works;
        if (!sort(m_lanes[lane], progress, fraction))
            return false;
        for (std::vector<Placed> &block : m_lanes[lane].blocks)
            for (Placed &placed : block)
                if (isWork(placed.span))
                    works.push_back(&placed);
        for (const auto &[place, endNs] : overlongOf(works)) {
            works[place]->span.durationNs = endNs - works[place]->span.startNs;
            cut(works[place]->span);
            m_lanes[lane].sorted = false;
        }
        return progress.advance(fraction);
    }

    /// Spans that the trace refused, by the phases of their events.
    std::uint64_t refused(char phase) const { return m_refused[static_cast<unsigned char>(phase) % m_refused.size()]; }

    /// Moves lanes and spans into the trace, lane by lane, and binds the `points` to their spans. Returns false when
    /// cancelled. Spans that do not fit even at the greatest depth are counted in the trace's lateSpans. Progress is
    /// reported from `from` to `to`; `refused` gets every span that does not fit.
    bool moveTo(Trace &trace, SpanPoints &points, Progress &progress, double from, double to,
                const std::function<void(const TraceSpan &)> &refused = {});

private:
    struct Placed {
        TraceSpan span;
        std::int16_t depth;
        Source source;
    };
    struct Overlong {
        std::size_t place;
        std::int64_t endNs;
    };
    /// Stored in blocks, so that growing moves no spans.
    struct Lane {
        static constexpr std::size_t kBlock = 2048;
        std::vector<std::vector<Placed>> blocks;
        bool sorted = true;
    };

    static bool goesBefore(const Placed &a, const Placed &b);
    static bool sort(Lane &lane, Progress &progress, double fraction);
    static std::vector<Overlong> overlongOf(const std::vector<Placed *> &works);
    void countRefused(const Source &source);

    std::vector<LaneInfo> m_infos;
    std::vector<Lane> m_lanes;
    std::uint64_t m_spans = 0;
    std::array<std::uint64_t, 128> m_refused{};
};

} // namespace jetscope
