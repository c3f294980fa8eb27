// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"

#include <QRandomGenerator>

#include <array>
#include <limits>
#include <vector>

namespace jetscope::test {

/// A number from 0 to `most` with a logarithmic distribution.
inline std::int64_t randomLength(QRandomGenerator &random, std::int64_t most)
{
    return random.bounded(1 + random.bounded(static_cast<quint32>(most) + 1));
}

/// Spans of one track in order, with gaps, adjacent spans, spans without length, and occasional pauses and long spans.
inline std::vector<TraceSpan> randomSpans(QRandomGenerator &random, std::size_t count, std::int64_t startNs,
                                          TraceName names)
{
    std::vector<TraceSpan> spans;
    std::int64_t at = startNs;
    for (std::size_t i = 0; i < count; ++i) {
        const quint32 kind = random.bounded(100U);
        at += kind < 30 ? 0 : kind < 98 ? randomLength(random, 50) : 5000 + randomLength(random, 100'000);
        TraceSpan span;
        span.startNs = at;
        span.durationNs = kind % 10 == 0 ? 0 : kind == 55 ? randomLength(random, 20'000) : randomLength(random, 100);
        span.bytes = random.bounded(3U) == 0 ? random.generate64() >> random.bounded(64U) : 0;
        span.frame = static_cast<std::uint32_t>(i / 4);
        span.name = random.bounded(names);
        at = span.endNs();
        spans.push_back(span);
    }
    return spans;
}

inline bool isSame(const TraceSpan &a, const TraceSpan &b)
{
    return a.startNs == b.startNs && a.durationNs == b.durationNs && a.bytes == b.bytes && a.frame == b.frame
        && a.name == b.name;
}

/// Reference implementation: whether an interval overlaps [fromNs, toNs).
inline bool touches(std::int64_t startNs, std::int64_t endNs, Interval window)
{
    if (window.startNs >= window.endNs)
        return false;
    return startNs == endNs ? startNs >= window.startNs && startNs < window.endNs
                            : startNs < window.endNs && endNs > window.startNs;
}

} // namespace jetscope::test
