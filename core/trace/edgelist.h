// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/overlap.h"
#include "core/trace/spanedge.h"

#include <cstdint>
#include <span>
#include <vector>

namespace jetscope {

/// The edges that the producer of a trace recorded, sorted by the start of the dependent span. Bounded. Not
/// thread-safe.
class EdgeList {
public:
    static constexpr std::size_t kMaxEdges = 20'000'000;

    /// Adds edges in any order. Edges beyond the limit or with invalid times are skipped and counted.
    void add(std::span<const SpanEdge> edges);
    /// Edges that lead to spans that begin within this time. O(log n).
    std::span<const SpanEdge> within(Interval time) const;
    /// The edges from and to one span, identified by its lane and start. At most kMaxOfOne. O(log n) plus the number
    /// of edges with the same start.
    static constexpr std::size_t kMaxOfOne = 64;
    std::vector<SpanEdge> from(LaneId lane, std::int64_t startNs) const;
    std::vector<SpanEdge> to(LaneId lane, std::int64_t startNs) const;
    /// A list of the edges that `within` finds, without those of single spans (`from`). Only to be read.
    EdgeList copyWithin(Interval time) const;
    void dropBefore(std::int64_t ns);

    std::span<const SpanEdge> all() const { return m_edges; }
    std::uint64_t leftOut() const { return m_leftOut; }
    std::uint64_t memoryBytes() const
    {
        return m_edges.capacity() * sizeof(SpanEdge) + m_byFrom.capacity() * sizeof(std::uint32_t);
    }

private:
    void indexFrom(std::size_t added);

    std::vector<SpanEdge> m_edges;       ///< Sorted by toNs.
    std::vector<std::uint32_t> m_byFrom; ///< Indices into m_edges, sorted by fromNs and fromLane.
    std::uint64_t m_leftOut = 0;
};

} // namespace jetscope
