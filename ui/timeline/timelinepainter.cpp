// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timelinepainter.h"

#include "ui/text.h"
#include "ui/theme.h"
#include "ui/timeline/overlapstrip.h"
#include "ui/timeline/textcache.h"
#include "ui/timeline/tracehistory.h"

#include <QCoreApplication>
#include <QFontDatabase>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace jetscope {

namespace {

constexpr double kMinLabelPixels = 40;
/// Past this the overlap strip summarises whole frames.
constexpr std::int64_t kMaxExactStripNs = 4'000'000'000;

QFont smallFont(const QFont &base)
{
    QFont font = base;
    font.setPixelSize(11);
    return font;
}

QFont fixedFont()
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPixelSize(11);
    return font;
}

QString barText(const Span &span)
{
    QString text = toQString(spanName(span.name));
    if (spanCategory(span.name) == Category::CpuStage && span.frame != kNoFrame)
        text += QCoreApplication::translate("jetscope::Timeline", " frame %1").arg(span.frame);
    return text;
}

} // namespace

TimelinePainter::TimelinePainter(QPainter &painter, const TimelineScene &scene)
    : m_painter(painter), m_font(smallFont(painter.font())), m_scene(scene)
{
    const TimelineMetrics &metrics = scene.layout.metrics;
    m_lanes = QRect(metrics.labelWidth, metrics.rulerHeight, std::max(0, scene.size.width() - metrics.labelWidth),
                    std::max(0, scene.size.height() - metrics.rulerHeight));
    m_rows = m_lanes.adjusted(0, 0, 0, -metrics.footerHeight);
    m_window = {timeAt(scene.scale, 0), timeAt(scene.scale, m_lanes.width()) + 1};
}

double TimelinePainter::x(std::int64_t ns) const
{
    return m_lanes.left() + pixelAt(m_scene.scale, ns);
}

int TimelinePainter::rowTop(const TimelineRow &row) const
{
    return m_lanes.top() + row.top - m_scene.scrollY;
}

void TimelinePainter::paint()
{
    m_painter.fillRect(m_lanes.left(), 0, m_lanes.width(), m_scene.size.height(), m_scene.theme.panel);
    m_painter.setClipRect(m_lanes);
    paintFrameBands();
    m_painter.setClipRect(m_rows);
    for (const TimelineRow &row : m_scene.layout.rows)
        paintRow(row);
    m_painter.setClipRect(m_lanes);
    paintMarks();
    m_painter.setClipping(false);
    paintRuler();
}

void TimelinePainter::paintFrameBands()
{
    const auto &frames = m_scene.history.frames();
    const auto [first, last] = m_scene.history.framesIn(m_window.startNs, m_window.endNs);
    m_painter.setFont(fixedFont());
    for (std::size_t i = first; i < last; ++i) {
        const double left = x(frames[i].startNs);
        const double right = x(frames[i].startNs + frames[i].periodNs());
        if (right - left < 3)
            continue;
        const QRectF band(left, m_lanes.top(), right - left, m_lanes.height());
        if (frames[i].frame % 2 == 0)
            m_painter.fillRect(band, m_scene.theme.band);
        if (band.intersected(QRectF(m_lanes)).width() < 76)
            continue;
        m_painter.setPen(m_scene.theme.muted);
        const int top = m_lanes.bottom() - m_scene.layout.metrics.footerHeight;
        m_painter.drawText(QPointF(std::max<double>(left, m_lanes.left()) + 6, top + 14),
                           QCoreApplication::translate("jetscope::Timeline", "frame %1").arg(frames[i].frame));
    }
}

void TimelinePainter::paintRuler()
{
    const QRect ruler(m_lanes.left(), 0, m_lanes.width(), m_lanes.top());
    m_painter.setClipRect(ruler);
    m_painter.setFont(fixedFont());
    const std::int64_t step = rulerStepNs(m_scene.scale.nsPerPixel, 130);
    const std::int64_t minor = step / 5 > 0 ? step / 5 : step;
    const std::int64_t from = m_window.startNs - m_scene.rulerOriginNs;
    const std::int64_t firstStep = (from / minor - 1) * minor;
    for (std::int64_t at = firstStep; at <= m_window.endNs - m_scene.rulerOriginNs; at += minor) {
        const int pixel = qRound(x(at + m_scene.rulerOriginNs));
        const bool major = at % step == 0;
        m_painter.fillRect(pixel, major ? 6 : 14, 1, major ? 14 : 5,
                           major ? m_scene.theme.muted : m_scene.theme.border);
        if (major) {
            m_painter.setPen(m_scene.theme.muted);
            m_painter.drawText(pixel + 4, 15, rulerText(at, step));
        }
    }
    m_painter.setClipping(false);
}

void TimelinePainter::paintRow(const TimelineRow &row)
{
    const int top = rowTop(row);
    m_painter.fillRect(m_lanes.left(), top + row.height - 1, m_lanes.width(), 1, m_scene.theme.border);
    if (row.overlap) {
        paintOverlap(row);
        return;
    }
    for (std::size_t depth = 0; depth < row.tracks.size(); ++depth) {
        const BarBand band = barBand(m_scene.layout.metrics, depth);
        paintTrack(m_scene.history.tracks()[row.tracks[depth]],
                   QRect(m_lanes.left(), top + band.top, m_lanes.width(), band.height));
    }
}

void TimelinePainter::paintBar(const QRectF &bar, const BarColors &colors, const QString &text)
{
    if (bar.width() < 6) {
        m_painter.fillRect(bar, colors.fill);
        return;
    }
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(colors.fill);
    m_painter.setRenderHint(QPainter::Antialiasing);
    m_painter.drawRoundedRect(bar.adjusted(0, 0, -1, 0), 2, 2);
    m_painter.setRenderHint(QPainter::Antialiasing, false);

    const QRectF room = bar.intersected(QRectF(m_lanes)).adjusted(6, 0, -4, 0);
    if (text.isEmpty() || room.width() < kMinLabelPixels - 10)
        return;
    m_painter.setPen(colors.text);
    const TextCache::Entry &entry = m_scene.texts.find(text, m_font);
    const QPointF place(room.left(), room.center().y() - entry.height / 2);
    if (entry.width <= room.width()) {
        m_painter.drawStaticText(place, entry.text);
        return;
    }
    m_painter.save();
    m_painter.setClipRect(room, Qt::IntersectClip);
    m_painter.drawStaticText(place, entry.text);
    m_painter.restore();
}

void TimelinePainter::paintTrack(const Track &track, QRect band)
{
    m_painter.setFont(m_font);
    auto [i, last] = track.range(m_window.startNs, m_window.endNs);
    while (i < last) {
        const Span &span = track.spans[i];
        const double left = x(span.startNs);
        const double width = static_cast<double>(span.durationNs) / m_scene.scale.nsPerPixel;
        const QRectF bar(left, band.top(), std::max(width, 1.0), band.height());
        paintBar(bar, barColors(spanCategory(span.name), m_scene.theme),
                 width >= kMinLabelPixels ? barText(span) : QString());
        if (width >= 1) {
            ++i;
            continue;
        }
        const std::int64_t nextPixel = timeAt(m_scene.scale, std::floor(left - m_lanes.left()) + 1);
        i = std::max(i + 1, track.range(nextPixel, m_window.endNs).first);
    }
}

void TimelinePainter::paintOverlap(const TimelineRow &row)
{
    if (m_window.endNs - m_window.startNs > kMaxExactStripNs) {
        paintOverlapFarOut(row);
        return;
    }
    const BarBand band = barBand(m_scene.layout.metrics, 0);
    for (const BusyPiece &piece : busyPieces(m_scene.history, m_window)) {
        const QColor color = piece.kind == BusyPiece::Kind::Both ? m_scene.theme.both
            : piece.kind == BusyPiece::Kind::CpuOnly             ? m_scene.theme.cpuOnly
                                                                 : m_scene.theme.gpuOnly;
        const double left = x(piece.time.startNs);
        paintBar(QRectF(left, rowTop(row) + band.top, std::max(1.0, x(piece.time.endNs) - left), band.height),
                 {color, {}}, {});
    }
    paintOverlapLabels(row);
}

void TimelinePainter::paintOverlapLabels(const TimelineRow &row)
{
    const BarBand band = barBand(m_scene.layout.metrics, 0);
    const auto &frames = m_scene.history.frames();
    const auto [first, last] = m_scene.history.framesIn(m_window.startNs, m_window.endNs);
    if (last - first > 40)
        return;
    m_painter.setFont(m_font);
    m_painter.setPen(m_scene.theme.barText);
    for (std::size_t i = first; i < last; ++i) {
        const Interval period{frames[i].startNs, frames[i].startNs + frames[i].periodNs()};
        BusyPiece widest;
        for (const BusyPiece &piece : busyPieces(m_scene.history, period))
            if (piece.kind == BusyPiece::Kind::Both
                && piece.time.endNs - piece.time.startNs > widest.time.endNs - widest.time.startNs)
                widest = piece;
        QString text = QCoreApplication::translate("jetscope::Timeline", "both busy %1")
                           .arg(durationText(frames[i].overlap.bothNs));
        if (const auto ratio = frames[i].overlap.overlap())
            text += QStringLiteral(" · ") + percentText(*ratio);
        const QRectF room = QRectF(x(widest.time.startNs) + 6, rowTop(row) + band.top,
                                   x(widest.time.endNs) - x(widest.time.startNs) - 8, band.height)
                                .intersected(QRectF(m_lanes));
        if (m_painter.fontMetrics().horizontalAdvance(text) <= room.width())
            m_painter.drawText(room, Qt::AlignVCenter, text);
    }
}

void TimelinePainter::paintOverlapFarOut(const TimelineRow &row)
{
    const BarBand band = barBand(m_scene.layout.metrics, 0);
    const auto &frames = m_scene.history.frames();
    const auto [first, last] = m_scene.history.framesIn(m_window.startNs, m_window.endNs);
    for (std::size_t i = first; i < last; ++i) {
        const double left = x(frames[i].startNs);
        const double width = std::max(1.0, static_cast<double>(frames[i].periodNs()) / m_scene.scale.nsPerPixel);
        const double height = band.height * frames[i].overlap.overlap().value_or(0);
        m_painter.fillRect(QRectF(left, rowTop(row) + band.top + band.height - height, width, height),
                           m_scene.theme.both);
    }
}

void TimelinePainter::paintMarks()
{
    const auto &rows = m_scene.layout.rows;
    const auto row = std::find_if(rows.begin(), rows.end(), [](const TimelineRow &r) { return r.pipeline; });
    const int top = row == rows.end() ? m_lanes.top() : rowTop(*row);
    m_painter.setFont(m_font);
    for (const TraceMark &mark : m_scene.history.marks())
        if (mark.timeNs >= m_window.startNs && mark.timeNs < m_window.endNs)
            paintMark(mark, top);
}

void TimelinePainter::paintMark(const TraceMark &mark, int rowTop)
{
    const bool isSwitch = mark.kind == TraceMark::Kind::Switch;
    const QColor color = isSwitch ? m_scene.theme.accentText : m_scene.theme.bad;
    const int pixel = qRound(x(mark.timeNs));
    m_painter.setPen(QPen(color, 1, isSwitch ? Qt::DashLine : Qt::SolidLine));
    if (isSwitch) {
        m_painter.drawLine(pixel, m_lanes.top(), pixel, m_lanes.bottom());
    } else {
        QPainterPath triangle(QPointF(pixel, rowTop + 1));
        triangle.lineTo(pixel - 7, rowTop + 13);
        triangle.lineTo(pixel + 7, rowTop + 13);
        m_painter.fillPath(triangle, color);
    }
    const QString text = m_painter.fontMetrics().elidedText(toQString(mark.text), Qt::ElideRight, 360);
    const QRect box(pixel + (isSwitch ? 1 : 10), rowTop, m_painter.fontMetrics().horizontalAdvance(text) + 10, 15);
    m_painter.fillRect(box, isSwitch ? m_scene.theme.goodFill : m_scene.theme.badFill);
    m_painter.setPen(color);
    m_painter.drawText(box.adjusted(5, 0, 0, 0), Qt::AlignVCenter, text);
}

void paintTimelineLabels(QPainter &painter, const TimelineLayout &layout, const Theme &theme, int scrollY, int height)
{
    const TimelineMetrics &metrics = layout.metrics;
    painter.fillRect(0, 0, metrics.labelWidth, height, theme.panel);
    painter.setClipRect(0, metrics.rulerHeight, metrics.labelWidth,
                        height - metrics.rulerHeight - metrics.footerHeight);
    QFont font = painter.font();
    for (const TimelineRow &row : layout.rows) {
        const int top = metrics.rulerHeight + row.top - scrollY;
        painter.fillRect(0, top + row.height - 1, metrics.labelWidth, 1, theme.border);
        font.setPixelSize(13);
        painter.setFont(font);
        painter.setPen(theme.text);
        painter.drawText(QRect(14, top + 3, metrics.labelWidth - 18, 18), Qt::AlignVCenter, row.label);
        font.setPixelSize(11);
        painter.setFont(font);
        painter.setPen(theme.muted);
        painter.drawText(QRect(14, top + 20, metrics.labelWidth - 18, 14), Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(row.detail, Qt::ElideRight, metrics.labelWidth - 18));
    }
    painter.setClipping(false);
}

} // namespace jetscope
