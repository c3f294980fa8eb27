// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/overlap.h"
#include "core/trace/spantrack.h"
#include "ui/timeline/pixelline.h"
#include "ui/timeline/timescale.h"

#include <QImage>

#include <vector>

namespace jetscope {

/// Time range and rows of a tile. Sizes are device-independent pixels.
struct TileArea {
    TimeScale scale; ///< The left edge is pixel 0.
    int width = 0;
    int top = 0; ///< From the top of the content.
    int height = 0;
    bool overlap = false; ///< The tile shows the overlap strip instead of rows.
    double ratio = 1;     ///< Device pixel ratio.

    ColumnWindow columns() const;
};

/// Image of a tile while it is painted from top to bottom, with positions of times and rows, and the background.
/// Columns and rows are device pixels.
class TileCanvas {
public:
    /// Reuses `memory` if it has the right size: allocation costs as much as painting.
    void begin(const TileArea &area, QImage memory);
    /// Background colour of each column; kept for subsequent tiles.
    void setBackground(std::vector<QRgb> pixels) { m_background = std::move(pixels); }
    /// Unpainted rows get the background.
    QImage finish();

    const TileArea &area() const { return m_area; }
    Interval window() const { return m_window; }
    double nsPerColumn() const { return m_area.scale.nsPerPixel / m_area.ratio; }
    int columns() const { return m_image.width(); }
    double columnOf(std::int64_t ns) const; ///< Column of a time, from the left edge.
    int rowOf(int y) const;                 ///< Row of a position `y` from the top of the content.
    const std::vector<QRgb> &background() const { return m_background; }
    QImage &image() { return m_image; }
    QRgb *pixels(int row) { return reinterpret_cast<QRgb *>(m_image.scanLine(row)); }

    /// Fills all unpainted rows above this row with the background.
    void fillTo(int row);
    /// Copies the line to these rows, which must be below everything painted so far.
    void showLine(const PixelLine &line, int top, int rows);
    /// A line of one color above the position `bottom` from the top of the content.
    void separate(int bottom, QRgb color);

private:
    TileArea m_area;
    Interval m_window;
    QImage m_image;
    std::vector<QRgb> m_background;
    int m_filled = 0; ///< Number of painted rows, from the top.
};

} // namespace jetscope
