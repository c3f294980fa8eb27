// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/framefigures.h"
#include "core/trace/packedlist.h"
#include "core/trace/timelimits.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>

namespace jetscope {

/// The bounded parts of the figures of frames that have any. Empty if every span is exact. Frames are identified by
/// their places in a FrameTable. Not thread-safe.
class BoundedTimes {
public:
    struct Times {
        std::int64_t gpuNs = 0;
        std::int64_t bothNs = 0;
    };

    /// Call in order of places. Times that are both 0 are not stored.
    void append(std::uint64_t place, Times times)
    {
        if (times.gpuNs == 0 && times.bothNs == 0)
            return;
        const Times before = m_entries.empty() ? m_before : m_entries.back().upTo;
        m_entries.push_back({place, {before.gpuNs + times.gpuNs, before.bothNs + times.bothNs}});
    }

    /// Sum over the frames [first, last). O(log n).
    Times sum(std::uint64_t first, std::uint64_t last) const
    {
        if (m_entries.empty() || first >= last)
            return {};
        const Times from = before(first);
        const Times to = before(last);
        return {to.gpuNs - from.gpuNs, to.bothNs - from.bothNs};
    }

    void dropBefore(std::uint64_t place)
    {
        for (; !m_entries.empty() && m_entries.front().place < place; m_entries.pop_front())
            m_before = m_entries.front().upTo;
    }

    std::uint64_t memoryBytes() const { return m_entries.size() * sizeof(Entry); }

private:
    struct Entry {
        std::uint64_t place = 0;
        Times upTo; ///< Sum of all frames up to this one. Cannot overflow, as periods are disjoint.
    };

    Times before(std::uint64_t place) const
    {
        const auto next = std::lower_bound(m_entries.begin(), m_entries.end(), place,
                                           [](const Entry &entry, std::uint64_t other) { return entry.place < other; });
        return next == m_entries.begin() ? m_before : std::prev(next)->upTo;
    }

    std::deque<Entry> m_entries;
    Times m_before; ///< Sum of the dropped frames.
};

/// An Overlap without its bounded parts. Few traces have bounded parts; BoundedTimes stores them separately.
struct FrameTimes {
    std::int64_t periodNs;
    std::int64_t cpuNs;
    std::int64_t gpuNs;
    std::int64_t bothNs;
    std::int64_t idleNs;

    static FrameTimes of(const Overlap &overlap)
    {
        return {overlap.periodNs, overlap.cpuNs, overlap.gpuNs, overlap.bothNs, overlap.idleNs};
    }
    Overlap overlap() const { return {periodNs, cpuNs, gpuNs, bothNs, idleNs}; }
};

/// The sum of 16, 64, 256, … frames. Sums of times cannot overflow: no time of a frame is longer than its period, and
/// periods are disjoint.
struct FrameNode : FrameAmounts {
    std::int64_t startNs;
    std::int64_t endNs;
    FrameTimes times;
    std::int64_t longestPeriodNs;

    static FrameNode of(const FrameFigures &figures)
    {
        return {figures.amounts(), figures.startNs, figures.startNs + figures.periodNs(),
                FrameTimes::of(figures.overlap), figures.periodNs()};
    }
    void add(const FrameNode &next);
};

/// The figures of a frame that the overlap strip does not show.
struct FrameRest {
    std::array<std::uint32_t, kFrameAmountCount> amounts;
    std::uint32_t frameNs;
    std::uint32_t latencyNs;

    static FrameRest of(const FrameFigures &figures);
};

/// The figures of a frame as a table stores them. The idle time is computed from the others.
struct PackedFrame {
    using Value = FrameFigures;
    using Node = FrameNode;
    using Rest = FrameRest;

    std::uint32_t offsetNs;
    std::uint32_t frame;
    std::uint32_t periodNs; ///< kEscape if one of the figures does not fit.
    std::uint32_t cpuNs;
    std::uint32_t gpuNs;
    std::uint32_t bothNs;

    static PackedFrame of(const FrameFigures &figures, std::int64_t offsetNs);
    bool fits() const { return periodNs != kEscape; }
    Overlap overlap() const
    {
        const std::int64_t either = std::int64_t{cpuNs} + gpuNs - bothNs;
        return {periodNs, cpuNs, gpuNs, bothNs, periodNs - either};
    }
    FrameFigures value(std::int64_t startNs, const FrameRest &rest) const
    {
        FrameFigures figures;
        figures.frame = frame;
        figures.startNs = startNs;
        figures.overlap = overlap();
        figures.frameNs = rest.frameNs;
        figures.latencyNs = rest.latencyNs;
        auto packed = rest.amounts.begin();
        eachFrameAmount([&](auto member) { figures.*member = *packed++; });
        return figures;
    }
};
static_assert(sizeof(PackedFrame) + sizeof(FrameRest) == (8 + kFrameAmountCount) * sizeof(std::uint32_t));

using FrameStore = PackedList<PackedFrame>;

} // namespace jetscope
