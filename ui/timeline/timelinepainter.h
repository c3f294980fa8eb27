// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/overlap.h"
#include "ui/timeline/timelinelayout.h"
#include "ui/timeline/timescale.h"

#include <QFont>
#include <QRect>
#include <QSize>

class QPainter;

namespace jetscope {

class TraceHistory;
class TextCache;
struct BarColors;
struct Theme;
struct TraceMark;
struct Track;

/// What the timeline shows: values and references that live for one paint.
struct TimelineScene {
    const TraceHistory &history;
    const TimelineLayout &layout;
    const Theme &theme;
    TimeScale scale;
    std::int64_t rulerOriginNs = 0;
    int scrollY = 0;
    QSize size;
    TextCache &texts;
};

/// Paints the names of the rows, which stay while the bars move.
void paintTimelineLabels(QPainter &painter, const TimelineLayout &layout, const Theme &theme, int scrollY, int height);

/// Paints one viewport. The work grows with pixels: a span narrower than a pixel costs a search for the next pixel, not
/// a visit to each of its neighbours.
class TimelinePainter {
public:
    TimelinePainter(QPainter &painter, const TimelineScene &scene);
    void paint();

private:
    void paintFrameBands();
    void paintRuler();
    void paintRow(const TimelineRow &row);
    void paintOverlap(const TimelineRow &row);
    void paintOverlapLabels(const TimelineRow &row);
    void paintOverlapFarOut(const TimelineRow &row);
    void paintTrack(const Track &track, QRect band);
    void paintBar(const QRectF &bar, const BarColors &colors, const QString &text);
    void paintMarks();
    void paintMark(const TraceMark &mark, int rowTop);

    double x(std::int64_t ns) const;
    int rowTop(const TimelineRow &row) const;

    QPainter &m_painter;
    QFont m_font; ///< The widget's, in the size for bars.
    const TimelineScene &m_scene;
    QRect m_lanes; ///< Right of the labels, below the ruler.
    QRect m_rows;  ///< The part of it above the numbers of the frames.
    Interval m_window;
};

} // namespace jetscope
