// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/spantrack.h"
#include "core/trace/timelimits.h"

#include <cstdint>

namespace jetscope {

/// Finds the columns of a window for times that only grow. Edges are whole nanoseconds.
class ColumnCursor {
public:
    explicit ColumnCursor(const ColumnWindow &window);

    int count() const { return m_count; } ///< 0 for a window that makes no sense.
    std::int64_t startNs() const { return m_startNs; }
    std::int64_t endNs() const { return m_endNs; }
    /// The shortest whole duration that is not narrower than a column.
    std::int64_t columnNs() const { return m_columnNs; }

    /// The column in which a time within the window lies, not before the one of the last call.
    int seek(std::int64_t ns)
    {
        if (ns >= m_nextNs)
            advance(ns);
        return m_column;
    }
    int column() const { return m_column; } ///< Found last.
    /// Where the column found last ends.
    std::int64_t nextNs() const { return m_nextNs; }

    /// Where column `column` begins; of `count()`, where the window ends.
    std::int64_t edge(int column) const
    {
        const std::int64_t offset = wholeNs(m_nsPerColumn * column);
        return offset < kMostTraceNs - m_startNs ? m_startNs + offset : kMostTraceNs;
    }

private:
    /// As long as a trace can be.
    static constexpr std::int64_t kLongest = 2 * kMostTraceNs;

    /// Whole nanoseconds of what is not negative, cut off where times end.
    static std::int64_t wholeNs(double ns)
    {
        return ns < static_cast<double>(kLongest) ? static_cast<std::int64_t>(ns) : kLongest;
    }

    void advance(std::int64_t ns)
    {
        if (ns < m_afterNextNs)
            moveTo(m_column + 1); // As a rule.
        else
            leap(ns);
    }
    void leap(std::int64_t ns);
    /// To a column behind the present one. Looks an edge ahead, so that nobody waits for its arithmetic.
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
    std::int64_t m_afterNextNs = 0; ///< Where the column behind ends; `m_nextNs` when there is none.
};

} // namespace jetscope
