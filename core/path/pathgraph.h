// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/overlap.h"
#include "core/path/pathpiece.h"

#include <cstdint>
#include <span>
#include <vector>

namespace jetscope {

/// A kind of piece: a cause, and of those that have names a name or any of them.
struct PathKind {
    PathCause cause = PathCause::Unknown;
    std::uint32_t name = kNoPathName; ///< kNoPathName: whatever the name.
};

/// A piece of time in which a lane did one thing.
struct PathNode {
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
    std::uint32_t frame = kNoFrame;
    std::uint32_t name = kNoPathName;
    LaneId lane = kNoPathLane;
    /// Of a wait: of its time where nothing released it.
    PathCause cause = PathCause::Unknown;
    /// It has no length of its own: edges that reach its end say what it waited for.
    bool waits = false;
    bool bounded = false;
};

/// What happened in which lane, and what could not go on before what. Knows nothing of where that comes from, and
/// believes none of it: nodes may overlap, edges may be missing, lead in circles or forward in time. One thread.
class PathGraph {
public:
    using NodeId = std::uint32_t;

    /// An edge says that `from` let `to` go on at `atNs`, at its end or while it went on.
    enum class Reaches : std::uint8_t {
        Start, ///< `to` could not begin before.
        End,   ///< `to` is a wait, and could not end before.
    };
    struct Edge {
        NodeId from = 0;
        std::int64_t atNs = 0;
        PathCause delay = PathCause::Unknown; ///< Of the time from then on until `to` did go on.
        Reaches reaches = Reaches::Start;
    };

    void clear();
    NodeId add(const PathNode &node);
    void add(NodeId to, const Edge &edge);
    /// After the last node and edge, before everything below.
    void seal();

    std::size_t size() const { return m_nodes.size(); }
    const PathNode &node(NodeId id) const { return m_nodes[id]; }
    PathNode &node(NodeId id) { return m_nodes[id]; }
    std::span<const Edge> edges(NodeId to) const;

    /// The edge by which a walk leaves a node backwards at `ns`: of those at `ns` or before, the one that let go last;
    /// null where there is none. Those that reach a wait's end count only while it lasted.
    const Edge *latest(NodeId to, Reaches reaches, std::int64_t ns) const;

    /// Appends the path that ends with `last` at `time.endNs`, back to `time.startNs`, in order of time: pieces that
    /// divide `time` without gap or overlap. Their `frame` is that given.
    void walk(NodeId last, Interval time, std::uint32_t frame, std::vector<PathPiece> &out) const;

    /// How much sooner `last` could have been over, at most, if no piece of this kind had taken any time: everything
    /// runs again along all edges with the same delays, so that what was hidden behind it takes its place. A camera
    /// keeps its own pace. O(nodes and edges).
    std::int64_t mostItCanBring(PathKind kind, NodeId last) const;

private:
    struct LooseEdge {
        NodeId to = 0;
        Edge edge;
    };
    class Replay;

    std::vector<PathNode> m_nodes;
    std::vector<LooseEdge> m_loose; ///< Until sealed.
    std::vector<Edge> m_edges;      ///< By the node that they lead to.
    std::vector<std::uint32_t> m_firstEdge;
};

} // namespace jetscope
