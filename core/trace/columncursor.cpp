// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/columncursor.h"

#include "core/trace/timelimits.h"

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

/// As long as a trace can be.
constexpr std::int64_t kLongest = 2 * kMostTraceNs;

/// Whole nanoseconds of what is not negative, cut off where times end.
std::int64_t wholeNs(double ns)
{
    return ns < static_cast<double>(kLongest) ? static_cast<std::int64_t>(ns) : kLongest;
}

} // namespace

ColumnCursor::ColumnCursor(const ColumnWindow &window)
    : m_startNs(std::clamp(window.startNs, -kMostTraceNs, kMostTraceNs)), m_nsPerColumn(window.nsPerColumn)
{
    if (std::isfinite(m_nsPerColumn) && m_nsPerColumn > 0)
        m_count = std::max(0, window.count);
    m_endNs = edge(m_count);
    m_columnNs = m_count > 0 ? wholeNs(std::ceil(m_nsPerColumn)) : 1;
    m_nextNs = edge(std::min(1, m_count));
}

std::int64_t ColumnCursor::edge(int column) const
{
    const std::int64_t offset = column > 0 ? wholeNs(m_nsPerColumn * column) : 0;
    return offset < kMostTraceNs - m_startNs ? m_startNs + offset : kMostTraceNs;
}

void ColumnCursor::advance(std::int64_t ns)
{
    const int last = m_count - 1;
    // The next column, as a rule.
    if (m_column < last) {
        if (const std::int64_t next = edge(m_column + 2); ns < next) {
            ++m_column;
            m_nextNs = next;
            return;
        }
    }
    const double guess = static_cast<double>(ns - m_startNs) / m_nsPerColumn;
    int column = guess < last ? static_cast<int>(guess) : last;
    // Rounding may have missed by one, and columns narrower than a nanosecond share their edges.
    while (column > m_column && edge(column) > ns)
        --column;
    while (column < last && edge(column + 1) <= ns)
        ++column;
    m_column = std::max(column, m_column);
    m_nextNs = edge(m_column + 1);
}

} // namespace jetscope
