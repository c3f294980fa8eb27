// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/pathpiece.h"
#include "core/trace/causes.h"
#include "ui/timeline/pixelline.h"
#include "ui/timeline/timelinelayout.h"
#include "ui/timeline/timescale.h"

#include <QImage>

#include <array>
#include <limits>
#include <vector>

namespace jetscope {

struct Theme;

/// A piece of the timeline: a width of time and a height of rows. Pixels are the window's, not the screen's.
struct TileArea {
    TimeScale scale; ///< Its left edge is pixel 0.
    int width = 0;
    int top = 0; ///< From the top of the content.
    int height = 0;
    bool overlap = false; ///< The overlap strip in place of the content.
    double ratio = 1;     ///< Pixels of the screen per pixel of the window.
};

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
    void begin(const TileArea &area, QImage memory);
    void lookAt(Interval window);
    void makeBackground();
    void fillTo(int row);
    void showLine(int top, int rows);
    void paintRow(const TimelineRow &row);
    void paintHeading(const TimelineRow &row);
    void paintLane(const TimelineRow &row);
    void paintTrack(std::size_t track, int top, int height, double fringeNs);
    void addColumns();
    void addBars(double fringeNs);
    void addLabels(std::size_t track, int top, int height);
    void hatchContended(int top, int height);
    void paintOverlap();
    void addExactPieces();
    void addSumsOfFrames();
    void paintPath(int top, int height);
    void paintShares(int top, int height);
    void paintCounter(const TimelineRow &row);
    void paintSeparator(int bottom);
    void paintMarkLines();

    PixelLine::Look lookOf(TraceName name) const
    {
        return m_trace.names().certainty(name) == Certainty::Bounded ? PixelLine::Look::Hatched : PixelLine::Look::Solid;
    }
    QRgb fillOf(TraceName name) const { return m_fills[static_cast<std::size_t>(m_trace.names().category(name))]; }
    double uncertaintyNs(LaneId lane) const;
    double columnOf(std::int64_t ns) const; ///< Device pixels from the tile's left edge.
    int deviceRow(int y) const;             ///< Device pixels from the tile's top, of a row of the content.

    /// How a column of the overlap strip is divided, 0..1 each.
    struct Share {
        float both = 0;
        float cpu = 0;
        float gpu = 0;
    };

    /// How a column of a counter is drawn, in rows of pixels.
    struct Stroke {
        static constexpr int kNowhere = std::numeric_limits<int>::max();
        int high = kNowhere;
        int low = kNowhere;
        int line = kNowhere;
        QRgb range = 0;
        QRgb fill = 0; ///< Below.
    };

    const Trace &m_trace;
    const TimelineLayout &m_layout;
    const Theme &m_theme;
    std::array<QRgb, kCategoryCount> m_fills{};
    TileArea m_area;
    double m_nsPerColumn = 1;
    Interval m_window;
    int m_columns = 0;           ///< Device pixels in the window.
    std::uint64_t m_version = 0; ///< Of the trace, when it was looked at.
    bool m_near = false;
    Intervals m_contended;
    std::vector<QRgb> m_background;
    Tile m_tile;
    int m_filled = 0; ///< Rows of pixels that are painted, from the top.
    PixelLine m_line;
    TrackPicture m_picture;
    std::vector<Share> m_shares;
    std::vector<CounterColumn> m_values;
    std::vector<Stroke> m_strokes;
    std::vector<FrameColumn> m_frames;
    std::vector<PathPiece> m_path;
};

/// The top of a counter's axis: a round number at or above its greatest value. The bottom is 0 or below its least one.
struct CounterAxis {
    double bottom = 0;
    double top = 1;
    bool operator==(const CounterAxis &) const = default;
};
CounterAxis counterAxis(const CounterTrack &counter);

} // namespace jetscope
