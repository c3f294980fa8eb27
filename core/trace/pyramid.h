// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/blocklist.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jetscope {

/// Summaries above a list that only grows. A node of level 0 stands for a group of 16 of the list's elements, a node of
/// every further level for 4 of the one below: few enough that a query never looks at many more nodes than it has
/// columns. A node is made once, when the last of its elements has come, so appending costs next to nothing; what is
/// too new or was partly dropped is looked at one level further down (`cover`).
///
/// `Node` is a trivially copyable value with `void add(const Node &next)`, which takes in what comes behind.
template <class Node>
class Pyramid {
public:
    static constexpr std::uint64_t kGroup = 16;
    static constexpr std::uint64_t kFanOut = 4;
    /// The elements of the list, where a level is asked for.
    static constexpr int kLeaves = -1;

    /// How many nodes or elements of the level below a node has, and how many elements in all.
    static constexpr std::uint64_t childrenOf(int level) { return level == 0 ? kGroup : kFanOut; }
    static constexpr std::uint64_t elementsOf(int level)
    {
        return level == kLeaves ? 1 : kGroup << static_cast<unsigned>(2 * level);
    }

    const Node &node(int level, std::uint64_t index) const { return m_levels[static_cast<std::size_t>(level)][index]; }

    /// The list has `count` elements now, one more than before. `summarise(first)` makes the node of the group from
    /// `first`.
    template <class Summarise>
    void grown(std::uint64_t count, Summarise summarise)
    {
        if (count % kGroup == 0)
            add(0, summarise(count - kGroup));
    }

    /// Calls `visit(level, index)` for the fewest nodes and elements that make up the list's elements [first, last), in
    /// order. O(log n) calls.
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
        // They lie in the list's last block, so that they are there even where the first of them were dropped.
        const Node *const children = &nodes[nodes.endIndex() - kFanOut];
        Node sum = *children;
        for (const Node *child = children + 1; child < children + kFanOut; ++child)
            sum.add(*child);
        add(level + 1, sum);
    }

    std::vector<BlockList<Node>> m_levels; ///< From the finest.
};

} // namespace jetscope
