// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/markpainter.h"

#include "ui/style/text.h"
#include "ui/style/theme.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <vector>

namespace jetscope {

namespace {

constexpr int kMarkTextPixels = 360;

/// Draws a dashed line as an image one pixel wide: a dashed QPen costs as much as painting a whole lane. `y`: position
/// of `top` in the dash pattern.
void paintBroken(QPainter &painter, QPoint top, int height, const MarkLine &line, int y)
{
    std::vector<QRgb> pixels(static_cast<std::size_t>(std::max(height, 0)));
    if (pixels.empty())
        return;
    for (QRgb &pixel : pixels)
        pixel = line.hasInk(y++) ? line.color : 0;
    painter.drawImage(top,
                      QImage(reinterpret_cast<const uchar *>(pixels.data()), 1, height, sizeof(QRgb),
                             QImage::Format_ARGB32_Premultiplied));
}

int weight(TraceMark::Kind kind)
{
    switch (kind) {
    case TraceMark::Kind::Hazard:
        return 4;
    case TraceMark::Kind::Gap:
        return 3;
    case TraceMark::Kind::Switch:
        return 2;
    case TraceMark::Kind::Drop:
        return 1;
    case TraceMark::Kind::Other:
        return 0;
    }
    return 0;
}

} // namespace

void MarkPainter::paint(const MarkList &marks)
{
    m_painter.setFont(m_font);
    double free = m_place.lanes.left(); // Right edge of the last text.
    for (const TraceMark *mark : marksSeen(marks, m_scale, 0, m_place.lanes.width()))
        free = paintMark(*mark, free);
}

/// Paints sign and text, and the line below the rows; the tiles contain the rest of the line.
double MarkPainter::paintMark(const TraceMark &mark, double free)
{
    const int pixel = qRound(m_place.lanes.left() + pixelAt(m_scale, mark.timeNs));
    const auto line = markLine(mark.kind, m_theme);
    if (!line) {
        // A tick at the top of the frame numbers; the tooltip has details.
        const QColor color = mark.kind == TraceMark::Kind::Drop ? m_theme.warn : m_theme.muted;
        m_painter.fillRect(pixel - 1, m_place.rows.bottom() - 3, 3, 8, color);
        return free;
    }
    const bool hazard = mark.kind == TraceMark::Kind::Hazard;
    const bool gap = mark.kind == TraceMark::Kind::Gap;
    const QColor color(line->color);
    const QColor fill = hazard ? m_theme.badFill : gap ? m_theme.warnFill : m_theme.goodFill;
    // If the sign would cover the previous text, it moves one line down.
    const bool crowded = pixel - 8 < free && free > m_place.lanes.left();
    const int top = m_place.rows.top() + 2 + (crowded && hazard ? fontScaled(16) : 0);
    const QRect rest = m_place.below;
    paintBroken(m_painter, {pixel, rest.top()}, rest.height(), *line,
                rest.top() - m_place.lanes.top() + m_place.scrollY);
    if (hazard)
        paintSign(pixel, top, color);
    const double left = pixel + (hazard ? 9 : 1);
    if (left < free && !hazard)
        return free;
    const TextCache::Entry &entry = m_texts.findWithin(toQString(mark.text), m_font, fontScaled(kMarkTextPixels));
    const QRectF box(left, top - 1, qRound(entry.width) + 10, fontScaled(15));
    m_painter.fillRect(box, fill);
    m_painter.setPen(color);
    m_painter.drawStaticText(QPointF(box.left() + 5, box.center().y() - entry.height / 2), entry.text);
    return std::max(free, box.right() + 4);
}

void MarkPainter::paintSign(int pixel, int top, const QColor &color)
{
    QPainterPath triangle(QPointF(pixel, top));
    triangle.lineTo(pixel - 7, top + 12);
    triangle.lineTo(pixel + 7, top + 12);
    m_painter.fillPath(triangle, color);
}

std::optional<MarkLine> markLine(TraceMark::Kind kind, const Theme &theme)
{
    switch (kind) {
    case TraceMark::Kind::Hazard:
        return MarkLine{theme.bad.rgb(), 1, 3};
    case TraceMark::Kind::Gap:
        return MarkLine{theme.warn.rgb(), 4, 6};
    case TraceMark::Kind::Switch:
        return MarkLine{theme.accentText.rgb(), 4, 6};
    case TraceMark::Kind::Drop:
    case TraceMark::Kind::Other:
        break;
    }
    return std::nullopt;
}

std::vector<const TraceMark *> marksSeen(const MarkList &marks, const TimeScale &scale, int from, int to)
{
    const auto [first, last] = marks.range(timeAt(scale, from), timeAt(scale, to) + 1);
    std::vector<const TraceMark *> seen;
    double pixel = 0;
    for (std::size_t i = first; i < last; ++i) {
        const TraceMark &mark = marks.all()[i];
        const double at = std::floor(pixelAt(scale, mark.timeNs));
        if (seen.empty() || at > pixel)
            seen.push_back(&mark);
        else if (weight(mark.kind) > weight(seen.back()->kind))
            seen.back() = &mark;
        pixel = at;
    }
    return seen;
}

} // namespace jetscope
