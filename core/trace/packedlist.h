// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/blocklist.h"
#include "core/trace/pyramid.h"
#include "core/trace/search.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace jetscope {

/// Replaces a value that does not fit into 32 bits.
inline constexpr std::uint32_t kEscape = std::numeric_limits<std::uint32_t>::max();

constexpr bool fitsPacked(std::int64_t value)
{
    return value >= 0 && value < std::int64_t{kEscape};
}

/// Values in order of time, packed into 32-bit fields: starts are relative to the start of their group of 16. Values
/// that do not fit are stored unpacked in a table of escapes. A pyramid summarises the values. Indices are stable.
/// Fields that queries of many values read are contiguous and separate from the other fields, because memory bandwidth
/// limits such queries.
///
/// `Packed` is a trivially copyable type with
/// - the types `Value`, which has `startNs`; `Node`, which has `startNs`, `static Node of(const Value &)` and the
/// members that Pyramid requires; and `Rest`, trivially copyable, with `static Rest of(const Value &)`;
/// - `static Packed of(const Value &, std::int64_t offsetNs)`, and `fits()`, which returns whether packing, including
/// the rest, was lossless;
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

    /// `value` must not start before the last one.
    void append(const Value &value)
    {
        if (endIndex() % kGroup == 0)
            m_newestGroupNs = value.startNs;
        const Packed packed = Packed::of(value, value.startNs - m_newestGroupNs);
        if (!packed.fits())
            m_escapes.push({endIndex(), value});
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
    /// The values of a group are contiguous.
    const Packed &packed(std::uint64_t index) const { return m_packed[index]; }
    std::int64_t groupStartNs(std::uint64_t group) const
    {
        return group < endIndex() / kGroup ? m_pyramid.node(0, group).startNs : m_newestGroupNs;
    }
    const Node &node(int level, std::uint64_t index) const { return m_pyramid.node(level, index); }

    /// Index of the first value that starts at or after `ns`. O(log n).
    std::uint64_t firstFrom(std::int64_t ns) const
    {
        // Search the groups first, because their start times are stored.
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
        // Dropped values of the first group may still be read when its summary is computed.
        m_escapes.dropBefore(firstEscape(firstIndex() / kGroup * kGroup));
    }

    /// Forgets the values from `index` on.
    void cutFrom(std::uint64_t index)
    {
        if (index >= endIndex())
            return;
        m_newestGroupNs = groupStartNs(index / kGroup); // Of a group that begins anew it is not used.
        m_escapes.cutFrom(firstEscape(index));
        m_packed.cutFrom(index);
        m_rest.cutFrom(index);
        m_pyramid.cutFrom(index);
    }

    std::uint64_t memoryBytes() const
    {
        return m_packed.memoryBytes() + m_rest.memoryBytes() + m_pyramid.memoryBytes() + m_escapes.memoryBytes();
    }

private:
    struct Escape {
        std::uint64_t index = 0;
        Value value;
    };

    std::uint64_t firstEscape(std::uint64_t index) const
    {
        return partitionIndex(m_escapes.firstIndex(), m_escapes.endIndex(),
                              [&](std::uint64_t place) { return m_escapes[place].index < index; });
    }
    const Value &escapeOf(std::uint64_t index) const { return m_escapes[firstEscape(index)].value; }

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
    BlockList<Escape> m_escapes; ///< Sorted by index.
    Pyramid<Node> m_pyramid;
    std::int64_t m_newestGroupNs = 0; ///< Start of the last value's group.
};

} // namespace jetscope
