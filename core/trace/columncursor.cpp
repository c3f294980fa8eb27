// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/columncursor.h"

#include <algorithm>
#include <cmath>

namespace jetscope {

ColumnCursor::ColumnCursor(const ColumnWindow &window)
    : m_startNs(std::clamp(window.startNs, -kMaxTraceNs, kMaxTraceNs))
{
    if (std::isfinite(window.nsPerColumn) && window.nsPerColumn > 0) {
        m_nsPerColumn = window.nsPerColumn;
        m_count = std::max(0, window.count);
    }
    m_endNs = edge(m_count);
    m_columnNs = m_count > 0 ? wholeNs(std::ceil(m_nsPerColumn)) : 1;
    m_nextNs = edge(std::min(1, m_count));
    m_afterNextNs = edge(std::min(2, m_count));
}

void ColumnCursor::leap(std::int64_t ns)
{
    const int last = m_count - 1;
    const double guess = static_cast<double>(ns - m_startNs) / m_nsPerColumn;
    int column = guess < last ? static_cast<int>(guess) : last;
    // Corrects rounding errors; columns narrower than a nanosecond have identical edges.
    while (column > m_column && edge(column) > ns)
        --column;
    while (column < last && edge(column + 1) <= ns)
        ++column;
    if (column > m_column)
        moveTo(column);
}

} // namespace jetscope
