// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/board/boardrows.h"
#include "ui/timeline/timescale.h"

#include <QRect>

class QPainter;

namespace jetscope {

/// Paints the chart of one group: scales, strips of cores, curves and stacked rails. Lives for one paint event.
class ChartPainter {
public:
    static int usualLabels(); ///< Width of the names at the left, for the font that the application has.

    ChartPainter(QPainter &painter, const BoardSeries &series, const TimeScale &scale)
        : m_painter(painter), m_series(series), m_scale(scale)
    {
    }
    /// `place`: the whole row. `labels`: width of the names.
    void paint(const BoardRow &row, const QRect &place, int labels);

    static QRect plotOf(const QRect &place, int labels);
    /// Where a value is, from the top of the row.
    static int yOf(const BoardRow &row, const ShownCurve &shown, const QRect &plot, double value);

private:
    void paintScale(const BoardRow &row, const QRect &plot);
    void paintStrips(const BoardRow &row, const QRect &plot);
    void paintCurve(const BoardRow &row, const ShownCurve &shown, const QRect &plot, bool isFilled);
    void paintStack(const BoardRow &row, const QRect &plot);
    void paintLimits(const BoardRow &row, const QRect &plot);
    void paintLimit(const BoardRow &row, const ShownCurve &shown, const QRect &plot);
    std::vector<CounterColumn> columnsOf(std::size_t counter, int width) const;

    QPainter &m_painter;
    const BoardSeries &m_series;
    const TimeScale m_scale;
};

} // namespace jetscope
