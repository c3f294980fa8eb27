// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QImage>

#include <cstdint>
#include <vector>

namespace jetscope {

/// `a` over `b`; alpha 0..255. Two channels at a time: red and blue, with room for their products between them.
constexpr QRgb blended(QRgb a, QRgb b, int alpha)
{
    constexpr QRgb kPair = 0x00ff00ffU;
    const auto mix = [alpha](QRgb x, QRgb y) {
        const QRgb sum = x * static_cast<QRgb>(alpha) + y * static_cast<QRgb>(255 - alpha) + 0x00800080U;
        return ((sum + (sum >> 8U & kPair)) >> 8U) & kPair; // Divided by 255 and rounded.
    };
    return 0xff000000U | mix(a & kPair, b & kPair) | mix(a >> 8U & 0xffU, b >> 8U & 0xffU) << 8U;
}

/// One line of device pixels, composed once and then copied down the height of a lane: far cheaper than a call of the
/// painter for each bar.
class PixelLine {
public:
    /// Starts over with what lies behind the lane.
    void begin(const std::vector<QRgb> &background);
    int width() const { return static_cast<int>(m_pixels.size()); }

    /// How sure it is that a bar's work took all of its time.
    enum class Look { Solid, Hatched };

    /// One pixel of `color` as strong as its `load`, 0..1; whatever little is there stays visible.
    void addColumn(int x, QRgb color, double load, Look look = Look::Solid);
    /// A bar from `left` to `right` (device pixels from the line's start, may lie outside). Bars of 3 pixels and more
    /// leave their last pixel free, so that neighbours can be told apart, and are kept for `roundCorners`. A
    /// hatched one has stripes within a solid outline.
    void addBar(double left, double right, QRgb color, Look look = Look::Solid);
    /// The pale surroundings of a bar, where nothing else is.
    void addFringe(double left, double right, QRgb color);
    bool isCovered(int x) const { return m_covered[static_cast<std::size_t>(x)] != 0; }

    /// Copies the line into the rows [top, top + height) of the image, as far as they lie in it. Stripes go on from
    /// tile to tile if `phase` is the first of these rows as counted from the same place everywhere.
    void copyTo(QImage &image, int top, int height, int phase = 0) const;
    /// Softens the corners of the bars in these rows.
    void roundCorners(QImage &image, int top, int height) const;

private:
    static constexpr int kStripes = 8; ///< Rows after which the hatching repeats; divides a tile's width.
    std::vector<QRgb> striped(int row) const;

    struct Edges {
        int left = 0;
        int right = 0;
    };
    const std::vector<QRgb> *m_background = nullptr;
    std::vector<QRgb> m_pixels;
    std::vector<std::uint8_t> m_covered;
    std::vector<std::uint8_t> m_hatched; ///< Empty as long as nothing is.
    std::vector<Edges> m_bars;           ///< Wide enough to have corners; ends may lie outside.
};

} // namespace jetscope
