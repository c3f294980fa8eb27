// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/blocklist.h"
#include "core/trace/pyramid.h"
#include "core/trace/search.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace jetscope {

/// In place of a figure that does not fit 32 bits.
inline constexpr std::uint32_t kEscape = std::numeric_limits<std::uint32_t>::max();

constexpr bool fitsPacked(std::int64_t value)
{
    return value >= 0 && value < std::int64_t{kEscape};
}

/// Values in order of time, in figures of 32 bits: starts count from the start of their group of 16. What does not fit
/// is kept whole in a table of escapes. Above them stands their pyramid. Indices are stable. What queries of many
/// values look at lies together, the rest apart from it: such queries wait for memory.
///
/// `Packed` is a trivially copyable value with
/// - the types `Value`, which has `startNs`, `Node`, which has `startNs`, `static Node of(const Value &)` and what
///   Pyramid asks for, and `Rest`, trivially copyable, with `static Rest of(const Value &)`;
/// - `static Packed of(const Value &, std::int64_t offsetNs)`, and `fits()`, which says whether nothing was lost, in
///   the rest neither;
/// - `offsetNs`, and `Value value(std::int64_t startNs, const Rest &rest) const`.
template <class Packed>
class PackedList {
public:
    using Value = typename Packed::Value;
    using Node = typename Packed::Node;
    using Rest = typename Packed::Rest;
    static constexpr std::uint64_t kGroup = Pyramid<Node>::kGroup;

    std::uint64_t firstIndex() const { return m_packed.firstIndex(); }
    std::uint64_t endIndex() const { return m_packed.endIndex(); }

    /// It does not start before the last one.
    void append(const Value &value)
    {
        if (endIndex() % kGroup == 0)
            m_newestGroupNs = value.startNs;
        const Packed packed = Packed::of(value, value.startNs - m_newestGroupNs);
        if (!packed.fits())
            m_escapes.push_back({endIndex(), value});
        m_packed.push(packed);
        m_rest.push(Rest::of(value));
        m_pyramid.grown(endIndex(), [this](std::uint64_t first) { return summary(first); });
    }

    Value at(std::uint64_t index) const { return valueFrom(groupStartNs(index / kGroup), index); }
    std::int64_t startNs(std::uint64_t index) const
    {
        const Packed &packed = m_packed[index];
        return packed.fits() ? groupStartNs(index / kGroup) + packed.offsetNs : escapeOf(index).startNs;
    }
    /// The values of a group lie side by side.
    const Packed &packed(std::uint64_t index) const { return m_packed[index]; }
    std::int64_t groupStartNs(std::uint64_t group) const
    {
        return group < endIndex() / kGroup ? m_pyramid.node(0, group).startNs : m_newestGroupNs;
    }
    const Node &node(int level, std::uint64_t index) const { return m_pyramid.node(level, index); }

    /// Index of the first value that starts at `ns` or later. O(log n).
    std::uint64_t firstFrom(std::int64_t ns) const
    {
        // By groups first: their starts are at hand.
        const std::uint64_t group = partitionIndex(firstIndex() / kGroup, (endIndex() + kGroup - 1) / kGroup,
                                                   [&](std::uint64_t index) { return groupStartNs(index) < ns; });
        return partitionIndex(std::max(firstIndex(), (std::max(group, std::uint64_t{1}) - 1) * kGroup),
                              std::min(endIndex(), group * kGroup),
                              [&](std::uint64_t index) { return startNs(index) < ns; });
    }

    void dropBefore(std::uint64_t index)
    {
        m_packed.dropBefore(index);
        m_rest.dropBefore(index);
        m_pyramid.dropBefore(firstIndex());
        // What was dropped of the first group may still be read when its summary is made.
        m_escapes.erase(m_escapes.begin(), firstEscape(firstIndex() / kGroup * kGroup));
    }

    std::uint64_t memoryBytes() const
    {
        return m_packed.memoryBytes() + m_rest.memoryBytes() + m_pyramid.memoryBytes()
            + m_escapes.capacity() * sizeof(Escape);
    }

private:
    struct Escape {
        std::uint64_t index = 0;
        Value value;
    };

    auto firstEscape(std::uint64_t index) const
    {
        return std::lower_bound(m_escapes.begin(), m_escapes.end(), index,
                                [](const Escape &escape, std::uint64_t other) { return escape.index < other; });
    }
    const Value &escapeOf(std::uint64_t index) const { return firstEscape(index)->value; }

    Node summary(std::uint64_t first) const
    {
        Node sum = Node::of(valueFrom(m_newestGroupNs, first));
        for (std::uint64_t index = first + 1; index < first + kGroup; ++index)
            sum.add(Node::of(valueFrom(m_newestGroupNs, index)));
        return sum;
    }
    Value valueFrom(std::int64_t groupNs, std::uint64_t index) const
    {
        const Packed &packed = m_packed[index];
        return packed.fits() ? packed.value(groupNs + packed.offsetNs, m_rest[index]) : escapeOf(index);
    }

    BlockList<Packed> m_packed;
    BlockList<Rest> m_rest;
    std::vector<Escape> m_escapes; ///< By index.
    Pyramid<Node> m_pyramid;
    std::int64_t m_newestGroupNs = 0; ///< The start of the group that the last value is in.
};

} // namespace jetscope
