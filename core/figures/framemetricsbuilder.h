// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/busytimesweep.h"
#include "core/figures/framefigures.h"
#include "core/recording/span.h"

#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <vector>

namespace jetscope {

/// Adds up the busy time of one thread from its spans in order of their ends, nested spans before their enclosing span.
/// For threads whose spans may arrive too late for the figures of a frame. O(1) per span.
class LaneLoad {
public:
    void add(const Span &span);
    /// Removes and returns the accumulated time, at most `mostNs`; the rest is kept.
    std::int64_t take(std::int64_t mostNs);
    void clear() { *this = {}; }

private:
    /// Sums over the spans of one depth since the last enclosing span ended.
    struct Level {
        std::int64_t busyNs = 0;
        std::int64_t waitedNs = 0;
    };
    static constexpr std::size_t kDepths = 32; ///< Deeper spans are ignored.

    std::array<Level, kDepths + 1> m_levels{};
    std::int64_t m_busyNs = 0;
};

/// Converts spans into figures per frame (definitions: resources/docs/figures.md). Spans may arrive late and in any
/// order: the figures of a frame are computed once all GPU results up to the end of its period have been added, which
/// the owner reports by `resolved`. Memory is bounded even without these calls. Not thread-safe.
class FrameMetricsBuilder {
public:
    /// Sets the role of a lane. Call for every lane before adding its spans; spans of lanes without a role are not
    /// counted.
    void setLane(LaneId lane, LaneRole role);

    void add(const Span &span);

    /// Frame `frame` began on the pipeline thread. Call in frame order. `traced`: all of its spans will be added.
    void frameStarted(std::uint32_t frame, std::int64_t startNs, bool traced = true);
    /// The frame's output is complete. `captureNs` is the source's timestamp; 0 if it has none.
    void outputComplete(std::uint32_t frame, std::int64_t completeNs, std::int64_t captureNs);
    /// With a window: the buffer swap that showed the frame returned. Call before `outputComplete`, which is then
    /// called without a capture timestamp.
    void presented(std::uint32_t frame, std::int64_t presentedNs, std::int64_t captureNs);
    void addBytesCopied(std::uint32_t frame, std::uint64_t bytes);
    /// The source's frame period as known when the frame was taken.
    void setSourcePeriod(std::uint32_t frame, std::int64_t ns);

    /// Call when every span that begins before `ns` has been added, every output complete before `ns` has been
    /// reported, and no work that began before `ns` is still running or unread. The start of the oldest frame in flight
    /// is such a time.
    void resolved(std::int64_t ns);

    /// The pipeline ended or paused at `ns`: ends the period of the last frame.
    void finish(std::int64_t ns);

    /// Returns the figures that became final since the last call, in frame order.
    std::vector<FrameFigures> take();

    /// Spans that arrived too late for their frame or exceeded the memory limit: their time is missing in a figure.
    std::uint64_t missedSpans() const { return m_missed; }

private:
    struct Pending {
        FrameFigures figures;
        std::optional<std::int64_t> endNs; ///< End of the period; empty for the newest frame.
        bool outputKnown = false;
    };

    std::optional<LaneRole> roleOf(LaneId lane) const;
    bool isDue(const Pending &pending) const;
    bool isResolved(const Pending &pending) const;
    void closeDue();
    void close(Pending &pending);
    void takeSpansBefore(std::int64_t ns);
    Pending *find(std::uint32_t frame);

    std::vector<std::optional<LaneRole>> m_lanes; ///< By id; empty if the role is unknown.
    std::deque<Pending> m_pending;                ///< Frames whose figures are not final yet, oldest first.
    std::vector<Span> m_waiting;                  ///< Heap by start: spans after the last closed period.
    std::vector<Span> m_active;                   ///< Spans that overlap the end of the last closed period.
    BusyTimeSweep m_work;                         ///< For the period being closed.
    LaneLoad m_captureLoad;                       ///< Not assigned to a frame yet.
    LaneLoad m_viewLoad;
    std::vector<FrameFigures> m_final;
    std::int64_t m_resolvedNs = std::numeric_limits<std::int64_t>::min();
    std::int64_t m_closedNs = std::numeric_limits<std::int64_t>::min(); ///< End of the last closed period.
    std::uint64_t m_missed = 0;
};

} // namespace jetscope
