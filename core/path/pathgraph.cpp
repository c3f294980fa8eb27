// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/path/pathgraph.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace jetscope {

namespace {

/// Edges may be cyclic. No valid chain of simultaneous events has more steps without progress in time.
constexpr int kMaxIdleSteps = 64;

/// Collects the pieces of one path, starting at its end.
class PieceList {
public:
    PieceList(std::vector<PathPiece> &out, std::int64_t fromNs, std::uint32_t frame)
        : m_out(out), m_first(out.size()), m_fromNs(fromNs), m_frame(frame)
    {
    }

    /// Adds the piece from `startNs` to `toNs`, cut off at the path's start.
    void add(const PathNode &node, PathCause cause, std::int64_t startNs, std::int64_t toNs)
    {
        startNs = std::max(startNs, m_fromNs);
        if (startNs >= toNs)
            return;
        if (m_out.size() > m_first) {
            PathPiece &later = m_out.back();
            if (later.startNs == toNs && later.lane == node.lane && later.name == node.name && later.cause == cause
                && later.workFrame == node.frame) {
                later.startNs = startNs;
                return;
            }
        }
        m_out.push_back(
            {startNs, toNs, m_frame, node.frame, node.name, node.lane, cause, node.bounded && !isDelay(cause)});
    }

    void finish() { std::reverse(m_out.begin() + static_cast<std::ptrdiff_t>(m_first), m_out.end()); }

private:
    static bool isDelay(PathCause cause) { return cause >= PathCause::Call; }

    std::vector<PathPiece> &m_out;
    const std::size_t m_first;
    const std::int64_t m_fromNs;
    const std::uint32_t m_frame;
};

bool isOfKind(const PathNode &node, PathCause cause, const std::optional<PathKind> &removed)
{
    if (!removed)
        return false;
    const PathKind kind = *removed;
    return cause == kind.cause && (kind.name == kNoPathName || !isNamed(cause) || kind.name == node.name);
}

} // namespace

void PathGraph::clear()
{
    m_nodes.clear();
    m_loose.clear();
    m_edges.clear();
    m_firstEdge.clear();
    m_order.clear();
}

PathGraph::NodeId PathGraph::add(const PathNode &node)
{
    m_nodes.push_back(node);
    return static_cast<NodeId>(m_nodes.size() - 1);
}

void PathGraph::add(NodeId to, const Edge &edge)
{
    m_loose.push_back({to, edge});
}

void PathGraph::seal()
{
    m_firstEdge.assign(m_nodes.size() + 1, 0);
    std::erase_if(m_loose, [this](const LooseEdge &loose) {
        return loose.to >= m_nodes.size() || loose.edge.from >= m_nodes.size();
    });
    for (const LooseEdge &loose : m_loose)
        ++m_firstEdge[loose.to + std::size_t{1}];
    for (std::size_t i = 1; i < m_firstEdge.size(); ++i)
        m_firstEdge[i] += m_firstEdge[i - 1];
    m_edges.resize(m_loose.size());
    std::vector<std::uint32_t> next(m_firstEdge.begin(), m_firstEdge.end() - 1);
    for (const LooseEdge &loose : m_loose)
        m_edges[next[loose.to]++] = loose.edge;
    m_loose.clear();
    orderNodes();
}

/// Waits continued at their end, all others at their start.
void PathGraph::orderNodes()
{
    std::vector<std::pair<std::int64_t, NodeId>> times;
    times.reserve(m_nodes.size());
    for (NodeId id = 0; id < m_nodes.size(); ++id)
        times.emplace_back(m_nodes[id].waits ? m_nodes[id].endNs : m_nodes[id].startNs, id);
    std::sort(times.begin(), times.end());
    m_order.clear();
    for (const auto &[ns, id] : times)
        m_order.push_back(id);
}

std::span<const PathGraph::Edge> PathGraph::edges(NodeId to) const
{
    return {m_edges.data() + m_firstEdge[to], m_edges.data() + m_firstEdge[to + std::size_t{1}]};
}

const PathGraph::Edge *PathGraph::latest(NodeId to, Reaches reaches, std::int64_t ns) const
{
    const Edge *best = nullptr;
    for (const Edge &edge : edges(to)) {
        if (edge.reaches != reaches || edge.atNs > ns || (best && edge.atNs <= best->atNs))
            continue;
        if (reaches == Reaches::End && edge.atNs <= m_nodes[to].startNs)
            continue;
        best = &edge;
    }
    return best;
}

void PathGraph::walk(NodeId last, Interval time, std::uint32_t frame, std::vector<PathPiece> &out) const
{
    PieceList pieces(out, time.startNs, frame);
    std::int64_t atNs = time.endNs;
    int idleSteps = 0;
    for (NodeId id = last; atNs > time.startNs;) {
        const PathNode &node = m_nodes[id];
        const std::int64_t cameNs = atNs;
        const Edge *edge = node.waits ? latest(id, Reaches::End, atNs) : nullptr;
        if (!edge) {
            pieces.add(node, node.cause, node.startNs, atNs);
            atNs = std::min(atNs, node.startNs);
            // Clocks of lanes differ slightly: a release shortly before the start counts as a release at the start.
            edge = latest(id, Reaches::Start, node.startNs);
        }
        idleSteps = atNs < cameNs || (edge && edge->atNs < atNs) ? 0 : idleSteps + 1;
        if (atNs <= time.startNs)
            break;
        if (!edge || idleSteps > kMaxIdleSteps) {
            pieces.add(PathNode{}, PathCause::Unknown, time.startNs, atNs);
            break;
        }
        pieces.add(node, edge->delay, edge->atNs, atNs);
        atNs = std::min(atNs, edge->atNs);
        id = edge->from;
    }
    pieces.finish();
}

/// Replays the graph with one kind of piece taking no time.
class PathGraph::Replay {
public:
    /// Assumed duration of bounded work.
    enum class Bounded { Whole, Nothing };

    /// Without this kind of piece; if empty, with all pieces.
    Replay(const PathGraph &graph, std::optional<PathKind> kind, Bounded bounded)
        : m_graph(graph), m_kind(kind), m_bounded(bounded)
    {
        m_times.reserve(graph.size());
        for (const PathNode &node : graph.m_nodes)
            m_times.push_back({node.startNs, node.endNs});
        for (const NodeId id : graph.m_order)
            run(id);
    }

    std::int64_t endNs(NodeId id) const { return m_times[id].endNs; }

private:
    /// Time of the edge's release in the replay.
    std::int64_t now(const Edge &edge) const
    {
        const PathNode &from = m_graph.m_nodes[edge.from];
        const Interval &time = m_times[edge.from];
        if (from.waits)
            return edge.atNs - (from.endNs - time.endNs);
        if (edge.atNs >= from.endNs)
            return time.endNs;
        return std::min(time.startNs + std::max<std::int64_t>(0, edge.atNs - from.startNs), time.endNs);
    }

    /// Time in the replay at which a node continues that originally waited for the latest of these edges until
    /// `thenNs`; empty if there is no such edge.
    std::optional<std::int64_t> onwards(NodeId id, Reaches reaches, std::int64_t thenNs) const
    {
        const Edge *binding = m_graph.latest(id, reaches, thenNs);
        if (!binding)
            return std::nullopt;
        const std::int64_t delay = isOfKind(m_graph.m_nodes[id], binding->delay, m_kind) ? 0 : thenNs - binding->atNs;
        std::int64_t ns = now(*binding);
        for (const Edge &edge : m_graph.edges(id))
            if (edge.reaches == reaches && edge.atNs <= thenNs)
                ns = std::max(ns, now(edge));
        return std::min(thenNs, ns + delay);
    }

    void run(NodeId id)
    {
        const PathNode &node = m_graph.m_nodes[id];
        Interval &time = m_times[id];
        time.startNs = onwards(id, Reaches::Start, node.startNs).value_or(node.startNs);
        const auto released = node.waits ? onwards(id, Reaches::End, node.endNs) : std::nullopt;
        if (released)
            time.endNs = std::max(*released, time.startNs);
        else if (isOfKind(node, node.cause, m_kind) || (node.bounded && m_bounded == Bounded::Nothing))
            time.endNs = time.startNs;
        else if (node.cause == PathCause::Camera)
            time.endNs = node.endNs;
        else
            time.endNs = time.startNs + std::max<std::int64_t>(0, node.endNs - node.startNs);
        // In the replay the wait may begin earlier, so it must also wait for work that had originally ended before it.
        for (const Edge &edge : m_graph.edges(id))
            if (!released && edge.reaches == Reaches::End && edge.atNs <= node.startNs)
                time.endNs = std::max(time.endNs, now(edge));
    }

    const PathGraph &m_graph;
    const std::optional<PathKind> m_kind;
    const Bounded m_bounded;
    std::vector<Interval> m_times;
};

std::int64_t PathGraph::mostItCanBring(PathKind kind, NodeId last) const
{
    using Bounded = Replay::Bounded;
    std::int64_t ns = m_nodes[last].endNs - Replay(*this, kind, Bounded::Whole).endNs(last);
    // Bounded work may have taken no time at all; in that case the removed pieces were not hidden behind it.
    if (std::any_of(m_nodes.begin(), m_nodes.end(), [](const PathNode &node) { return node.bounded; }))
        ns = std::max(ns,
                      Replay(*this, std::nullopt, Bounded::Nothing).endNs(last)
                          - Replay(*this, kind, Bounded::Nothing).endNs(last));
    return std::max<std::int64_t>(0, ns);
}

} // namespace jetscope
