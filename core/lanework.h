// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/overlap.h"
#include "core/span.h"

#include <cstdint>
#include <map>
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

/// What the lanes did in one piece of time: the one place that says what is busy and what waits, behind every figure
/// and every picture of overlap (definitions: README of core).
class LaneWork {
public:
    explicit LaneWork(Interval period) : m_period(period) {}

    /// Whether a lane's time counts at all.
    static bool counts(LaneRole role);
    /// Any order. What lies outside the period and what does not count is left out.
    void add(LaneId lane, LaneRole role, std::uint8_t depth, Category category, Interval time);

    /// When any of the lanes for which `isMeant(role)` holds is busy.
    template <class IsMeant>
    Intervals busy(IsMeant isMeant) const
    {
        Intervals all;
        for (const auto &[id, lane] : m_lanes)
            if (isMeant(lane.role))
                lane.appendBusy(all);
        return merged(std::move(all));
    }
    Intervals cpuBusy() const; ///< C
    Intervals gpuBusy() const; ///< G

    Overlap overlap() const { return overlapIn(m_period, cpuBusy(), gpuBusy()); }
    WaitTimes waits() const;

private:
    struct Wait {
        Interval piece;
        Category category = Category::WaitSync;
        std::uint8_t depth = 0;
    };
    struct Lane {
        LaneRole role = LaneRole::Tool;
        Intervals work; ///< Waits may be nested in it.
        std::vector<Wait> waits;

        void appendBusy(Intervals &to) const;
        void charge(WaitTimes &times) const;
    };

    Interval m_period;
    std::map<LaneId, Lane> m_lanes;
};

} // namespace jetscope
