// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/names.h"

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace jetscope {

/// One span of a trace. Its lane and depth are those of its track.
struct TraceSpan {
    std::int64_t startNs = 0;
    std::int64_t durationNs = 0;
    std::uint64_t bytes = 0; ///< Bytes moved; 0 if the span moves none.
    std::uint32_t frame = kNoFrame;
    TraceName name = 0;

    std::int64_t endNs() const { return startNs + durationNs; }
};

/// What analyses of many spans read of a span.
struct SpanTimes {
    std::int64_t startNs;
    std::int64_t durationNs;
    TraceName name;

    std::int64_t endNs() const { return startNs + durationNs; }
};

/// A span with its index in its track. Indices count from the first span ever added to the track, even after the oldest
/// were dropped; they are stable unless spans come late (SpanTrack::insert).
struct TraceBar {
    std::uint64_t index = 0;
    TraceSpan span;
};

/// Columns of equal width, one per pixel: column i covers [startNs + i * nsPerColumn, startNs + (i + 1) * nsPerColumn).
struct ColumnWindow {
    std::int64_t startNs = 0;
    double nsPerColumn = 1;
    int count = 0;
};

/// Summary of one column of one track, over the spans that are narrower than a column.
struct TraceColumn {
    /// Busy time within the window, placed with an error of at most one column; the sum over all columns is exact.
    std::int64_t busyNs = 0;
    std::int64_t longestNs = 0; ///< Duration of the longest such span; 0 if there is none or it has no length.
    TraceName longest = 0;      ///< Name of the longest span.
    std::uint32_t count = 0;    ///< Number of spans that begin here, with an error of at most one column.
};

/// The result of a query: short spans summed up by column, long spans individually in order of time.
struct TrackPicture {
    std::vector<TraceColumn> columns;
    std::vector<TraceBar> bars;
    std::uint64_t visited = 0; ///< Number of nodes and spans read: the cost of the query.
};

/// The spans of one lane and nesting depth: sorted, never overlapping, so one array serves searches by
/// start and by end. 20 bytes a span in fixed blocks, with a pyramid of summaries. Not thread-safe.
class SpanTrack {
public:
    SpanTrack(LaneId lane, std::uint8_t depth);
    ~SpanTrack();
    SpanTrack(const SpanTrack &other); ///< Shares what is stored: BlockList.
    SpanTrack(SpanTrack &&) noexcept;
    SpanTrack &operator=(SpanTrack &&) noexcept;

    LaneId lane() const { return m_lane; }
    std::uint8_t depth() const { return m_depth; }

    /// Returns false and adds nothing if the span begins before the end of the last one, its duration is negative or
    /// its times are outside ±146 years.
    bool append(const TraceSpan &span);

    /// Adds spans that come late, in order of time, where nothing is stored: those that overlap others are left out.
    /// Later ones get other indices. Returns how many were added; the cost is that of the spans behind the first one.
    std::uint64_t insert(std::span<const TraceSpan> late);

    /// The stored spans have the indices [firstIndex, endIndex).
    std::uint64_t firstIndex() const;
    std::uint64_t endIndex() const;
    bool empty() const { return firstIndex() == endIndex(); }
    TraceSpan at(std::uint64_t index) const;
    /// The times and names of the spans from `first` on, as many as there is room for: much faster than one by one.
    void read(std::uint64_t first, std::span<SpanTimes> out) const;

    /// Indices [first, last) of the spans that overlap [fromNs, toNs); a span without length overlaps if it lies
    /// within. O(log n).
    std::pair<std::uint64_t, std::uint64_t> range(std::int64_t fromNs, std::int64_t toNs) const;

    /// Index of the first span that begins at or after `ns`. O(log n).
    std::uint64_t firstFrom(std::int64_t ns) const;

    /// The spans of a window. The cost depends on the number of columns, not of spans. Reuses the memory of `picture`.
    void query(const ColumnWindow &window, TrackPicture &picture) const;

    /// Drops the spans before `index`; memory is freed in whole blocks.
    void dropBefore(std::uint64_t index);

    std::uint64_t memoryBytes() const;

private:
    struct Parts;
    LaneId m_lane;
    std::uint8_t m_depth;
    std::unique_ptr<Parts> m_parts;
};

} // namespace jetscope
