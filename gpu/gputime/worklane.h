// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/gputime/gpuitem.h"
#include "gpu/gputime/pieceorder.h"

#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <vector>

namespace jetscope {

/// The work of one stream on its way to spans, in stream order. Timed items become exact spans. An item that nobody
/// timed becomes a bounded span: it began no earlier than its submission and the end of the work before it, and ended
/// no later than the first sign of life behind it, the start of a timed item or the moment at which it was seen
/// complete. One thread.
class WorkLane {
public:
    explicit WorkLane(LaneId lane) : m_lane(lane) {}

    LaneId lane() const { return m_lane; }

    /// The item stays where it is until it has left as a span, which is never while it is pending.
    GpuItem &push(GpuItem item);
    /// Everything up to this frame's last item was seen complete at `ns`.
    void completed(std::uint32_t frame, std::int64_t ns);
    /// The same of everything.
    void completedAll(std::int64_t ns);
    /// What is still pending will not be timed any more.
    void giveUp();

    /// Appends the spans of everything that is known well enough, oldest first.
    void takeSpans(std::vector<Span> &spans);

    bool empty() const { return m_items.empty(); }
    /// Spans of this lane that are still to come do not begin before this time.
    std::int64_t nothingBeforeNs() const;

private:
    /// Bounded spans may overlap each other: the second of two lies one deeper.
    static constexpr std::size_t kDepths = 4;

    std::int64_t earliestStart(const GpuItem &item) const;
    bool boundOf(std::size_t index, std::int64_t &endNs) const;
    Span spanOf(const GpuItem &item, Interval time) const;
    Span exactSpan(const GpuItem &item);
    Span boundedSpan(const GpuItem &item, std::int64_t endNs);

    LaneId m_lane;
    std::deque<GpuItem> m_items;
    std::size_t m_open = 0; ///< Index of the first item that was not seen complete.
    std::int64_t m_endedNs =
        std::numeric_limits<std::int64_t>::min(); ///< The work before the first item ended no earlier.
    std::array<PieceOrder, kDepths> m_orders;
};

} // namespace jetscope
