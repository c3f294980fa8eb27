// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/pixelline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace jetscope {

namespace {

constexpr int kFaintest = 70; ///< Alpha of a column with almost no load.
constexpr int kMinGapPixels = 3;
constexpr int kMinCornerPixels = 6;
constexpr int kCornerAlpha = 110;
constexpr int kFringeAlpha = 80;
constexpr int kGapAlpha = 70; ///< Alpha of a hatched bar between its stripes.

/// Clamped far outside of the view, so that the result fits an int.
int pixelOf(double x)
{
    return static_cast<int>(std::floor(std::clamp(x, -1e6, 1e6) + 0.5));
}

} // namespace

void PixelLine::begin(const std::vector<QRgb> &background)
{
    m_background = &background;
    m_pixels = background;
    m_covered.assign(background.size(), 0);
    m_hatched.clear();
    m_bars.clear();
}

void PixelLine::addColumn(int x, QRgb color, double load, Look look)
{
    if (look == Look::Hatched && m_hatched.empty())
        m_hatched.assign(m_pixels.size(), 0);
    const int alpha = kFaintest + static_cast<int>((255 - kFaintest) * std::clamp(load, 0.0, 1.0));
    const auto place = static_cast<std::size_t>(x);
    m_pixels[place] = blended(color, m_pixels[place], alpha);
    m_covered[place] = 1;
    if (look == Look::Hatched)
        m_hatched[place] = 1;
}

void PixelLine::addBar(double left, double right, QRgb color, Look look)
{
    if (look == Look::Hatched && m_hatched.empty())
        m_hatched.assign(m_pixels.size(), 0);
    const int from = pixelOf(left);
    int to = std::max(pixelOf(right), from + 1);
    if (to - from >= kMinGapPixels)
        --to;
    if (to - from >= kMinCornerPixels)
        m_bars.push_back({from, to});
    const int end = std::min(to, width());
    for (int x = std::max(from, 0); x < end; ++x) {
        m_pixels[static_cast<std::size_t>(x)] = color;
        m_covered[static_cast<std::size_t>(x)] = 1;
        // The ends of wide bars stay solid.
        const bool inside = to - from < kMinCornerPixels || (x != from && x != to - 1);
        if (!m_hatched.empty())
            m_hatched[static_cast<std::size_t>(x)] = look == Look::Hatched && inside ? 1 : 0;
    }
}

void PixelLine::addFringe(double left, double right, QRgb color)
{
    const int end = std::min(pixelOf(right), width());
    for (int x = std::max(pixelOf(left), 0); x < end; ++x)
        if (!isCovered(x))
            m_pixels[static_cast<std::size_t>(x)] =
                blended(color, (*m_background)[static_cast<std::size_t>(x)], kFringeAlpha);
}

/// The pixels of a row with hatching; `row`: row number modulo kStripes.
std::vector<QRgb> PixelLine::striped(int row) const
{
    std::vector<QRgb> pixels = m_pixels;
    for (std::size_t x = 0; x < pixels.size(); ++x)
        if (m_hatched[x] != 0 && (static_cast<int>(x % kStripes) - row + kStripes) % kStripes >= kStripes / 2)
            pixels[x] = blended(pixels[x], (*m_background)[x], kGapAlpha);
    return pixels;
}

void PixelLine::copyTo(QImage &image, int top, int height, int phase) const
{
    const int end = std::min(top + height, image.height());
    const qsizetype pitch = image.bytesPerLine();
    uchar *const bits = image.bits();
    std::array<std::vector<QRgb>, kStripes> stripes;
    if (!m_hatched.empty())
        for (int row = 0; row < kStripes; ++row)
            stripes[static_cast<std::size_t>(row)] = striped(row);
    for (int y = std::max(top, 0); y < end; ++y) {
        const bool edge = y == top || y == top + height - 1; // Solid outline.
        const auto row = static_cast<std::size_t>((y - top + phase) % kStripes);
        const std::vector<QRgb> &pixels = m_hatched.empty() || edge ? m_pixels : stripes[row];
        std::memcpy(bits + y * pitch, pixels.data(), pixels.size() * sizeof(QRgb));
    }
}

void PixelLine::roundCorners(QImage &image, int top, int height) const
{
    for (const int y : {top, top + height - 1}) {
        if (y < 0 || y >= image.height())
            continue;
        auto *row = reinterpret_cast<QRgb *>(image.scanLine(y));
        for (const Edges &bar : m_bars)
            for (const int x : {bar.left, bar.right - 1})
                if (x >= 0 && x < width())
                    row[x] = blended(row[x], (*m_background)[static_cast<std::size_t>(x)], kCornerAlpha);
    }
}

} // namespace jetscope
