// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>
#include <QRectF>

#include <cstdint>
#include <vector>

namespace jetscope {

/// Scales pictures to a canvas much faster than QPainter, on the calling thread only: bilinear when shrinking, nearest
/// neighbour when enlarging. Keeps its tables between frames. One thread.
class PictureScaler {
public:
    /// Draws `source` (RGBX8888 or RGBA8888, alpha ignored) into the part of `target` inside `region`. Both are in
    /// pixels of `canvas`, which must be RGB32.
    void draw(QImage &canvas, const QImage &source, const QRectF &target, const QRect &region);

    /// Colours the canvas pixels for which the mask is not zero.
    void drawMask(QImage &canvas, const std::uint8_t *mask, QSize size, const QRectF &target, const QRect &region,
                  QRgb color);

private:
    struct Tap {
        int index = 0;
        std::uint32_t fraction = 0; ///< Weight of the next source pixel, 0..256.
    };
    static void makeTaps(std::vector<Tap> &taps, int from, int to, double start, double scale, int pixels);
    const std::uint32_t *blendRows(const QImage &source, Tap row, int from, int to);

    std::vector<Tap> m_columns;
    std::vector<Tap> m_rows;
    std::vector<std::uint32_t> m_blended;
};

} // namespace jetscope
