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

/// Painted pieces of the timeline, kept for the view and a view's width on both sides of it, so that panning only
/// copies pixels. Zooming, new spans within a piece, another layout or theme make pieces new; mouse and selection never
/// do. UI thread; trace and layout outlive it.
class TimelineTiles {
public:
    static constexpr int kTilesAcross = 3;  ///< Of a view: no more of it is painted than is seen.
    static constexpr int kPageHeight = 256; ///< At least, where there are as many rows.

    TimelineTiles(const Trace &trace, const TimelineLayout &layout) : m_trace(trace), m_layout(layout) {}

    /// What is in view: the scale at the left edge of the lanes, their size, and how far the content is scrolled.
    struct View {
        TimeScale scale;
        int width = 0;
        int height = 0; ///< Of the scrolled content, below the overlap strip.
        int scrollY = 0;
        double ratio = 1;
        int pinned = 0; ///< So much at the top of the content stays where it is.
    };

    /// Layout or theme are others: all pieces are made anew when they are next needed.
    void clear();
    /// Another trace, of which nothing is known to change until `dropUnsettled` says so.
    void traceReplaced();
    /// The trace has grown: forgets the pieces that may look different now; false when there was none.
    bool dropUnsettled();

    /// Moves a scale by less than a pixel to where its pixels coincide with those that are there.
    TimeScale aligned(const TimeScale &scale) const;

    /// Paints overlap strip and content; `at` is the top left corner of the strip. Makes what is missing.
    void paint(QPainter &painter, QPoint at, const View &view);
    /// Makes one missing piece beside the view, if nothing can change in it any more; false when all are there.
    bool prefetch(const View &view);

    /// The bars in view that have room for a name, each once. Valid until the next call of anything.
    const std::vector<TileLabel> &labels(const View &view);

    /// How many pieces were made so far.
    std::uint64_t rebuilds() const { return m_rebuilds; }

private:
    struct Key {
        std::int64_t column = 0;
        int page = 0; ///< -1: the overlap strip.
        auto operator<=>(const Key &) const = default;
    };
    struct Range {
        std::int64_t firstColumn = 0;
        std::int64_t lastColumn = 0; ///< Inclusive, as the pages.
        int firstPage = 0;
        int lastPage = 0;
        int lastPinnedPage = -1; ///< Those from 0 on are seen, too.

        bool hasPage(int page) const { return page <= lastPinnedPage || (page >= firstPage && page <= lastPage); }
    };
    struct Kept {
        Tile tile;
        bool settled = false; ///< Nothing new can appear in it.
    };

    void adopt(const View &view);
    void paginate();
    TilePainter &tilePainter();
    Range rangeOf(const View &view) const;
    std::int64_t offsetOf(const TimeScale &scale) const; ///< Pixels from the grid's origin.
    const Tile &make(Key key);
    void spare(QImage image);
    QImage spared(QSize size);
    void forgetFar(const Range &visible);
    void look();
    std::uint64_t settledMarks() const;
    bool isSettled(std::int64_t column) const;

    const Trace &m_trace;
    const TimelineLayout &m_layout;
    TimeScale m_grid; ///< Column 0 begins at its pixel 0.
    double m_ratio = 0;
    int m_tileWidth = 0;
    std::optional<TilePainter> m_painter; ///< For this layout and theme.
    std::vector<int> m_pages;             ///< Where pages begin, from the top of the content, and where the last ends.
    std::map<Key, Kept> m_tiles;
    std::vector<QImage> m_spared; ///< Of pieces that are no longer needed.
    std::vector<CounterAxis> m_axes;
    std::uint64_t m_dropped = 0;
    std::int64_t m_settledNs = 0;     ///< Up to here nothing new was to be expected when the trace was last looked at,
    std::uint64_t m_settledMarks = 0; ///< but for marks, of which there were so many.
    bool m_changing = false;          ///< The trace is still being written.
    std::vector<TileLabel> m_labels;
    std::uint64_t m_rebuilds = 0;
};

} // namespace jetscope
