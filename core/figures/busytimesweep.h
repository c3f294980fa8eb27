// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/overlap.h"
#include "core/recording/span.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace jetscope {

/// Waiting time of the pipeline thread, by kind of wait.
struct WaitTimes {
    std::int64_t syncNs = 0;
    std::int64_t memoryNs = 0;
    std::int64_t slotNs = 0;
    std::int64_t inputNs = 0;

    /// Adds the times to a struct with wait members, such as FrameFigures.
    template <class Figures>
    void addTo(Figures &figures) const
    {
        figures.waitSyncNs += syncNs;
        figures.waitMemoryNs += memoryNs;
        figures.waitSlotNs += slotNs;
        figures.waitInputNs += inputNs;
    }
};

/// Number of busy lanes per role at a point in time.
class BusyLanes {
public:
    bool any(LaneRole role) const { return m_lanes[static_cast<std::size_t>(role)] > 0; }
    bool cpu() const { return any(LaneRole::Pipeline) || any(LaneRole::CpuStage); }    ///< C
    bool gpu() const { return any(LaneRole::DeviceStream) || any(LaneRole::GlQueue); } ///< G, upper bound.
    /// G, lower bound: an exact span shows that the GPU is busy, not only a bounded one.
    bool gpuCertainly() const { return certainly(LaneRole::DeviceStream) || certainly(LaneRole::GlQueue); }

private:
    friend class BusyTimeSweep;
    bool certainly(LaneRole role) const { return m_certain[static_cast<std::size_t>(role)] > 0; }

    std::array<int, kLaneRoleCount> m_lanes{};
    std::array<int, kLaneRoleCount> m_certain{};
};

/// Busy time of one lane.
struct LaneBusy {
    LaneId lane = 0;
    LaneRole role = LaneRole::Tool;
    std::int64_t busyNs = 0; ///< Upper bound if spans are bounded.
};

/// Determines which lanes are busy and which wait during a period. All figures and displays of overlap use this class
/// (definitions: resources/docs/figures.md).
class BusyTimeSweep {
public:
    explicit BusyTimeSweep(Interval period = {}) : m_period(period) {}
    /// Clears, keeping capacity.
    void restart(Interval period);

    /// Whether a role counts as CPU or GPU.
    static bool counts(LaneRole role);
    /// Adds a span, in any order. Ignores the parts outside the period and spans that are not work of the pipeline.
    void add(LaneId lane, LaneRole role, std::uint8_t depth, Category category, Interval time,
             Certainty certainty = Certainty::Exact);

    /// The intervals of the period for which `holds(busy lanes)` is true, in order, merged where adjacent.
    template <class Holds>
    Intervals when(Holds holds);

    Overlap overlap();
    WaitTimes waits();
    /// All lanes that were added, including those that count neither as CPU nor as GPU.
    std::vector<LaneBusy> lanesBusy();

private:
    /// The start or end of work or of a wait on a lane.
    struct Edge {
        std::int64_t ns = 0;
        std::uint16_t lane = 0; ///< An index into m_lanes.
        bool isWait = false;
        bool isBounded = false;
        std::int8_t step = 0; ///< 1 at the start, -1 at the end.
    };
    struct Wait {
        Interval piece;
        std::uint16_t lane = 0;
        Category category = Category::WaitSync;
        std::uint8_t depth = 0;
    };
    struct Lane {
        LaneId id = 0;
        LaneRole role = LaneRole::Tool;
        // Open spans at the current time of the sweep. Waits may be nested in work; during a wait the lane is not busy.
        int working = 0;
        int waiting = 0;
        int boundedWork = 0; ///< Number of bounded spans in `working`.
        int boundedWaits = 0;

        void step(const Edge &edge)
        {
            (edge.isWait ? waiting : working) += edge.step;
            if (edge.isBounded)
                (edge.isWait ? boundedWaits : boundedWork) += edge.step;
        }
        /// Upper bound: busy unless it certainly waits.
        bool isBusy() const { return working > 0 && waiting == boundedWaits; }
        bool isCertainlyBusy() const { return working > boundedWork && waiting == 0; }
    };

    std::uint16_t indexOf(LaneId lane, LaneRole role);
    void sortEdges()
    {
        std::sort(m_edges.begin(), m_edges.end(), [](const Edge &a, const Edge &b) { return a.ns < b.ns; });
    }
    /// Calls visit(interval, busy lanes) for consecutive intervals between edges, from the first edge to the last.
    template <class Visit>
    void sweep(Visit visit);

    Interval m_period;
    std::vector<Lane> m_lanes; ///< Only a few elements, so linear search is fastest.
    std::vector<Edge> m_edges;
    std::vector<Wait> m_waits; ///< On pipeline threads.
};

template <class Visit>
void BusyTimeSweep::sweep(Visit visit)
{
    sortEdges();
    BusyLanes busy;
    std::int64_t atNs = m_period.startNs;
    for (const Edge &edge : m_edges) {
        if (edge.ns > atNs)
            visit(Interval{atNs, edge.ns}, std::as_const(busy));
        atNs = edge.ns;
        Lane &lane = m_lanes[edge.lane];
        const bool wasBusy = lane.isBusy();
        const bool wasCertain = lane.isCertainlyBusy();
        lane.step(edge);
        busy.m_lanes[static_cast<std::size_t>(lane.role)] += int{lane.isBusy()} - int{wasBusy};
        busy.m_certain[static_cast<std::size_t>(lane.role)] += int{lane.isCertainlyBusy()} - int{wasCertain};
    }
}

template <class Holds>
Intervals BusyTimeSweep::when(Holds holds)
{
    Intervals pieces;
    sweep([&](Interval piece, const BusyLanes &lanes) {
        if (!holds(lanes))
            return;
        if (!pieces.empty() && pieces.back().endNs == piece.startNs)
            pieces.back().endNs = piece.endNs;
        else
            pieces.push_back(piece);
    });
    return pieces;
}

} // namespace jetscope
