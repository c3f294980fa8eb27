// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/live/picturescaler.h"

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

/// Canvas pixels inside the region whose centres are inside the target.
QRect covered(const QImage &canvas, const QRectF &target, const QRect &region)
{
    const QRect inside = region.intersected(canvas.rect());
    const QPoint first(std::max<int>(inside.left(), static_cast<int>(std::ceil(std::max(target.left(), -1.0) - 0.5))),
                       std::max<int>(inside.top(), static_cast<int>(std::ceil(std::max(target.top(), -1.0) - 0.5))));
    const QPoint last(
        std::min<int>(inside.right(), static_cast<int>(std::ceil(std::min(target.right(), 1e6) - 0.5)) - 1),
        std::min<int>(inside.bottom(), static_cast<int>(std::ceil(std::min(target.bottom(), 1e6) - 0.5)) - 1));
    return QRect(first, last);
}

/// Spreads the four channels to 16 bits each: alpha, green, blue, red from the most significant end.
inline std::uint64_t spread(std::uint32_t rgba)
{
    return (rgba | static_cast<std::uint64_t>(rgba) << 24) & 0x00ff00ff00ff00ffu;
}

/// Blends two RGBA pixels, with one multiplication for all channels, and converts to RGB32.
inline QRgb mixed(std::uint32_t a, std::uint32_t b, std::uint32_t weight)
{
    const std::uint64_t from = spread(a);
    const std::uint64_t sum = ((from << 8) + (spread(b) - from) * weight) >> 8;
    return static_cast<QRgb>(0xff000000u | (sum & 0xff) << 16 | (sum >> 24 & 0xff00) | (sum >> 16 & 0xff));
}

} // namespace

void PictureScaler::makeTaps(std::vector<Tap> &taps, int from, int to, double start, double scale, int pixels)
{
    taps.resize(static_cast<std::size_t>(std::max(0, to - from)));
    const bool shrinks = scale < 1;
    for (int i = from; i < to; ++i) {
        const double exact = std::clamp((i + 0.5 - start) / scale - (shrinks ? 0.5 : 0.0), 0.0, pixels - 1.0);
        Tap &tap = taps[static_cast<std::size_t>(i - from)];
        tap.index = static_cast<int>(exact);
        tap.fraction = shrinks && tap.index + 1 < pixels ? static_cast<std::uint32_t>((exact - tap.index) * 256) : 0;
    }
}

/// Source pixels [from, to), interpolated between two rows.
const std::uint32_t *PictureScaler::blendRows(const QImage &source, Tap row, int from, int to)
{
    const uchar *upper = source.constScanLine(row.index);
    if (row.fraction == 0)
        return reinterpret_cast<const std::uint32_t *>(upper);
    const uchar *lower = source.constScanLine(row.index + 1);
    m_blended.resize(static_cast<std::size_t>(source.width()));
    auto *out = reinterpret_cast<uchar *>(m_blended.data());
    const unsigned weight = row.fraction;
    // Per byte instead of per pixel, which the compiler vectorises.
    for (int i = from * 4; i < to * 4; ++i)
        out[i] = static_cast<uchar>((upper[i] * (256 - weight) + lower[i] * weight) >> 8);
    return m_blended.data();
}

void PictureScaler::draw(QImage &canvas, const QImage &source, const QRectF &target, const QRect &region)
{
    const QRect area = covered(canvas, target, region);
    if (area.isEmpty() || source.isNull())
        return;
    makeTaps(m_columns, area.left(), area.right() + 1, target.left(), target.width() / source.width(), source.width());
    makeTaps(m_rows, area.top(), area.bottom() + 1, target.top(), target.height() / source.height(), source.height());
    const int from = m_columns.front().index;
    const int to = std::min(source.width(), m_columns.back().index + 2);
    for (int y = area.top(); y <= area.bottom(); ++y) {
        const std::uint32_t *row = blendRows(source, m_rows[static_cast<std::size_t>(y - area.top())], from, to);
        auto *out = reinterpret_cast<QRgb *>(canvas.scanLine(y)) + area.left();
        for (std::size_t i = 0; i < m_columns.size(); ++i) {
            const Tap tap = m_columns[i];
            const int next = tap.fraction ? tap.index + 1 : tap.index;
            out[i] = mixed(row[tap.index], row[next], tap.fraction);
        }
    }
}

void PictureScaler::drawMask(QImage &canvas, const std::uint8_t *mask, QSize size, const QRectF &target,
                             const QRect &region, QRgb color)
{
    const QRect area = covered(canvas, target, region);
    if (area.isEmpty() || size.isEmpty())
        return;
    // Nearest neighbour at any scale, because mask values must not be interpolated.
    const auto nearest = [](std::vector<Tap> &taps, int from, int to, double start, double length, int pixels) {
        taps.resize(static_cast<std::size_t>(to - from));
        for (int i = from; i < to; ++i)
            taps[static_cast<std::size_t>(i - from)] = {
                std::clamp(static_cast<int>((i + 0.5 - start) * pixels / length), 0, pixels - 1), 0};
    };
    nearest(m_columns, area.left(), area.right() + 1, target.left(), target.width(), size.width());
    nearest(m_rows, area.top(), area.bottom() + 1, target.top(), target.height(), size.height());
    for (int y = area.top(); y <= area.bottom(); ++y) {
        const std::uint8_t *row =
            mask + static_cast<std::ptrdiff_t>(m_rows[static_cast<std::size_t>(y - area.top())].index) * size.width();
        auto *out = reinterpret_cast<QRgb *>(canvas.scanLine(y)) + area.left();
        for (std::size_t i = 0; i < m_columns.size(); ++i)
            if (row[m_columns[i].index])
                out[i] = color;
    }
}

} // namespace jetscope
