// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/blocklist.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jetscope {

/// Summaries of a list that only grows. A node of level 0 summarises a group of 16 elements of the list, a node of each
/// higher level 4 nodes of the level below, so that a query reads few more nodes than it has columns. A node is created
/// once, when its last element is added, so appending is cheap. Groups that are incomplete or partly dropped are read
/// one level below (`cover`).
///
/// `Node` is a trivially copyable type with `void add(const Node &next)`, which merges the following node.
template <class Node>
class Pyramid {
public:
    static constexpr std::uint64_t kGroup = 16;
    static constexpr std::uint64_t kFanOut = 4;
    /// The level of the list's elements.
    static constexpr int kLeaves = -1;

    /// Number of nodes or elements of the level below in one node, and number of list elements in one node.
    static constexpr std::uint64_t childrenOf(int level) { return level == 0 ? kGroup : kFanOut; }
    static constexpr std::uint64_t elementsOf(int level)
    {
        return level == kLeaves ? 1 : kGroup << static_cast<unsigned>(2 * level);
    }

    const Node &node(int level, std::uint64_t index) const { return m_levels[static_cast<std::size_t>(level)][index]; }

    /// Call after each element that is added; `count` is the new number of elements. `summarise(first)` returns the
    /// node of the group that begins at `first`.
    template <class Summarise>
    void grown(std::uint64_t count, Summarise summarise)
    {
        if (count % kGroup == 0)
            add(0, summarise(count - kGroup));
    }

    /// Calls `visit(level, index)` for the smallest set of nodes and elements that covers the list's elements [first,
    /// last), in order. O(log n) calls.
    template <class Visit>
    static void cover(std::uint64_t first, std::uint64_t last, Visit visit)
    {
        while (first < last) {
            int level = kLeaves;
            while (first % elementsOf(level + 1) == 0 && elementsOf(level + 1) <= last - first)
                ++level;
            visit(level, first / elementsOf(level));
            first += elementsOf(level);
        }
    }

    void dropBefore(std::uint64_t index)
    {
        int above = kLeaves;
        for (BlockList<Node> &level : m_levels)
            level.dropBefore(index / elementsOf(++above));
    }

    /// The list was cut to `count` elements.
    void cutFrom(std::uint64_t count)
    {
        int above = kLeaves;
        for (BlockList<Node> &level : m_levels)
            level.cutFrom(count / elementsOf(++above));
    }

    std::uint64_t memoryBytes() const
    {
        std::uint64_t bytes = m_levels.capacity() * sizeof(m_levels[0]);
        for (const BlockList<Node> &level : m_levels)
            bytes += level.memoryBytes();
        return bytes;
    }

private:
    static_assert(elementsOf(1) == kGroup * kFanOut);

    void add(std::size_t level, const Node &node)
    {
        if (level == m_levels.size())
            m_levels.emplace_back();
        BlockList<Node> &nodes = m_levels[level];
        nodes.push(node);
        if (nodes.endIndex() % kFanOut != 0)
            return;
        // The children are in the list's last block, so they can be read even if the first of them were dropped.
        const Node *const children = &nodes[nodes.endIndex() - kFanOut];
        Node sum = *children;
        for (const Node *child = children + 1; child < children + kFanOut; ++child)
            sum.add(*child);
        add(level + 1, sum);
    }

    std::vector<BlockList<Node>> m_levels; ///< Finest level first.
};

} // namespace jetscope
