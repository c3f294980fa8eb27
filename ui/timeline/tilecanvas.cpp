// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/tilecanvas.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace jetscope {

ColumnWindow TileArea::columns() const
{
    return {timeAt(scale, 0), scale.nsPerPixel / ratio, qRound(width * ratio)};
}

void TileCanvas::begin(const TileArea &area, QImage memory)
{
    m_area = area;
    const QSize size(qRound(area.width * area.ratio), qRound(area.height * area.ratio));
    m_image = memory.size() == size ? std::move(memory) : QImage(size, QImage::Format_RGB32);
    m_image.setDevicePixelRatio(1);
    m_window = {timeAt(area.scale, 0), timeAt(area.scale, area.width) + 1};
    m_filled = 0;
}

QImage TileCanvas::finish()
{
    m_image.setDevicePixelRatio(m_area.ratio);
    return std::move(m_image);
}

double TileCanvas::columnOf(std::int64_t ns) const
{
    return pixelAt(m_area.scale, ns) * m_area.ratio;
}

int TileCanvas::rowOf(int y) const
{
    return qRound(y * m_area.ratio) - qRound(m_area.top * m_area.ratio);
}

void TileCanvas::fillTo(int row)
{
    const int end = std::min(row, m_image.height());
    const qsizetype pitch = m_image.bytesPerLine();
    uchar *const bits = m_image.bits();
    for (; m_filled < end; ++m_filled)
        std::memcpy(bits + m_filled * pitch, m_background.data(), m_background.size() * sizeof(QRgb));
}

void TileCanvas::showLine(const PixelLine &line, int top, int rows)
{
    fillTo(top);
    line.copyTo(m_image, top, rows, std::max(0, top + qRound(m_area.top * m_area.ratio)));
    m_filled = std::clamp(top + rows, m_filled, std::max(m_filled, m_image.height()));
}

void TileCanvas::separate(int bottom, QRgb color)
{
    const int y = rowOf(bottom) - 1;
    fillTo(y + 1);
    if (y >= 0 && y < m_image.height())
        std::fill(pixels(y), pixels(y) + m_image.width(), color);
}

} // namespace jetscope
