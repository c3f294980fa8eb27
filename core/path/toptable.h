// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/waitcauses.h"
#include "core/path/workkind.h"
#include "core/progress.h"
#include "core/trace/trace.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace jetscope {

/// The spans of one name and kind. Of a span that the edges of the time cut, the part within counts. Times are own
/// times: without the spans nested in a span. For the work of a device these are whole times.
struct TopRow {
    static constexpr std::size_t kBins = 16;

    TraceName name = 0; ///< One of the names that the row stands for (NameGroups).
    Category category = Category::Tool;
    std::uint64_t count = 0;
    std::int64_t ownNs = 0;
    std::int64_t wholeNs = 0; ///< With the nested spans; a span nested in one of its own name counts twice.
    std::int64_t meanNs = 0;
    std::int64_t p50Ns = 0; ///< As DurationSample says: exact for few spans, else within 0.4 %.
    std::int64_t p95Ns = 0;
    std::int64_t p99Ns = 0;
    std::int64_t maxNs = 0;
    std::array<std::uint32_t, kBins> histogram{}; ///< On the axis of the table.

    WorkKind kind() const { return workKindOf(category); }
};

/// Rows of a table that are not in it.
struct TopRest {
    std::uint64_t rows = 0;
    std::int64_t ownNs = 0;
};

/// What took the time within an interval, by name.
struct TopTable {
    Interval time;
    std::int64_t ownNs = 0; ///< Sum of all rows: the recorded time of all lanes, which may run side by side.
    std::size_t lanes = 0;  ///< With spans in this time.
    std::int64_t axisFromNs = 1;
    double axisRatio = 2;             ///< Ratio of a bin's edges; one axis for the histograms of all rows.
    std::vector<TopRow> rows;         ///< Largest own time first.
    std::array<TopRest, 4> rest{};    ///< By WorkKind: the smallest, if there were too many.
    std::vector<std::uint32_t> rowOf; ///< By name; kNoRow for names without a span in this time.

    static constexpr std::uint32_t kNoRow = 0xffffffff;
    /// The axis' end.
    std::int64_t axisToNs() const;
    /// Makes the smallest rows the rest.
    void keepLargest(std::size_t most);
};

/// Computes the table from all lanes of work (isWorkLane). Time grows with the spans within, about 20 ns each: not for
/// threads that must not block. Empty when cancelled.
std::optional<TopTable> topTable(const Trace &trace, Interval time, Progress &progress);

/// The span of a row of the table that begins next after (1) or before (-1) another time, by start; of those that begin
/// at the same time, the first. Empty if there is none. Reads the spans up to it.
std::optional<SpanPlace> nextOfRow(const Trace &trace, const TopTable &table, std::uint32_t row, std::int64_t ns,
                                   int direction);

} // namespace jetscope
