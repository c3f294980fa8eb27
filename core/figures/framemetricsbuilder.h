// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/busytimesweep.h"
#include "core/figures/headroom.h"
#include "core/figures/laneload.h"
#include "core/figures/overlap.h"
#include "core/recording/span.h"

#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <vector>

namespace jetscope {

/// The figures of one frame. Its period runs from its start on the pipeline thread to the next frame's
/// start. Times are nanoseconds.
struct FrameFigures {
    std::uint32_t frame = 0;
    std::int64_t startNs = 0;
    Overlap overlap;               ///< C, G, both, idle of the period.
    std::int64_t waitSyncNs = 0;   ///< On the pipeline thread.
    std::int64_t waitMemoryNs = 0; ///< On the pipeline thread.
    std::int64_t waitSlotNs = 0;   ///< On the pipeline thread.
    std::int64_t waitInputNs = 0;  ///< On the pipeline thread.
    std::int64_t frameNs = 0;      ///< Pipeline start to output complete; 0 while unknown.
    std::int64_t latencyNs = 0;    ///< Capture stamp to output complete or swap; 0 while unknown.
    std::uint64_t bytesCopied = 0; ///< Copies that the pipeline asked for.
    bool traced = true;            ///< False: spans are missing on purpose, so that busy times and waits mean nothing.

    // For headroom; of frames as they come from the pipeline, traces and captures have spans and counters instead.
    std::int64_t captureBusyNs = 0; ///< The capture thread's work since the frame before, as its spans arrive.
    std::int64_t viewBusyNs = 0;    ///< The same of the view's.
    std::int64_t sourcePeriodNs = kSourcePeriodUnknown;

    std::int64_t periodNs() const { return overlap.periodNs; }
    std::int64_t blockedNs() const { return waitSyncNs + waitMemoryNs; }
};

/// Turns spans into figures per frame (the definitions are in the README of core). Spans may arrive in any
/// order and late: the figures of a frame are made once every GPU result up to the end of its period is in,
/// which the owner says by `resolved`. What is kept is bounded, also when the owner never says so. One thread.
class FrameMetricsBuilder {
public:
    /// The role of every lane whose spans will be added. Spans of lanes without one are not counted.
    void setLane(LaneId lane, LaneRole role);

    void add(const Span &span);

    /// Frame `frame` began on the pipeline thread. Frames begin in order. `traced`: all of its spans will be added.
    void frameStarted(std::uint32_t frame, std::int64_t startNs, bool traced = true);
    /// The frame's output was complete. `captureNs` is the source's stamp; 0 when it has none.
    void outputComplete(std::uint32_t frame, std::int64_t completeNs, std::int64_t captureNs);
    /// In a window: the swap that showed the frame returned. Comes before `outputComplete`, which then has no capture
    /// stamp.
    void presented(std::uint32_t frame, std::int64_t presentedNs, std::int64_t captureNs);
    void addBytesCopied(std::uint32_t frame, std::uint64_t bytes);
    /// The source's own period as it was known when the frame was taken.
    void setSourcePeriod(std::uint32_t frame, std::int64_t ns);

    /// Every span that begins before `ns` has been added, and every output complete before it reported: nothing
    /// that began before is still running or unread. The start of the oldest frame in flight is such a time.
    void resolved(std::int64_t ns);

    /// The pipeline ended (or paused) at `ns`: closes the last frame's period.
    void finish(std::int64_t ns);

    /// The figures that became final since the last call, in frame order.
    std::vector<FrameFigures> take();

    /// Spans that came too late for their frame, or were too many to keep: their time is missing in a figure.
    std::uint64_t missedSpans() const { return m_missed; }

private:
    struct Pending {
        FrameFigures figures;
        std::optional<std::int64_t> endNs; ///< Of the period; none while the frame is the newest.
        bool outputKnown = false;
    };

    std::optional<LaneRole> roleOf(LaneId lane) const;
    bool isDue(const Pending &pending) const;
    bool isResolved(const Pending &pending) const;
    void closeDue();
    void close(Pending &pending);
    void takeSpansBefore(std::int64_t ns);
    Pending *find(std::uint32_t frame);

    std::vector<std::optional<LaneRole>> m_lanes; ///< By id; none where the role is not known.
    std::deque<Pending> m_pending;                ///< Frames whose figures are not final, oldest first.
    std::vector<Span> m_waiting;                  ///< Heap by start: spans not yet reached by a closing period.
    std::vector<Span> m_active; ///< Spans that began before the last closed period's end and outlast it.
    BusyTimeSweep m_work;       ///< Of the period that is closing.
    LaneLoad m_captureLoad;     ///< Not yet given to a frame.
    LaneLoad m_viewLoad;
    std::vector<FrameFigures> m_final;
    std::int64_t m_resolvedNs = std::numeric_limits<std::int64_t>::min();
    std::int64_t m_closedNs = std::numeric_limits<std::int64_t>::min(); ///< End of the last closed period.
    std::uint64_t m_missed = 0;
};

} // namespace jetscope
