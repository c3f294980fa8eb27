// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/overlap.h"
#include "ui/timeline/pixelline.h"
#include "ui/timeline/timescale.h"

#include <QImage>

#include <vector>

namespace jetscope {

/// A piece of the timeline: a width of time and a height of rows. Pixels are the window's, not the screen's.
struct TileArea {
    TimeScale scale; ///< Its left edge is pixel 0.
    int width = 0;
    int top = 0; ///< From the top of the content.
    int height = 0;
    bool overlap = false; ///< The overlap strip in place of the content.
    double ratio = 1;     ///< Pixels of the screen per pixel of the window.
};

/// The picture of a tile while it is painted, from top to bottom, a line of pixels copied down each row: where times
/// and rows lie in it, and what lies behind them. Columns and rows of pixels are the screen's.
class TileCanvas {
public:
    /// `memory` is used again if it has the right size: fresh memory costs as much as painting it.
    void begin(const TileArea &area, QImage memory);
    /// Of each column, what lies behind the lanes; stays for the tiles that come.
    void setBackground(std::vector<QRgb> pixels) { m_background = std::move(pixels); }
    /// Whatever was not painted is background.
    QImage finish();

    const TileArea &area() const { return m_area; }
    Interval window() const { return m_window; }
    double nsPerColumn() const { return m_area.scale.nsPerPixel / m_area.ratio; }
    int columns() const { return m_image.width(); }
    double columnOf(std::int64_t ns) const; ///< From the left edge.
    int rowOf(int y) const;                 ///< From the top, of what is `y` below the top of the content.
    const std::vector<QRgb> &background() const { return m_background; }
    QImage &image() { return m_image; }
    QRgb *pixels(int row) { return reinterpret_cast<QRgb *>(m_image.scanLine(row)); }

    /// Down to this row there is at least the background.
    void fillTo(int row);
    /// The line in these rows, below all that was painted before.
    void showLine(const PixelLine &line, int top, int rows);
    /// A line of one color above what is `bottom` below the top of the content.
    void separate(int bottom, QRgb color);

private:
    TileArea m_area;
    Interval m_window;
    QImage m_image;
    std::vector<QRgb> m_background;
    int m_filled = 0; ///< Rows that are painted, from the top.
};

} // namespace jetscope
