// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/tilepainter.h"

#include <QPoint>
#include <QRect>

#include <map>
#include <optional>
#include <vector>

class QPainter;

namespace jetscope {

/// Cache of painted tiles for the view and one view width on both sides, so that panning only copies pixels. Zooming,
/// new spans within a tile, and changes of layout or theme invalidate tiles; mouse and selection do not. UI thread;
/// trace and layout must outlive it.
class TimelineTiles {
public:
    static constexpr int kTilesAcross = 3; ///< Tiles per view width; limits how much is painted outside of the view.
    static constexpr int kDistantTilesAcross = 8; ///< Each is asked for: limits how much is not in view, and in front.
    static constexpr int kPageHeight = 256;       ///< Minimum height, if there are enough rows.

    TimelineTiles(const Trace &trace, const TimelineLayout &layout) : m_trace(trace), m_layout(layout) {}

    /// Visible part: scale at the left edge of the lanes, size of the lanes, scroll position.
    struct View {
        TimeScale scale;
        int width = 0;
        int height = 0; ///< Height of the scrolled content, below the overlap strip.
        int scrollY = 0;
        double ratio = 1;
        int pinned = 0; ///< Height at the top of the content that does not scroll.
    };

    /// What is known of the trace's missing spans; it must outlive this. Before anything is painted.
    void setCoarse(const CoarseStore &coarse) { m_coarse = &coarse; }
    /// Whether it has changed since this was asked.
    bool hasNewCoarse();

    /// Invalidates all tiles after a change of layout or theme; they are painted again on demand.
    void clear();
    /// The trace was replaced. It counts as complete until `dropUnsettled` is called.
    void traceReplaced();
    /// The trace has grown: drops the tiles that may have changed; false if there were none.
    bool dropUnsettled();

    /// Moves a scale by less than a pixel, to align it with the pixels of existing tiles.
    TimeScale aligned(const TimeScale &scale) const;

    /// Paints overlap strip and content; `at`: top left corner of the strip. Makes missing tiles.
    void paint(QPainter &painter, QPoint at, const View &view);
    /// Makes one missing tile beside the view, unless its content may still change; false if none is missing.
    bool prefetch(const View &view);

    /// Asks for what a view of a trace needs whose spans are elsewhere: its own windows first, then those beside it.
    /// The view may be one that will be painted soon; one was painted before.
    void ask(const View &view);

    /// Visible bars that are wide enough for a name, without duplicates. Valid until the next call of any function.
    const std::vector<TileLabel> &labels(const View &view);

    /// Number of tiles made so far.
    std::uint64_t rebuilds() const { return m_rebuilds; }

private:
    struct Key {
        std::int64_t column = 0;
        int page = 0; ///< -1 for the overlap strip.
        auto operator<=>(const Key &) const = default;
    };
    struct Range {
        std::int64_t firstColumn = 0;
        std::int64_t lastColumn = 0; ///< Inclusive, like the last pages.
        int firstPage = 0;
        int lastPage = 0;
        int lastPinnedPage = -1; ///< Pages from 0 to this one are visible as well.

        bool hasPage(int page) const { return page <= lastPinnedPage || (page >= firstPage && page <= lastPage); }
    };
    struct Kept {
        Tile tile;
        bool settled = false; ///< Its content cannot change any more.
    };

    bool isAligned(const TimeScale &scale) const;
    void adopt(const View &view);
    void paginate();
    TilePainter &tilePainter();
    Range rangeOf(const View &view) const;
    std::int64_t offsetOf(const TimeScale &scale) const; ///< Distance from the origin of the grid, in pixels.
    TileArea areaOf(Key key) const;
    WindowWish wishOf(std::int64_t column, const Range &range) const;
    const Tile &make(Key key);
    void spare(QImage image);
    QImage spared(QSize size);
    void discardFar(const Range &visible);
    void look();
    std::uint64_t settledMarks() const;
    bool isSettled(std::int64_t column) const;

    const Trace &m_trace;
    const TimelineLayout &m_layout;
    const CoarseStore *m_coarse = nullptr;
    std::uint64_t m_coarseVersion = 0;
    TimeScale m_grid; ///< Column 0 starts at pixel 0.
    double m_ratio = 0;
    int m_tileWidth = 0;
    std::optional<TilePainter> m_painter; ///< For the current layout and theme.
    std::vector<int> m_pages;             ///< Tops of the pages in the content, and the end of the last page.
    std::map<Key, Kept> m_tiles;
    std::vector<QImage> m_spared; ///< Images of dropped tiles, for reuse.
    std::vector<CounterAxis> m_axes;
    Intervals m_missing; ///< Of the trace, as the tiles show it.
    std::uint64_t m_dropped = 0;
    std::int64_t m_settledNs = 0;     ///< No new spans are expected before this time.
    std::uint64_t m_settledMarks = 0; ///< Number of marks before m_settledNs; marks may still arrive there.
    bool m_changing = false;          ///< The trace is still growing.
    std::vector<TileLabel> m_labels;
    std::uint64_t m_rebuilds = 0;
};

} // namespace jetscope
