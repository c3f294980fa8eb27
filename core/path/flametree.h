// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/progress.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

/// Spans with the same names around them: all of them as one node.
struct FlameNode {
    enum class Kind : std::uint8_t {
        All,    ///< The root.
        Lane,   ///< A thread or stream.
        Name,   ///< Spans of a name (NameGroups).
        Others, ///< Names beyond FlameTree::kMaxNodes, or smaller than those that were kept.
    };
    Kind kind = Kind::All;
    std::uint16_t depth = 0;
    LaneId lane = 0;    ///< Of Kind::Lane.
    TraceName name = 0; ///< Of Kind::Name.
    std::uint32_t parent = 0;
    std::uint32_t firstChild = 0; ///< Children are next to each other, largest first.
    std::uint32_t children = 0;
    std::uint64_t count = 0;
    std::int64_t totalNs = 0;
    std::int64_t ownNs = 0; ///< Without the children.
};

/// The spans of an interval merged by name and nesting. Of a span that the edges of the interval or the span around it
/// cut, the part within counts, so that no node is longer than its parent.
class FlameTree {
public:
    static constexpr std::size_t kMaxNodes = 1 << 18;

    /// Parents come before children; the first is the root, whose time is the recorded time of all lanes.
    const std::vector<FlameNode> &nodes() const { return m_nodes; }
    const FlameNode &root() const { return m_nodes.front(); }
    const Interval &time() const { return m_time; }
    /// The levels below the root.
    std::size_t depth() const { return m_nodes.back().depth; }
    /// The same time from the other end: below the root the names in which it was spent, below each its callers. Nodes
    /// of lanes end a chain of callers.
    FlameTree reversed() const;
    /// With the largest nodes only, and what is below a node and smaller as one.
    FlameTree largest(std::size_t most) const;
    /// Of nodes that may come from anywhere, of which kind, lane, name, parent, count and whole time count; none if
    /// they are no tree, or in another order than that of nodes().
    static std::optional<FlameTree> of(Interval time, const std::vector<FlameNode> &nodes);
    /// `visit(name)` for the name of each node that has one; it may be replaced.
    template <class Visit>
    void eachName(Visit visit)
    {
        for (FlameNode &node : m_nodes)
            if (node.kind == FlameNode::Kind::Name)
                visit(node.name);
    }
    std::string textOf(std::uint32_t node, const Trace &trace) const;

private:
    friend class FlameBuilder;
    Interval m_time;
    std::vector<FlameNode> m_nodes{FlameNode()}; ///< By depth.
};

/// Which lanes a tree is made of. Lanes that only tell facts belong to none.
enum class FlameLanes : std::uint8_t {
    Cpu,
    Gpu,
};

/// Time grows with the spans within, about 30 ns each: not for threads that must not block. Empty when cancelled.
std::optional<FlameTree> flameTree(const Trace &trace, Interval time, FlameLanes lanes, Progress &progress);

} // namespace jetscope
