// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/text.h"
#include "ui/theme.h"
#include "ui/timeline/marklines.h"
#include "ui/timeline/timelinepainter.h"
#include "ui/timeline/timelineruler.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <vector>

namespace jetscope {

namespace {

constexpr int kMarkTextPixels = 360;

/// A broken line as a picture one pixel wide: the painter's own costs as much as a whole lane. `y` is where the line is
/// `top`.
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

void paintChevron(QPainter &painter, QPointF centre, bool collapsed, const QColor &color)
{
    const QPolygonF down{{-3.5, -2}, {3.5, -2}, {0, 2.5}};
    const QPolygonF right{{-2, -3.5}, {2.5, 0}, {-2, 3.5}};
    QPainterPath path;
    path.addPolygon((collapsed ? right : down).translated(centre));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillPath(path, color);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

QString counterText(const CounterTrack &counter)
{
    if (counter.firstIndex() == counter.endIndex())
        return QCoreApplication::translate("jetscope::Timeline", "no value yet");
    const double value = counter.at(counter.endIndex() - 1).second;
    if (!std::isfinite(value))
        return QCoreApplication::translate("jetscope::Timeline", "unknown");
    const CounterAxis axis = counterAxis(counter);
    return QCoreApplication::translate("jetscope::Timeline", "%1 · 0 to %2")
        .arg(quantityText(value, counter.info().unit), quantityText(axis.top, counter.info().unit));
}

} // namespace

void TimelinePainter::paintMarks()
{
    m_painter.setFont(m_font);
    double free = m_lanes.left(); // Where the last text ended.
    for (const TraceMark *mark : marksSeen(m_scene.trace.marks(), m_scene.scale, 0, m_lanes.width()))
        free = paintMark(*mark, free);
}

/// Its sign and text, and its line below the rows; the rest of the line is in the tiles.
double TimelinePainter::paintMark(const TraceMark &mark, double free)
{
    const int pixel = qRound(x(mark.timeNs));
    const auto line = markLine(mark.kind, m_scene.theme);
    if (!line) {
        // A tick at the top of the frame's numbers; the tip says more.
        const QColor color = mark.kind == TraceMark::Kind::Drop ? m_scene.theme.warn : m_scene.theme.muted;
        m_painter.fillRect(pixel - 1, m_rows.bottom() - 3, 3, 8, color);
        return free;
    }
    const bool hazard = mark.kind == TraceMark::Kind::Hazard;
    const bool gap = mark.kind == TraceMark::Kind::Gap;
    const QColor color(line->color);
    const QColor fill = hazard ? m_scene.theme.badFill : gap ? m_scene.theme.warnFill : m_scene.theme.goodFill;
    // One that comes so soon that its sign would lie on the text before goes one line down.
    const bool crowded = pixel - 8 < free && free > m_lanes.left();
    const int top = m_rows.top() + 2 + (crowded && hazard ? 16 : 0);
    const QRect rest = belowRows();
    paintBroken(m_painter, {pixel, rest.top()}, rest.height(), *line, rest.top() - m_lanes.top() + m_scene.scrollY);
    if (hazard) {
        QPainterPath triangle(QPointF(pixel, top));
        triangle.lineTo(pixel - 7, top + 12);
        triangle.lineTo(pixel + 7, top + 12);
        m_painter.fillPath(triangle, color);
    }
    const double left = pixel + (hazard ? 9 : 1);
    if (left < free && !hazard)
        return free;
    const TextCache::Entry &entry = textWithin(toQString(mark.text), kMarkTextPixels);
    const QRectF box(left, top - 1, qRound(entry.width) + 10, 15);
    m_painter.fillRect(box, fill);
    m_painter.setPen(color);
    m_painter.drawStaticText(QPointF(box.left() + 5, box.center().y() - entry.height / 2), entry.text);
    return std::max(free, box.right() + 4);
}

void TimelinePainter::paintRuler()
{
    TimelineRuler ruler({m_lanes.left(), 0, m_lanes.width(), m_lanes.top()}, m_scene.scale, m_scene.rulerOriginNs,
                        m_scene.theme);
    ruler.paint(m_painter);
    if (!m_scene.cursor || *m_scene.cursor < m_lanes.left())
        return;
    QColor line = m_scene.theme.muted;
    line.setAlpha(110);
    m_painter.fillRect(*m_scene.cursor, m_lanes.top(), 1, m_lanes.height(), line);
    ruler.paintTime(m_painter, *m_scene.cursor - m_lanes.left());
}

namespace {

void paintRowLabel(QPainter &painter, const TimelineRow &row, const QString &detail, int top, int width,
                   const Theme &theme)
{
    QFont font = painter.font();
    font.setPixelSize(13);
    painter.setFont(font);
    painter.setPen(theme.text);
    painter.drawText(QRect(14, top + 2, width - 18, 18), Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(row.label, Qt::ElideRight, width - 18));
    font.setPixelSize(11);
    painter.setFont(font);
    painter.setPen(theme.muted);
    painter.drawText(QRect(14, top + 19, width - 18, 14), Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(detail, Qt::ElideRight, width - 18));
}

void paintHeadingLabel(QPainter &painter, const TimelineRow &row, int top, int width, const Theme &theme)
{
    QFont font = painter.font();
    font.setPixelSize(10);
    font.setWeight(QFont::DemiBold);
    font.setLetterSpacing(QFont::AbsoluteSpacing, 1);
    painter.save();
    painter.setFont(font);
    painter.setPen(theme.muted);
    paintChevron(painter, QPointF(7, top + row.height / 2.0 - 0.5), row.collapsed, theme.muted);
    painter.drawText(QRect(14, top, width - 18, row.height - 1), Qt::AlignVCenter, row.label.toUpper());
    painter.restore();
}

} // namespace

namespace {

/// Names and lower edge of a row, `top` below the top of the view.
void paintLabelOf(QPainter &painter, const TimelineRow &row, int top, const Trace &trace, int width, const Theme &theme)
{
    painter.fillRect(0, top + row.height - 1, width, 1, theme.border);
    if (row.kind == TimelineRow::Kind::Heading) {
        paintHeadingLabel(painter, row, top, width, theme);
        return;
    }
    if (row.pinned)
        painter.fillRect(0, top, 3, row.height - 1, theme.accent);
    paintRowLabel(painter, row, row.kind == TimelineRow::Kind::Counter ? counterText(trace.counters()[row.counter]) : row.detail,
                  top, width, theme);
}

} // namespace

void paintTimelineLabels(QPainter &painter, const TimelineLayout &layout, const Trace &trace, const Theme &theme,
                         LabelScroll scroll, int height)
{
    const TimelineMetrics &metrics = layout.metrics;
    painter.fillRect(0, 0, metrics.labelWidth, height, theme.panel);
    const QRect rows(0, layout.contentTop(), metrics.labelWidth, height - layout.contentTop() - metrics.footerHeight);
    for (const TimelineRow &row : layout.rows) {
        const bool stays = row.top < scroll.pinned;
        const int top = layout.contentTop() + row.top - (stays ? 0 : scroll.y);
        if (top + row.height < layout.contentTop() || top > height)
            continue;
        painter.setClipRect(stays ? rows : rows.adjusted(0, scroll.pinned, 0, 0));
        paintLabelOf(painter, row, top, trace, metrics.labelWidth, theme);
    }
    painter.setClipping(false);
    paintRowLabel(painter, layout.overlap, layout.overlap.detail, metrics.rulerHeight, metrics.labelWidth, theme);
    painter.fillRect(0, layout.contentTop() - 1, metrics.labelWidth, 1, theme.border);
}

} // namespace jetscope
