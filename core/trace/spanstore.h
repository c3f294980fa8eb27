// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/packedlist.h"
#include "core/trace/spantrack.h"

#include <algorithm>
#include <cstdint>

namespace jetscope {

/// Summary of 16, 64, 256, … spans.
struct SpanNode {
    std::int64_t startNs;
    std::int64_t endNs;
    std::int64_t busyNs;
    std::uint32_t longestNs; ///< kEscape if the value does not fit.
    TraceName longest;       ///< Name of the longest span; of equals the first.

    static SpanNode of(const TraceSpan &span)
    {
        const auto longest = std::min<std::int64_t>(span.durationNs, kEscape);
        return {span.startNs, span.endNs(), span.durationNs, static_cast<std::uint32_t>(longest), span.name};
    }
    void add(const SpanNode &next)
    {
        endNs = next.endNs;
        busyNs += next.busyNs;
        if (next.longestNs > longestNs) {
            longestNs = next.longestNs;
            longest = next.longest;
        }
    }
};
static_assert(sizeof(SpanNode) == 32);

/// The fields of a span that timeline queries do not read.
struct SpanRest {
    std::uint32_t bytes;
    std::uint32_t frame;

    static SpanRest of(const TraceSpan &span) { return {static_cast<std::uint32_t>(span.bytes), span.frame}; }
};

/// A span as a track stores it.
struct PackedSpan {
    using Value = TraceSpan;
    using Node = SpanNode;
    using Rest = SpanRest;

    std::uint32_t offsetNs;
    std::uint32_t durationNs; ///< kEscape if one of the fields does not fit.
    TraceName name;

    static PackedSpan of(const TraceSpan &span, std::int64_t offsetNs)
    {
        if (!fitsPacked(offsetNs) || !fitsPacked(span.durationNs) || span.bytes >= kEscape)
            return {kEscape, kEscape, span.name};
        return {static_cast<std::uint32_t>(offsetNs), static_cast<std::uint32_t>(span.durationNs), span.name};
    }
    bool fits() const { return durationNs != kEscape; }
    TraceSpan value(std::int64_t startNs, const SpanRest &rest) const
    {
        return {startNs, durationNs, rest.bytes, rest.frame, name};
    }
};
static_assert(sizeof(PackedSpan) + sizeof(SpanRest) == 20);

/// The storage of a track.
using SpanStore = PackedList<PackedSpan>;

} // namespace jetscope
