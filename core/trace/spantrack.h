// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/names.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace jetscope {

/// One span as a trace gives it out. Which lane and depth it is on, its track says.
struct TraceSpan {
    std::int64_t startNs = 0;
    std::int64_t durationNs = 0;
    std::uint64_t bytes = 0; ///< Bytes moved; 0 when nothing is moved.
    std::uint32_t frame = kNoFrame;
    TraceName name = 0;

    std::int64_t endNs() const { return startNs + durationNs; }
};

/// A span with its place in its track. Indices are stable: they count from the first span that the track ever had, also
/// after the oldest were dropped.
struct TraceBar {
    std::uint64_t index = 0;
    TraceSpan span;
};

/// Columns of equal width, one a pixel: column i covers [startNs + i * nsPerColumn, startNs + (i + 1) * nsPerColumn).
struct ColumnWindow {
    std::int64_t startNs = 0;
    double nsPerColumn = 1;
    int count = 0;
};

/// What happened in one column on one track, of the spans that are narrower than a column.
struct TraceColumn {
    /// Their time within the window, placed to within one column, so that all columns add up to all of it.
    std::int64_t busyNs = 0;
    std::int64_t longestNs = 0; ///< The longest of them, 0 when there is none or none that lasts.
    TraceName longest = 0;      ///< Its name.
    std::uint32_t count = 0;    ///< How many begin here, to within one column.
};

/// The answer of a query: short spans summed by column, the others one by one in order of time.
struct TrackPicture {
    std::vector<TraceColumn> columns;
    std::vector<TraceBar> bars;
    std::uint64_t visited = 0; ///< Nodes and spans looked at: what the query cost.
};

/// The spans of one lane and nesting depth: append-only, sorted, never overlapping, so one array serves searches by
/// start and by end. 20 bytes a span in fixed blocks, and a pyramid of summaries above them. One thread.
class SpanTrack {
public:
    SpanTrack(LaneId lane, std::uint8_t depth);
    ~SpanTrack();
    SpanTrack(SpanTrack &&) noexcept;
    SpanTrack &operator=(SpanTrack &&) noexcept;

    LaneId lane() const { return m_lane; }
    std::uint8_t depth() const { return m_depth; }

    /// False, and nothing added, when the span begins before the end of the last one, its duration is negative or its
    /// times lie beyond ±146 years.
    bool append(const TraceSpan &span);

    /// Indices of the spans kept are [firstIndex, endIndex).
    std::uint64_t firstIndex() const;
    std::uint64_t endIndex() const;
    bool empty() const { return firstIndex() == endIndex(); }
    TraceSpan at(std::uint64_t index) const;

    /// Indices [first, last) of the spans that touch [fromNs, toNs); one without length does where it lies within.
    /// O(log n).
    std::pair<std::uint64_t, std::uint64_t> range(std::int64_t fromNs, std::int64_t toNs) const;

    /// Index of the first span that begins at `ns` or later. O(log n).
    std::uint64_t firstFrom(std::int64_t ns) const;

    /// What a window shows, at a cost that grows with columns and not with spans. Reuses the memory of `picture`.
    void query(const ColumnWindow &window, TrackPicture &picture) const;

    /// Forgets the spans before index `index`; their memory comes back in blocks.
    void dropBefore(std::uint64_t index);

    std::uint64_t memoryBytes() const;

private:
    struct Parts;
    LaneId m_lane;
    std::uint8_t m_depth;
    std::unique_ptr<Parts> m_parts;
};

} // namespace jetscope
