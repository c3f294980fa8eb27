// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/windowpicture.h"
#include "core/trace/coarsespans.h"
#include "ui/timeline/counterline.h"
#include "ui/timeline/overlapstrip.h"
#include "ui/timeline/pixelline.h"
#include "ui/timeline/tilecanvas.h"
#include "ui/timeline/timelinelayout.h"

#include <QImage>

#include <array>
#include <utility>
#include <vector>

namespace jetscope {

struct Theme;

/// A bar that is wide enough for its name.
struct TileLabel {
    SpanPlace place;
    int top = 0; ///< Top of the bar from the top of the content.
    int height = 0;
};

struct Tile {
    QImage image;
    std::vector<TileLabel> labels;
    bool isWhole = true; ///< False: some of its data, which is elsewhere, has not come yet.
};

/// Paints tiles: everything that depends on time but not on mouse or selection. The cost grows with the number of
/// pixels. Data shared by all tiles of a time range is computed once if they are painted in sequence.
class TilePainter {
public:
    static constexpr double kMinLabelPixels = 40;

    /// `coarse`: what is known of the trace's missing spans; may be null.
    TilePainter(const Trace &trace, const CoarseStore *coarse, const TimelineLayout &layout, const Theme &theme);

    /// Reuses `memory` if it has the right size: allocation costs as much as painting.
    Tile paint(const TileArea &area, QImage memory);

private:
    void lookAround();
    void makeBackground();
    /// Into m_shown. False: it has not come yet, and this is a guess.
    bool readTrack(std::size_t track);
    void addCoarse(std::size_t track);
    void hatchMissing(int top, int height);
    void hatchColumns(int top, int height, int first, int last);
    void hatchHoles(int top, int height);
    void paintRow(const TimelineRow &row);
    void paintHeading(const TimelineRow &row);
    void paintLane(const TimelineRow &row);
    void paintTrack(std::size_t track, int top, int height, double fringeNs);
    void paintCounter(const TimelineRow &row);
    void paintIdle(const TimelineRow &row);
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
    const CoarseStore *const m_coarse;
    const TimelineLayout &m_layout;
    const Theme &m_theme;
    std::array<QRgb, kCategoryCount> m_fills{};
    TileCanvas m_canvas;
    OverlapStrip m_strip;
    CounterLine m_counterLine;
    Interval m_window;           ///< Time range of the data that tiles share,
    int m_columns = 0;           ///< its width in device pixels,
    std::uint64_t m_version = 0; ///< and the trace version that it is from.
    bool m_near = false;
    Intervals m_contended;
    const WindowPicture *m_distant = nullptr; ///< What has come of the window of a trace whose spans are elsewhere.
    WindowPicture m_guess;                    ///< What is known of it otherwise.
    std::vector<std::pair<int, int>> m_holes; ///< Columns of times from which spans have not come.
    std::vector<const CoarseSpans *> m_coarseHere; ///< Of the tile that is painted.
    bool m_isWhole = true;
    std::vector<TileLabel> m_labels;
    PixelLine m_line;
    TrackPicture m_picture;
    const TrackPicture *m_shown = &m_picture;
};

} // namespace jetscope
