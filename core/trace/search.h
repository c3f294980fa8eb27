// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>

namespace jetscope {

/// Binary search for the first index in [first, last) for which `isBefore` is false; it must be true for all indices
/// before.
template <class IsBefore>
std::uint64_t partitionIndex(std::uint64_t first, std::uint64_t last, IsBefore isBefore)
{
    while (first < last) {
        const std::uint64_t middle = first + (last - first) / 2;
        if (isBefore(middle))
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

/// Indices of the elements that overlap [fromNs, toNs), in a list of sorted, disjoint intervals. An interval without
/// length overlaps it if it lies within. `list.firstFrom(ns)` returns the first interval that starts at or after a
/// time; `endNs(index)` returns the end of an interval.
template <class List, class EndNs>
std::pair<std::uint64_t, std::uint64_t> touching(const List &list, std::int64_t fromNs, std::int64_t toNs, EndNs endNs)
{
    std::uint64_t first = list.firstFrom(fromNs);
    // Of the intervals that start earlier, only the last one can still overlap.
    if (first > list.firstIndex() && endNs(first - 1) > fromNs)
        --first;
    return {first, fromNs < toNs ? list.firstFrom(toNs) : first};
}

} // namespace jetscope
