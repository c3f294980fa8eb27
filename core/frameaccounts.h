// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/overlap.h"
#include "core/span.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace jetscope {

/// The figures of one frame. Its period runs from its start on the pipeline thread to the next frame's
/// start. Times are nanoseconds.
struct FrameFigures {
    std::uint32_t frame = 0;
    std::int64_t startNs = 0;
    Overlap overlap;                    ///< C, G, both, idle of the period.
    std::int64_t waitSyncNs = 0;        ///< On the pipeline thread.
    std::int64_t waitMemoryNs = 0;      ///< On the pipeline thread.
    std::int64_t waitSlotNs = 0;        ///< On the pipeline thread.
    std::int64_t waitInputNs = 0;       ///< On the pipeline thread.
    std::int64_t frameNs = 0;           ///< Pipeline start to output complete; 0 while unknown.
    std::int64_t latencyNs = 0;         ///< Capture stamp to output complete or swap; 0 while unknown.
    std::uint64_t bytesCopied = 0;      ///< Copies that the pipeline asked for.

    std::int64_t periodNs() const { return overlap.periodNs; }
    std::int64_t blockedNs() const { return waitSyncNs + waitMemoryNs; }
};

/// Turns spans into figures per frame (the definitions are in the README of core). Spans may arrive in any
/// order and late: the figures of a frame are made once every GPU result up to the end of its period is in,
/// which the owner says by `resolved`. One thread.
class FrameAccountant {
public:
    /// The role of every lane whose spans will be added.
    void setLane(LaneId lane, LaneRole role);

    void add(const Span &span);

    /// Frame `frame` began on the pipeline thread. Frames begin in order.
    void frameStarted(std::uint32_t frame, std::int64_t startNs);
    /// The frame's output was complete. `captureNs` is the source's stamp.
    void outputComplete(std::uint32_t frame, std::int64_t completeNs, std::int64_t captureNs);
    void addBytesCopied(std::uint32_t frame, std::uint64_t bytes);

    /// All spans that end before `ns` have been added.
    void resolved(std::int64_t ns);

    /// The pipeline ended (or paused) at `ns`: closes the last frame's period.
    void finish(std::int64_t ns);

    /// The figures that became final since the last call, in frame order.
    std::vector<FrameFigures> take();

private:
    struct Pending {
        FrameFigures figures;
        bool outputKnown = false;
    };

    void close(Pending &pending, std::int64_t endNs);
    Pending *find(std::uint32_t frame);
    void forget(std::int64_t beforeNs);

    std::map<LaneId, LaneRole> m_lanes;
    std::deque<Pending> m_pending; ///< Frames whose figures are not final, oldest first.
    std::vector<Span> m_spans;     ///< Spans that a pending period may still need.
    std::vector<FrameFigures> m_final;
    std::int64_t m_resolvedNs = 0;
};

} // namespace jetscope
