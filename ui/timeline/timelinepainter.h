// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/spanlinks.h"
#include "ui/timeline/textcache.h"
#include "ui/timeline/timelinelayout.h"
#include "ui/timeline/timelinetiles.h"
#include "ui/timeline/timescale.h"

#include <QFont>
#include <QRect>
#include <QSize>

#include <optional>
#include <vector>

class QPainter;

namespace jetscope {

class FrameNotes;
class TraceSelection;
struct BarColors;
struct Theme;

/// What lies over the painted tiles: values and references that live for one paint.
struct TimelineScene {
    const Trace &trace;
    const TimelineLayout &layout;
    const Theme &theme;
    const TraceSelection &selection;
    const std::vector<TileLabel> &labels;
    const std::vector<SpanLink> &links; ///< Of the selected span.
    TextCache &texts;
    FrameNotes &notes;
    TimeScale scale;
    std::int64_t rulerOriginNs = 0;
    int scrollY = 0;
    int pinned = 0; ///< Pixels of rows at the top that do not scroll.
    QSize size;
    std::optional<SpanPlace> hovered;
    std::optional<Interval> measured; ///< While it is being drawn by the mouse.
    std::optional<int> cursor;        ///< Viewport x of the mouse while it is over the lanes.
};

/// Paints what does not belong to the tiles: ruler, names on bars, numbers of frames, marks, and whatever depends on
/// mouse and selection.
class TimelinePainter {
public:
    static constexpr std::size_t kMostLabels = 300;

    TimelinePainter(QPainter &painter, const TimelineScene &scene);
    void paint();

private:
    void paintLabels();
    struct LabelColors {
        QColor text;
        QColor plate; ///< Behind the text, where the bar is striped; else none.
    };
    void paintLabel(const QRectF &bar, const LabelColors &colors, const QString &text, const QString &more);
    void paintOverlapNotes();
    void paintFrameStrip();
    void paintSelectedFrame();
    void paintSelectedSpan();
    void paintLinks();
    void paintLink(const SpanLink &link, const QRectF &from, const QRectF &to);
    void paintHovered();
    void paintRange();
    void paintRuler();
    void outline(const SpanPlace &span, const QColor &color, int width);

    double x(std::int64_t ns) const;
    int shownAt(int y) const; ///< Where something is that is `y` below the top of the content.
    QRect scrolledRows() const;
    QRect belowRows() const; ///< Where no tiles are.
    std::optional<QRectF> barOf(const SpanPlace &span) const;

    QPainter &m_painter;
    QFont m_font; ///< The widget's, in the size for bars.
    const TimelineScene &m_scene;
    QRect m_lanes; ///< Right of the labels, below the ruler.
    QRect m_rows;  ///< The part of it below the overlap strip and above the numbers of the frames.
    Interval m_window;
};

} // namespace jetscope
