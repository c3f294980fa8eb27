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

/// Time that the pipeline thread spent waiting, by what for.
struct WaitTimes {
    std::int64_t syncNs = 0;
    std::int64_t memoryNs = 0;
    std::int64_t slotNs = 0;
    std::int64_t inputNs = 0;

    /// Adds them to figures that have waits: FrameFigures and the like.
    template <class Figures>
    void addTo(Figures &figures) const
    {
        figures.waitSyncNs += syncNs;
        figures.waitMemoryNs += memoryNs;
        figures.waitSlotNs += slotNs;
        figures.waitInputNs += inputNs;
    }
};

/// How many lanes of each role are busy at a moment.
class BusyLanes {
public:
    bool any(LaneRole role) const { return m_lanes[static_cast<std::size_t>(role)] > 0; }
    bool cpu() const { return any(LaneRole::Pipeline) || any(LaneRole::CpuStage); }    ///< C
    bool gpu() const { return any(LaneRole::DeviceStream) || any(LaneRole::GlQueue); } ///< G, at most.
    /// G, at least: an exact span says so and not only a bounded one.
    bool gpuCertainly() const { return certainly(LaneRole::DeviceStream) || certainly(LaneRole::GlQueue); }

private:
    friend class BusyTimeSweep;
    bool certainly(LaneRole role) const { return m_certain[static_cast<std::size_t>(role)] > 0; }

    std::array<int, kLaneRoleCount> m_lanes{};
    std::array<int, kLaneRoleCount> m_certain{};
};

/// How long one lane was busy.
struct LaneBusy {
    LaneId lane = 0;
    LaneRole role = LaneRole::Tool;
    std::int64_t busyNs = 0; ///< At most, where spans are bounded.
};

/// What the lanes did in one piece of time: the one place that says what is busy and what waits, behind every figure
/// and every picture of overlap (definitions: README of core).
class BusyTimeSweep {
public:
    explicit BusyTimeSweep(Interval period = {}) : m_period(period) {}
    /// Forgets everything but the memory that it lay in.
    void restart(Interval period);

    /// Whether a lane's time counts for CPU or GPU.
    static bool counts(LaneRole role);
    /// Any order. What lies outside the period and what is no work of the pipeline's is left out.
    void add(LaneId lane, LaneRole role, std::uint8_t depth, Category category, Interval time,
             Certainty certainty = Certainty::Exact);

    /// The pieces of the period for which `holds(busy lanes)`, in order and never touching.
    template <class Holds>
    Intervals when(Holds holds);

    Overlap overlap();
    WaitTimes waits();
    /// Every lane that was added, those that do not count for CPU or GPU, too.
    std::vector<LaneBusy> lanesBusy();

private:
    /// Where work or a wait of a lane begins or ends.
    struct Edge {
        std::int64_t ns = 0;
        std::uint16_t lane = 0; ///< An index into m_lanes.
        bool isWait = false;
        bool isBounded = false;
        std::int8_t step = 0; ///< 1 begins, -1 ends.
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
        // Spans under way at the sweep's moment. Waits may be nested in work: while one lasts, the lane is not busy.
        int working = 0;
        int waiting = 0;
        int boundedWork = 0; ///< Those of `working` that ran only somewhere inside themselves, as the next.
        int boundedWaits = 0;

        void step(const Edge &edge)
        {
            (edge.isWait ? waiting : working) += edge.step;
            if (edge.isBounded)
                (edge.isWait ? boundedWaits : boundedWork) += edge.step;
        }
        /// At most: unless it certainly waits.
        bool isBusy() const { return working > 0 && waiting == boundedWaits; }
        bool isCertainlyBusy() const { return working > boundedWork && waiting == 0; }
    };

    std::uint16_t indexOf(LaneId lane, LaneRole role);
    void sortEdges()
    {
        std::sort(m_edges.begin(), m_edges.end(), [](const Edge &a, const Edge &b) { return a.ns < b.ns; });
    }
    /// Calls visit(piece, busy lanes) for pieces of time that follow each other, from the first edge's to the last's:
    /// between them nothing changes.
    template <class Visit>
    void sweep(Visit visit);

    Interval m_period;
    std::vector<Lane> m_lanes; ///< A handful: looking through them is faster than any order.
    std::vector<Edge> m_edges;
    std::vector<Wait> m_waits; ///< Of pipeline threads.
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
