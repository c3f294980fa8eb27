// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/blocklist.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jetscope {

/// Summaries above a list that only grows: node i of level k stands for the list's elements [i * 16^(k+1), (i+1) *
/// 16^(k+1)). A node is made once, when the last of its elements has come, so appending costs next to nothing; what is
/// too new or was partly dropped is looked at one level further down (`cover`).
///
/// `Node` is a trivially copyable value with `static Node of(const Node *children)`: the sum of 16, in order.
template <class Node>
class Pyramid {
public:
    static constexpr std::uint64_t kFanOut = 16;
    /// The elements of the list, where a level is asked for.
    static constexpr int kLeaves = -1;

    const Node &node(int level, std::uint64_t index) const { return m_levels[static_cast<std::size_t>(level)][index]; }

    /// The list has `count` elements now, one more than before. `summarise(first)` makes the node of the 16 from
    /// `first`.
    template <class Summarise>
    void grown(std::uint64_t count, Summarise summarise)
    {
        if (count % kFanOut == 0)
            add(0, summarise(count - kFanOut));
    }

    /// Calls `visit(level, index)` for the fewest nodes and elements that make up the list's elements [first, last), in
    /// order. O(log n) calls.
    template <class Visit>
    static void cover(std::uint64_t first, std::uint64_t last, Visit visit)
    {
        while (first < last) {
            int level = kLeaves;
            std::uint64_t size = 1;
            while (first % (size * kFanOut) == 0 && size <= (last - first) / kFanOut) {
                size *= kFanOut;
                ++level;
            }
            visit(level, first / size);
            first += size;
        }
    }

    void dropBefore(std::uint64_t index)
    {
        for (BlockList<Node> &level : m_levels) {
            index /= kFanOut;
            level.dropBefore(index);
        }
    }

    std::uint64_t memoryBytes() const
    {
        std::uint64_t bytes = m_levels.capacity() * sizeof(m_levels[0]);
        for (const BlockList<Node> &level : m_levels)
            bytes += level.memoryBytes();
        return bytes;
    }

private:
    void add(std::size_t level, const Node &node)
    {
        if (level == m_levels.size())
            m_levels.emplace_back();
        m_levels[level].push(node);
        // The group lies in the list's last block, so that it is there even where its first nodes were dropped.
        if (const std::uint64_t count = m_levels[level].endIndex(); count % kFanOut == 0)
            add(level + 1, Node::of(&m_levels[level][count - kFanOut]));
    }

    std::vector<BlockList<Node>> m_levels; ///< From the finest.
};

} // namespace jetscope
