// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"
#include "ui/timeline/timelinelayout.h"

#include <QElapsedTimer>
#include <QPixmap>
#include <QRect>

class QWidget;

namespace jetscope {

/// Visible part of the rows.
struct RowScroll {
    int y = 0;
    int pinned = 0; ///< Height of the rows at the top that do not scroll.
};

/// The newest value of a counter. What becomes unknown only where the trace ends, as at the end of a log, is shown with
/// its last value.
QString counterValueText(const CounterTrack &counter, std::int64_t endNs);

/// Where the name of a row says how many levels it shows, from the top of the row.
QRect levelsRect(const TimelineRow &row, int width);

/// The picture of the row names, which do not move when the user pans. It is painted again only if it would look
/// different.
class RowLabels {
public:
    /// Rows, scroll position, size, theme or font have changed.
    void clear() { m_picture = {}; }
    bool isEmpty() const { return m_picture.isNull(); }
    /// The labels contain the newest counter values: clears the picture if it is old enough to be updated.
    void traceGrown(const Trace &trace);

    const QPixmap &picture(const TimelineLayout &layout, const Trace &trace, RowScroll scroll, int height,
                           const QWidget &of);

private:
    QPixmap m_picture; ///< Null if it must be painted again.
    QElapsedTimer m_age;
};

} // namespace jetscope
