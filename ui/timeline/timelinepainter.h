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

/// Input for painting over the tiles: values and references for one paint event.
struct TimelineScene {
    const Trace &trace;
    const TimelineLayout &layout;
    const Theme &theme;
    const TraceSelection &selection;
    const std::vector<TileLabel> &labels;
    const std::vector<SpanLink> &links;    ///< Links of the selected span.
    const std::vector<SpanLink> &allLinks; ///< Links to long spans, if they are wanted.
    TextCache &texts;
    FrameNotes &notes;
    TimeScale scale;
    std::int64_t rulerOriginNs = 0;
    int scrollY = 0;
    int pinned = 0; ///< Height of the rows at the top that do not scroll.
    QSize size;
    std::optional<SpanPlace> hovered;
    std::optional<Interval> measured; ///< Set while the range is being drawn with the mouse.
    std::optional<int> cursor;        ///< Viewport x of the mouse while it is over the lanes.
};

/// Paints everything that is not in the tiles: ruler, names on bars, frame numbers, marks, and what depends on mouse
/// and selection.
class TimelinePainter {
public:
    static constexpr std::size_t kMaxLabels = 300;

    TimelinePainter(QPainter &painter, const TimelineScene &scene);
    void paint();

private:
    void paintLabels();
    void paintIdleLabels();
    void paintDiscarded();
    struct LabelColors {
        QColor text;
        QColor plate; ///< Background of the text on striped bars; else invalid.
    };
    void paintLabel(const QRectF &bar, const LabelColors &colors, const QString &text, const QString &more);
    void paintOverlapNotes();
    void paintFrameStrip();
    void paintLimits();
    void paintSelectedFrame();
    void paintSelectedSpan();
    void paintAllLinks();
    void paintLinks();
    void paintLink(const SpanLink &link, const QRectF &from, const QRectF &to);
    void paintCounterValues();
    void paintCounterValue(const TimelineRow &row, std::int64_t ns);
    std::optional<std::int64_t> cursorNs() const;
    void paintHovered();
    void paintRange();
    void paintRuler();
    void outline(const SpanPlace &span, const QColor &color, int width);

    double x(std::int64_t ns) const;
    int shownAt(int y) const; ///< Viewport y of a position `y` from the top of the content.
    QRect scrolledRows() const;
    QRect belowRows() const; ///< The part of the lanes that tiles do not cover.
    std::optional<QRectF> barOf(const SpanPlace &span) const;

    QPainter &m_painter;
    QFont m_widgetFont;
    QFont m_font; ///< The widget's font in the size for bars.
    const TimelineScene &m_scene;
    QRect m_lanes; ///< Right of the labels, below the ruler.
    QRect m_rows;  ///< Part of m_lanes between the overlap strip and the frame numbers.
    Interval m_window;
};

} // namespace jetscope
