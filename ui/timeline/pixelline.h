// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QImage>

#include <cstdint>
#include <vector>

namespace jetscope {

/// `a` over `b`; alpha 0..255. Processes two channels at a time, with 8 bits between them for the products.
constexpr QRgb blended(QRgb a, QRgb b, int alpha)
{
    constexpr QRgb kPair = 0x00ff00ffU;
    const auto mix = [alpha](QRgb x, QRgb y) {
        const QRgb sum = x * static_cast<QRgb>(alpha) + y * static_cast<QRgb>(255 - alpha) + 0x00800080U;
        return ((sum + (sum >> 8U & kPair)) >> 8U) & kPair; // Division by 255 with rounding.
    };
    return 0xff000000U | mix(a & kPair, b & kPair) | mix(a >> 8U & 0xffU, b >> 8U & 0xffU) << 8U;
}

/// One row of device pixels, composed once and copied to every row of a lane: far cheaper than a painter call per bar.
class PixelLine {
public:
    /// Starts over with the background of the lane.
    void begin(const std::vector<QRgb> &background);
    int width() const { return static_cast<int>(m_pixels.size()); }

    /// Hatched: it is uncertain whether the work took all of the bar's time.
    enum class Look { Solid, Hatched };

    /// One pixel of `color` with the strength `load`, 0..1; small loads stay visible.
    void addColumn(int x, QRgb color, double load, Look look = Look::Solid);
    /// A bar from `left` to `right` (device pixels from the start of the line, may be outside). Bars of at least 3
    /// pixels leave their last pixel free as a gap, and wide ones are stored for `roundCorners`. A hatched bar has
    /// stripes within a solid outline.
    void addBar(double left, double right, QRgb color, Look look = Look::Solid);
    /// Draws the uncertainty around a bar in a pale colour, only where no bar is.
    void addFringe(double left, double right, QRgb color);
    bool isCovered(int x) const { return m_covered[static_cast<std::size_t>(x)] != 0; }

    /// Copies the line to the rows [top, top + height) of the image, clipped to it. `phase`: number of the first row
    /// from a common origin, so that stripes continue across tiles.
    void copyTo(QImage &image, int top, int height, int phase = 0) const;
    /// Softens the corners of the bars in these rows.
    void roundCorners(QImage &image, int top, int height) const;

private:
    static constexpr int kStripes = 8; ///< Period of the hatching in rows; divides the width of a tile.
    std::vector<QRgb> striped(int row) const;

    struct Edges {
        int left = 0;
        int right = 0;
    };
    const std::vector<QRgb> *m_background = nullptr;
    std::vector<QRgb> m_pixels;
    std::vector<std::uint8_t> m_covered;
    std::vector<std::uint8_t> m_hatched; ///< Empty while no bar is hatched.
    std::vector<Edges> m_bars;           ///< Bars wide enough for corners; ends may be outside.
};

} // namespace jetscope
