// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/waitcauses.h"
#include "ui/timeline/counterline.h"
#include "ui/timeline/overlapstrip.h"
#include "ui/timeline/pixelline.h"
#include "ui/timeline/tilecanvas.h"
#include "ui/timeline/timelinelayout.h"
#include "ui/timeline/timescale.h"

#include <QImage>

#include <array>
#include <vector>

namespace jetscope {

struct Theme;

/// A bar that has room for its name.
struct TileLabel {
    SpanPlace place;
    int top = 0; ///< Of the bar, from the top of the content.
    int height = 0;
};

struct Tile {
    QImage image;
    std::vector<TileLabel> labels;
};

/// Whether so little is in view that the overlap strip can be cut exactly, span by span; else it comes from the sums of
/// the frames.
bool isNear(const Trace &trace, Interval window, double nsPerPixel);

/// Paints tiles: everything that moves with time and does not depend on mouse or selection. Work grows with pixels.
/// What all tiles of one piece of time have in common is found out once, if they are painted one after the other.
class TilePainter {
public:
    static constexpr double kMinLabelPixels = 40;

    TilePainter(const Trace &trace, const TimelineLayout &layout, const Theme &theme);

    /// `memory` is used again if it has the right size: fresh memory costs as much as painting it.
    Tile paint(const TileArea &area, QImage memory);

private:
    void lookAround();
    void makeBackground();
    void paintRow(const TimelineRow &row);
    void paintHeading(const TimelineRow &row);
    void paintLane(const TimelineRow &row);
    void paintTrack(std::size_t track, int top, int height, double fringeNs);
    void addColumns();
    void addBars(double fringeNs);
    void addLabels(std::size_t track, int top, int height);
    void hatchContended(int top, int height);
    void paintMarkLines();

    PixelLine::Look lookOf(TraceName name) const
    {
        return m_trace.names().certainty(name) == Certainty::Bounded ? PixelLine::Look::Hatched
                                                                     : PixelLine::Look::Solid;
    }
    QRgb fillOf(TraceName name) const { return m_fills[static_cast<std::size_t>(m_trace.names().category(name))]; }
    double uncertaintyNs(LaneId lane) const;

    const Trace &m_trace;
    const TimelineLayout &m_layout;
    const Theme &m_theme;
    std::array<QRgb, kCategoryCount> m_fills{};
    TileCanvas m_canvas;
    OverlapStrip m_strip;
    CounterLine m_counterLine;
    Interval m_window;           ///< That was looked at,
    int m_columns = 0;           ///< with so many pixels of the screen,
    std::uint64_t m_version = 0; ///< when the trace was this one.
    bool m_near = false;
    Intervals m_contended;
    std::vector<TileLabel> m_labels;
    PixelLine m_line;
    TrackPicture m_picture;
};

} // namespace jetscope
