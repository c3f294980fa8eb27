// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"
#include "ui/timeline/timelinelayout.h"

#include <QElapsedTimer>
#include <QPixmap>

class QWidget;

namespace jetscope {

/// Which part of the rows is in view.
struct RowScroll {
    int y = 0;
    int pinned = 0; ///< Pixels of rows at the top that do not scroll.
};

/// The picture of the names of the rows, which stay while the bars move: painted once, and again when it would look
/// different.
class RowLabels {
public:
    /// Rows, scroll, size, theme or font are others.
    void forget() { m_picture = {}; }
    bool isForgotten() const { return m_picture.isNull(); }
    /// The newest values of counters stand beside their names: as often as they can be read, the picture is forgotten.
    void traceGrown(const Trace &trace);

    const QPixmap &picture(const TimelineLayout &layout, const Trace &trace, RowScroll scroll, int height,
                           const QWidget &of);

private:
    QPixmap m_picture; ///< Null when it has to be painted again.
    QElapsedTimer m_age;
};

} // namespace jetscope
