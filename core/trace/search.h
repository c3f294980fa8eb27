// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>

namespace jetscope {

/// The first of the indices [first, last) for which `isBefore` is false; it is true for all before.
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

/// Indices of the pieces that touch [fromNs, toNs), of a list of pieces that are sorted and do not overlap. A piece
/// without length touches it where it lies within. `list.firstFrom(ns)` is the first piece that starts at a time or
/// later, `endNs(index)` where a piece ends.
template <class List, class EndNs>
std::pair<std::uint64_t, std::uint64_t> touching(const List &list, std::int64_t fromNs, std::int64_t toNs, EndNs endNs)
{
    std::uint64_t first = list.firstFrom(fromNs);
    // Of those that start before, only the last can still last.
    if (first > list.firstIndex() && endNs(first - 1) > fromNs)
        --first;
    return {first, fromNs < toNs ? list.firstFrom(toNs) : first};
}

} // namespace jetscope
