// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/waitcauses.h"
#include "core/trace/durationdistribution.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// Finds spans whose name contains a text. Counts in small steps, so that the calling thread is not blocked; finding
/// the next match does not depend on the count. One thread; the trace must outlive it.
class NameSearch {
public:
    explicit NameSearch(const Trace &trace) : m_trace(trace) {}

    /// Starts over. Case-insensitive; an empty text matches nothing. "gemm > 2 ms" finds those that are longer than
    /// that, and "> 2 ms" all that are.
    void setText(std::string_view text);
    bool isEmpty() const { return m_text.empty() && m_overNs < 0; }

    /// Counts about `mostSpans` more spans; true once all are counted.
    bool advance(std::uint64_t mostSpans);
    /// Matches counted so far, without those that the trace has discarded.
    std::uint64_t count() const { return m_durations.count(); }
    const DurationDistribution &durations() const { return m_durations; }

    /// The first match on any lane that starts after (+1) or before (-1) a time.
    std::optional<SpanPlace> next(std::int64_t fromNs, int direction) const;
    /// The match after (+1) or before (-1) another one. Those that start at the same time are in the order of the
    /// lanes.
    std::optional<SpanPlace> next(const SpanPlace &from, int direction) const;
    /// As next(), and behind the last one the first again.
    template <class From>
    std::optional<SpanPlace> nextOrFirst(const From &from, int direction) const
    {
        const auto found = next(from, direction);
        constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max() / 2;
        return found ? found : next(direction > 0 ? -kFar : kFar, direction);
    }
    /// Number of counted matches that start at or before a time.
    std::uint64_t countUntil(std::int64_t ns) const;
    /// The number of a match among all, in the order of next().
    std::uint64_t positionOf(const SpanPlace &match) const;

    /// The longest matches counted so far, at most kMostListed, in any order.
    static constexpr std::size_t kMostListed = 1000;
    const std::vector<SpanPlace> &longest() const { return m_longest; }

    bool matches(const TraceSpan &span) const { return span.durationNs > m_overNs && matchesName(span.name); }

private:
    static constexpr std::uint64_t kBlock = 4096;

    /// Matches of a track per block of kBlock indices.
    struct Counted {
        std::uint64_t from = 0; ///< Index of the first block's first span; a multiple of kBlock.
        std::uint64_t next = 0; ///< First index that is not counted yet.
        std::vector<std::uint16_t> blocks;
    };

    void restart();
    bool matchesName(TraceName name) const;
    void list(const SpanPlace &match);
    template <class Take>
    std::uint64_t countBlock(std::size_t track, std::uint64_t first, std::uint64_t last, Take take) const;
    std::optional<SpanPlace> nearest(const std::function<std::uint64_t(std::size_t track)> &from, int direction) const;
    std::optional<std::uint64_t> firstMatch(std::size_t track, std::uint64_t from) const;
    std::optional<std::uint64_t> lastMatch(std::size_t track, std::uint64_t before) const;
    bool isEmptyBlock(std::size_t track, std::uint64_t index) const;

    const Trace &m_trace;
    std::string m_text;                       ///< Folded.
    std::int64_t m_overNs = -1;               ///< Matches are longer; -1: of any length.
    mutable std::vector<signed char> m_known; ///< Per name: 1 matches, 0 does not, -1 unknown.
    std::vector<Counted> m_counted;
    DurationDistribution m_durations;
    std::vector<SpanPlace> m_longest; ///< A heap with the shortest on top.
    std::uint64_t m_shape = 0;
    std::uint64_t m_discarded = 0; ///< Number of discarded spans at the last restart.
};

} // namespace jetscope
