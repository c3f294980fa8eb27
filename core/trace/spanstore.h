// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/pyramid.h"
#include "core/trace/spantrack.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace jetscope {

/// A span as a track keeps it.
struct StoredSpan {
    /// In place of a figure that does not fit: it stands in the table of escapes.
    static constexpr std::uint32_t kEscape = std::numeric_limits<std::uint32_t>::max();

    std::int64_t startNs;
    std::uint32_t durationNs;
    TraceName name;
    std::uint32_t frame;
    std::uint32_t bytes;
};
static_assert(sizeof(StoredSpan) == 24);

/// What 16, 256, … spans come to.
struct SpanNode {
    std::int64_t startNs;
    std::int64_t endNs;
    std::int64_t busyNs;
    std::int64_t longestNs;
    TraceName longest; ///< Its name; the first of several as long.

    static SpanNode of(const SpanNode *children);
};

/// The memory of a track: spans, what does not fit them, and their pyramid. Only its owner appends, in order.
class SpanStore {
public:
    std::uint64_t firstIndex() const { return m_spans.firstIndex(); }
    std::uint64_t endIndex() const { return m_spans.endIndex(); }

    void append(const TraceSpan &span)
    {
        const bool escapes = span.durationNs >= StoredSpan::kEscape || span.bytes >= StoredSpan::kEscape;
        if (escapes)
            m_escapes.push_back({endIndex(), span.durationNs, span.bytes});
        m_spans.push({span.startNs, escapes ? StoredSpan::kEscape : static_cast<std::uint32_t>(span.durationNs),
                      span.name, span.frame, escapes ? StoredSpan::kEscape : static_cast<std::uint32_t>(span.bytes)});
        m_pyramid.grown(endIndex(), [this](std::uint64_t first) { return summary(first); });
    }

    TraceSpan at(std::uint64_t index) const;
    const StoredSpan &stored(std::uint64_t index) const { return m_spans[index]; }
    std::int64_t durationOf(std::uint64_t index) const
    {
        const std::uint32_t duration = m_spans[index].durationNs;
        return duration != StoredSpan::kEscape ? duration : escapeOf(index).durationNs;
    }
    const SpanNode &node(int level, std::uint64_t index) const { return m_pyramid.node(level, index); }

    void dropBefore(std::uint64_t index);
    std::uint64_t memoryBytes() const;

private:
    struct Escape {
        std::uint64_t index = 0;
        std::int64_t durationNs = 0;
        std::uint64_t bytes = 0;
    };
    const Escape &escapeOf(std::uint64_t index) const;
    std::vector<Escape>::const_iterator firstEscape(std::uint64_t index) const;
    SpanNode summary(std::uint64_t first) const;

    BlockList<StoredSpan> m_spans;
    std::vector<Escape> m_escapes; ///< By index.
    Pyramid<SpanNode> m_pyramid;
};

} // namespace jetscope
