// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/base/pieceorder.h"
#include "gpu/gputime/gpuitem.h"

#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <vector>

namespace jetscope {

/// The work of one stream until it becomes spans, in stream order. Timed items become exact spans. An untimed item
/// becomes a bounded span: it began no earlier than its submission and the end of the work before it. It ended no later
/// than the start of the next timed item or the time at which it was seen complete. A kernel whose launch and end its
/// source does not see has a bounded span for these behind it, which ends with the start of the next item. One thread.
class WorkLane {
public:
    /// `unseenNs`: GpuTimeSource::unseenNs.
    explicit WorkLane(LaneId lane, std::int64_t unseenNs = 0) : m_lane(lane), m_unseenNs(unseenNs) {}

    LaneId lane() const { return m_lane; }

    /// The reference is valid until the item becomes a span, which does not happen while it is pending.
    GpuItem &push(GpuItem item);
    /// Reports that all items up to the last one of this frame were complete at `ns`.
    void completed(std::uint32_t frame, std::int64_t ns);
    /// The same for all items.
    void completedAll(std::int64_t ns);
    /// Marks all pending items as untimed.
    void giveUp();

    /// Appends the spans of all items whose times are known well enough, oldest first.
    void takeSpans(std::vector<Span> &spans);

    bool empty() const { return m_items.empty(); }
    /// Whether unknown work may still run, so that copies of it cannot be told from those behind it.
    bool mayRunUnknown() const;
    /// No later span of this lane begins before this time.
    std::int64_t nothingBeforeNs() const;

private:
    /// Bounded spans may overlap: the second is drawn one level deeper.
    static constexpr std::size_t kDepths = 4;

    std::int64_t earliestStart(const GpuItem &item) const;
    bool boundOf(std::size_t index, std::int64_t &endNs) const;
    Span spanOf(const GpuItem &item, Interval time) const;
    Span exactSpan(const GpuItem &item);
    Span boundedSpan(const GpuItem &item, std::int64_t endNs);
    void addUnseen(std::vector<Span> &spans, std::int64_t nextNs);

    LaneId m_lane;
    std::int64_t m_unseenNs;
    std::optional<Span> m_kernel; ///< The last one, while what its source did not see has no span yet.
    std::deque<GpuItem> m_items;
    std::size_t m_open = 0; ///< Index of the first item that was not seen complete.
    std::int64_t m_endedNs =
        std::numeric_limits<std::int64_t>::min(); ///< Minimum end of the work before the first item.
    std::array<PieceOrder, kDepths> m_orders;
};

} // namespace jetscope
