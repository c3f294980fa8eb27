// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/overlap.h"
#include "core/path/pathpiece.h"

#include <cstdint>
#include <span>
#include <vector>

namespace jetscope {

/// A kind of piece: a cause and, for causes with names, one name or all names.
struct PathKind {
    PathCause cause = PathCause::Unknown;
    std::uint32_t name = kNoPathName; ///< kNoPathName: any name.
};

/// A period in which a lane did one thing.
struct PathNode {
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
    std::uint32_t frame = kNoFrame;
    std::uint32_t name = kNoPathName;
    LaneId lane = kNoPathLane;
    /// For a wait: cause of its time if no edge released it.
    PathCause cause = PathCause::Unknown;
    /// The node is a wait: it has no duration of its own, and the edges that reach its end are its possible releases.
    bool waits = false;
    bool bounded = false;
};

/// A graph of what each lane did and of the dependencies between lanes. It is independent of the data's origin and
/// tolerates invalid data: nodes may overlap, and edges may be missing, cyclic or point forward in time. Not
/// thread-safe.
class PathGraph {
public:
    using NodeId = std::uint32_t;

    /// An edge: `from` released `to` at `atNs`, at the end of `from` or during it.
    enum class Reaches : std::uint8_t {
        Start, ///< `to` could not begin before.
        End,   ///< `to` is a wait and could not end before.
    };
    struct Edge {
        NodeId from = 0;
        std::int64_t atNs = 0;
        PathCause delay = PathCause::Unknown; ///< Cause of the time from then until `to` continued.
        Reaches reaches = Reaches::Start;
    };

    void clear();
    NodeId add(const PathNode &node);
    void add(NodeId to, const Edge &edge);
    /// Call after adding all nodes and edges, before the functions below.
    void seal();

    std::size_t size() const { return m_nodes.size(); }
    const PathNode &node(NodeId id) const { return m_nodes[id]; }
    PathNode &node(NodeId id) { return m_nodes[id]; }
    std::span<const Edge> edges(NodeId to) const;

    /// The edge that a backward walk takes from a node at `ns`: the edge with the latest release at or before `ns`, or
    /// null. Edges that reach the end of a wait count only if the release is within the wait.
    const Edge *latest(NodeId to, Reaches reaches, std::int64_t ns) const;

    /// Appends the path that ends with `last` at `time.endNs`, back to `time.startNs`, in order of time: pieces that
    /// divide `time` without gap or overlap. Their `frame` is the given one.
    void walk(NodeId last, Interval time, std::uint32_t frame, std::vector<PathPiece> &out) const;

    /// Upper bound of how much sooner `last` would have ended if pieces of this kind had taken no time. All nodes are
    /// replayed along all edges with the same delays, so that work that was hidden behind the removed pieces becomes
    /// visible. Camera periods keep their length. O(nodes and edges).
    std::int64_t mostItCanBring(PathKind kind, NodeId last) const;

private:
    struct LooseEdge {
        NodeId to = 0;
        Edge edge;
    };
    class Replay;
    void orderNodes();

    std::vector<PathNode> m_nodes;
    std::vector<LooseEdge> m_loose; ///< Edges that were added before seal().
    std::vector<Edge> m_edges;      ///< Sorted by destination node.
    std::vector<std::uint32_t> m_firstEdge;
    std::vector<NodeId> m_order; ///< In which the nodes continued.
};

} // namespace jetscope
