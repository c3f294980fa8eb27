// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/spantrack.h"
#include "core/trace/timelimits.h"

#include <cstdint>

namespace jetscope {

/// Finds the columns of a window for increasing times. Column edges are whole nanoseconds.
class ColumnCursor {
public:
    explicit ColumnCursor(const ColumnWindow &window);

    int count() const { return m_count; } ///< 0 for an invalid window.
    std::int64_t startNs() const { return m_startNs; }
    std::int64_t endNs() const { return m_endNs; }
    /// Column width in whole nanoseconds, rounded up: shorter durations are narrower than a column.
    std::int64_t columnNs() const { return m_columnNs; }

    /// The column of a time within the window. Times must not be before the column of the last call.
    int seek(std::int64_t ns)
    {
        if (ns >= m_nextNs)
            advance(ns);
        return m_column;
    }
    int column() const { return m_column; } ///< The result of the last seek().
    /// End of the current column.
    std::int64_t nextNs() const { return m_nextNs; }

    /// Start of column `column`; for `count()`, the end of the window.
    std::int64_t edge(int column) const
    {
        const std::int64_t offset = wholeNs(m_nsPerColumn * column);
        return offset < kMaxTraceNs - m_startNs ? m_startNs + offset : kMaxTraceNs;
    }

private:
    /// The greatest possible length of a trace.
    static constexpr std::int64_t kLongest = 2 * kMaxTraceNs;

    /// Converts a non-negative number to whole nanoseconds, limited to kLongest.
    static std::int64_t wholeNs(double ns)
    {
        return ns < static_cast<double>(kLongest) ? static_cast<std::int64_t>(ns) : kLongest;
    }

    void advance(std::int64_t ns)
    {
        if (ns < m_afterNextNs)
            moveTo(m_column + 1); // The most frequent case.
        else
            leap(ns);
    }
    void leap(std::int64_t ns);
    /// Moves to a later column. Computes the next edge in advance, so that the division is off the critical path.
    void moveTo(int column)
    {
        m_nextNs = column == m_column + 1 ? m_afterNextNs : edge(column + 1);
        m_column = column;
        m_afterNextNs = edge(std::min(column + 2, m_count));
    }

    std::int64_t m_startNs = 0;
    double m_nsPerColumn = 1;
    int m_count = 0;
    std::int64_t m_endNs = 0;
    std::int64_t m_columnNs = 1;
    int m_column = 0;
    std::int64_t m_nextNs = 0;
    std::int64_t m_afterNextNs = 0; ///< End of the following column; `m_nextNs` if there is none.
};

} // namespace jetscope
