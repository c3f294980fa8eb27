// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/overlap.h"

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

/// Indices of the pieces that touch [fromNs, toNs), among pieces [first, last) that are sorted and do not overlap. A
/// piece without length touches it where it lies within. `pieceAt(index)` is an Interval.
template <class PieceAt>
std::pair<std::uint64_t, std::uint64_t> touching(std::uint64_t first, std::uint64_t last, std::int64_t fromNs,
                                                 std::int64_t toNs, PieceAt pieceAt)
{
    first = partitionIndex(first, last, [&](std::uint64_t index) {
        const Interval piece = pieceAt(index);
        return piece.endNs < fromNs || (piece.endNs == fromNs && piece.startNs < fromNs);
    });
    if (fromNs >= toNs)
        return {first, first};
    return {first, partitionIndex(first, last, [&](std::uint64_t index) { return pieceAt(index).startNs < toNs; })};
}

} // namespace jetscope
