// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/spanstore.h"

#include <algorithm>

namespace jetscope {

SpanNode SpanNode::of(const SpanNode *children)
{
    const SpanNode *const last = children + Pyramid<SpanNode>::kFanOut - 1;
    SpanNode sum = *children;
    sum.endNs = last->endNs;
    for (const SpanNode *child = children + 1; child <= last; ++child) {
        sum.busyNs += child->busyNs;
        if (child->longestNs > sum.longestNs) {
            sum.longestNs = child->longestNs;
            sum.longest = child->longest;
        }
    }
    return sum;
}

SpanNode SpanStore::summary(std::uint64_t first) const
{
    const std::uint64_t last = first + Pyramid<SpanNode>::kFanOut - 1;
    SpanNode sum{m_spans[first].startNs, m_spans[last].startNs + durationOf(last), 0, -1, 0};
    for (std::uint64_t index = first; index <= last; ++index) {
        const std::int64_t duration = durationOf(index);
        sum.busyNs += duration;
        if (duration > sum.longestNs) {
            sum.longestNs = duration;
            sum.longest = m_spans[index].name;
        }
    }
    return sum;
}

TraceSpan SpanStore::at(std::uint64_t index) const
{
    const StoredSpan &span = m_spans[index];
    if (span.durationNs != StoredSpan::kEscape)
        return {span.startNs, span.durationNs, span.bytes, span.frame, span.name};
    const Escape &escape = escapeOf(index);
    return {span.startNs, escape.durationNs, escape.bytes, span.frame, span.name};
}

std::vector<SpanStore::Escape>::const_iterator SpanStore::firstEscape(std::uint64_t index) const
{
    return std::lower_bound(m_escapes.begin(), m_escapes.end(), index,
                            [](const Escape &escape, std::uint64_t other) { return escape.index < other; });
}

const SpanStore::Escape &SpanStore::escapeOf(std::uint64_t index) const
{
    return *firstEscape(index);
}

void SpanStore::dropBefore(std::uint64_t index)
{
    m_spans.dropBefore(index);
    m_pyramid.dropBefore(m_spans.firstIndex());
    // The first block may still be read when a group's summary is made.
    m_escapes.erase(m_escapes.begin(), firstEscape(m_spans.firstIndex() / 16 * 16));
}

std::uint64_t SpanStore::memoryBytes() const
{
    return m_spans.memoryBytes() + m_pyramid.memoryBytes() + m_escapes.capacity() * sizeof(Escape);
}

} // namespace jetscope
