// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/overlap.h"
#include "core/trace/spanedge.h"

#include <cstdint>
#include <span>
#include <vector>

namespace jetscope {

/// The edges that the producer of a trace recorded, in the order of the spans that depend. Bounded. One thread.
class EdgeList {
public:
    static constexpr std::size_t kMostEdges = 20'000'000;

    /// Any order. Those that do not fit any more, or whose times no trace can have, are left out and counted.
    void add(std::span<const SpanEdge> edges);
    /// Those that lead to spans that begin in this time. O(log n).
    std::span<const SpanEdge> within(Interval time) const;
    /// Those of one span, named by its lane and start: that lead from it, and to it. At most kMostOfOne. O(log n), and
    /// as many as begin in the same moment.
    static constexpr std::size_t kMostOfOne = 64;
    std::vector<SpanEdge> from(LaneId lane, std::int64_t startNs) const;
    std::vector<SpanEdge> to(LaneId lane, std::int64_t startNs) const;
    void dropBefore(std::int64_t ns);

    std::span<const SpanEdge> all() const { return m_edges; }
    std::uint64_t leftOut() const { return m_leftOut; }
    std::uint64_t memoryBytes() const
    {
        return m_edges.capacity() * sizeof(SpanEdge) + m_byFrom.capacity() * sizeof(std::uint32_t);
    }

private:
    void indexFrom(std::size_t added);

    std::vector<SpanEdge> m_edges;       ///< By toNs.
    std::vector<std::uint32_t> m_byFrom; ///< Places in m_edges, by fromNs and fromLane.
    std::uint64_t m_leftOut = 0;
};

} // namespace jetscope
