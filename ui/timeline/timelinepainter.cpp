// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timelinepainter.h"

#include "ui/session/traceselection.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"
#include "ui/timeline/counterline.h"
#include "ui/timeline/framenotes.h"
#include "ui/timeline/limitbands.h"
#include "ui/timeline/markpainter.h"
#include "ui/timeline/notepainter.h"
#include "ui/timeline/rangebrief.h"
#include "ui/timeline/timelineruler.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

constexpr std::uint64_t kMaxNotesPainted = 40;
constexpr double kMinFramePixels = 3;
constexpr int kFrameTextPixels = 76; ///< As chosen for the usual font.
constexpr double kMaxLinePixels = 1e6;
constexpr int kLimitEdge = 3; ///< The opaque line at the top of the shading.

QColor translucent(QColor color, int alpha)
{
    color.setAlpha(alpha);
    return color;
}

} // namespace

TimelinePainter::TimelinePainter(QPainter &painter, const TimelineScene &scene)
    : m_painter(painter), m_widgetFont(painter.font()), m_font(paintedFont(painter.font(), 11)), m_scene(scene)
{
    const TimelineMetrics &metrics = scene.layout.metrics;
    m_lanes = QRect(metrics.labelWidth, metrics.rulerHeight, std::max(0, scene.size.width() - metrics.labelWidth),
                    std::max(0, scene.size.height() - metrics.rulerHeight));
    m_rows = m_lanes.adjusted(0, scene.layout.overlap.height, 0, -metrics.footerHeight);
    m_window = {timeAt(scene.scale, 0), timeAt(scene.scale, m_lanes.width()) + 1};
}

double TimelinePainter::x(std::int64_t ns) const
{
    return m_lanes.left() + pixelAt(m_scene.scale, ns);
}

int TimelinePainter::shownAt(int y) const
{
    return m_rows.top() + y - (y < m_scene.pinned ? 0 : m_scene.scrollY);
}

QRect TimelinePainter::scrolledRows() const
{
    return m_rows.adjusted(0, m_scene.pinned, 0, 0);
}

QRect TimelinePainter::belowRows() const
{
    const int rowsEnd = std::min(m_rows.top() + m_scene.layout.height - m_scene.scrollY, m_rows.bottom() + 1);
    return {m_lanes.left(), rowsEnd, m_lanes.width(), m_lanes.bottom() + 1 - rowsEnd};
}

void TimelinePainter::paint()
{
    m_painter.setClipRect(m_lanes);
    paintFrameStrip();
    paintLimits();
    paintSelectedFrame();
    paintLabels();
    paintIdleLabels();
    m_painter.setClipRect(m_rows);
    paintAllLinks();
    paintLinks();
    paintHovered();
    paintSelectedSpan();
    m_painter.setClipRect(m_lanes);
    paintOverlapNotes();
    paintCounterValues();
    MarkPainter(m_painter, {m_lanes, m_rows, belowRows(), m_scene.scrollY}, m_scene.scale, m_scene.theme, m_scene.texts,
                m_font)
        .paint(m_scene.trace.marks());
    NotePainter notes(m_painter, m_lanes, m_rows, m_scene.scale, m_scene.theme);
    notes.paint(m_scene.trace.notes(), m_scene.texts, m_font);
    paintRange();
    m_painter.setClipping(false);
    paintRuler();
    notes.paintFlags(m_scene.trace.notes());
    paintDiscarded();
}

/// Draws the text with `more` appended if both fit, else the text alone, elided if needed.
void TimelinePainter::paintLabel(const QRectF &bar, const LabelColors &colors, const QString &text, const QString &more)
{
    const QRectF room = bar.intersected(QRectF(m_lanes)).adjusted(6, 0, -4, 0);
    if (room.width() < TilePainter::kMinLabelPixels - 12)
        return;
    m_painter.setPen(colors.text);
    const TextCache::Entry *entry = &m_scene.texts.find(text + more, m_font);
    if (entry->width > room.width() && !more.isEmpty())
        entry = &m_scene.texts.find(text, m_font);
    if (entry->width > room.width())
        entry = &m_scene.texts.findWithin(text, m_font, static_cast<int>(room.width()));
    if (colors.plate.isValid())
        m_painter.fillRect(
            QRectF(room.left() - 2, room.center().y() - entry->height / 2, entry->width + 4, entry->height),
            colors.plate);
    m_painter.drawStaticText(QPointF(room.left(), room.center().y() - entry->height / 2), entry->text);
}

void TimelinePainter::paintLabels()
{
    m_painter.setFont(m_font);
    std::size_t painted = 0;
    for (const TileLabel &label : m_scene.labels) {
        const TraceSpan &span = label.place.bar.span;
        const QRectF bar(x(span.startNs), shownAt(label.top),
                         static_cast<double>(span.durationNs) / m_scene.scale.nsPerPixel, label.height);
        const QRect room = label.top < m_scene.pinned ? m_rows : scrolledRows();
        if (!bar.intersects(QRectF(room)) || painted == kMaxLabels)
            continue;
        ++painted;
        m_painter.setClipRect(room);
        const Category category = m_scene.trace.names().category(span.name);
        const bool numbered = category == Category::CpuStage && span.frame != kNoFrame;
        const BarColors bars = barColors(category, m_scene.theme);
        const bool bounded = m_scene.trace.names().certainty(span.name) == Certainty::Bounded;
        paintLabel(bar, {bars.text, bounded ? bars.fill : QColor()}, toQString(m_scene.trace.names().text(span.name)),
                   numbered ? QCoreApplication::translate("jetscope::Timeline", " frame %1")
                                  .arg(m_scene.trace.frameNumber(span.frame))
                            : QString());
    }
}

/// On gaps of idle lanes that are wide enough for a text.
void TimelinePainter::paintIdleLabels()
{
    const std::int64_t least = std::llround(TilePainter::kMinLabelPixels * m_scene.scale.nsPerPixel);
    const BarBand band = barBand(m_scene.layout.metrics, 0, 1);
    for (const TimelineRow &row : m_scene.layout.rows) {
        const QRect room = row.top < m_scene.pinned ? m_rows : scrolledRows();
        const QRect bars(m_lanes.left(), shownAt(row.top + band.top), m_lanes.width(), band.height);
        if (row.kind != TimelineRow::Kind::Idle || !bars.intersects(room))
            continue;
        TrackPicture picture;
        row.idle->track.query({m_window.startNs, static_cast<double>(least),
                               static_cast<int>(bars.width() / TilePainter::kMinLabelPixels) + 2},
                              picture);
        m_painter.setClipRect(room);
        for (const TraceBar &bar : picture.bars) {
            const GpuIdleGap &gap = row.idle->gaps[bar.index];
            const double left = x(gap.time.startNs);
            paintLabel(QRectF(left, bars.top(), x(gap.time.endNs) - left, bars.height()),
                       {m_scene.theme.text, m_scene.theme.panel}, idleText(m_scene.trace, gap), {});
        }
    }
}

void TimelinePainter::paintOverlapNotes()
{
    const FrameTable &frames = m_scene.trace.frames();
    const auto [first, last] = frames.range(m_window.startNs, m_window.endNs);
    const BarBand band = barBand(m_scene.layout.metrics, 0, 1);
    m_painter.setFont(m_font);
    if (last - first > kMaxNotesPainted || !isNear(m_scene.trace, m_window, m_scene.scale.nsPerPixel)) {
        if (m_scene.trace.frameCount() == 0 && !m_scene.trace.empty()) {
            m_painter.setPen(m_scene.theme.muted);
            m_painter.drawText(QRect(m_lanes.left() + 8, m_lanes.top(), m_lanes.width(), m_scene.layout.overlap.height),
                               Qt::AlignVCenter,
                               QCoreApplication::translate("jetscope::Timeline",
                                                           "Zoom in: without frames it is worked out span by span"));
        }
        return;
    }
    for (std::uint64_t i = first; i < last; ++i) {
        const FrameNotes::Note &note = m_scene.notes.of(m_scene.trace, i);
        const QRectF room = QRectF(x(note.place.startNs), m_lanes.top() + band.top,
                                   x(note.place.endNs) - x(note.place.startNs), band.height)
                                .intersected(QRectF(m_lanes))
                                .adjusted(6, 0, -2, 0);
        const TextCache::Entry &entry = m_scene.texts.find(note.text, m_font);
        if (entry.width > room.width())
            continue;
        if (!note.certain)
            m_painter.fillRect(
                QRectF(room.left() - 2, room.center().y() - entry.height / 2, entry.width + 4, entry.height),
                m_scene.theme.both);
        m_painter.setPen(m_scene.theme.barText);
        m_painter.drawStaticText(QPointF(room.left(), room.center().y() - entry.height / 2), entry.text);
    }
}

/// Paints the frames below the rows, with as many numbers as fit.
void TimelinePainter::paintFrameStrip()
{
    const int height = m_scene.layout.metrics.footerHeight;
    const QRect rest = belowRows();
    m_painter.fillRect(rest, m_scene.theme.panel);
    const FrameTable &frames = m_scene.trace.frames();
    const auto [first, last] = frames.range(m_window.startNs, m_window.endNs);
    if (first >= last || static_cast<double>(last - first) * kMinFramePixels > m_lanes.width())
        return;
    const double pitch = (x(frames.at(last - 1).startNs) - x(frames.at(first).startNs))
        / static_cast<double>(std::max<std::uint64_t>(last - first - 1, 1));
    const auto step = static_cast<std::uint64_t>(rulerStepNs(1, fontScaled(kFrameTextPixels) / std::max(pitch, 1.0)));
    std::vector<std::pair<double, std::uint64_t>> numbers;
    for (std::uint64_t i = first; i < last; ++i) {
        const FrameFigures frame = frames.at(i);
        const double left = x(frame.startNs);
        const double right = x(frame.startNs + frame.periodNs());
        if (frame.frame % 2 == 0)
            m_painter.fillRect(QRectF(left, rest.top(), right - left, rest.height()), m_scene.theme.band);
        const double seen = std::min<double>(right, m_lanes.right()) - std::max<double>(left, m_lanes.left());
        if (frame.frame % step == 0 && (step > 1 || seen >= fontScaled(kFrameTextPixels)))
            numbers.emplace_back(std::max<double>(left, m_lanes.left()), m_scene.trace.frameNumber(frame.frame));
    }
    m_painter.setFont(fixedFont());
    m_painter.setPen(m_scene.theme.muted);
    for (const auto &[left, number] : numbers)
        m_painter.drawText(QPointF(left + 6, m_lanes.bottom() - height + fontScaled(15)),
                           step == 1 ? QCoreApplication::translate("jetscope::Timeline", "frame %1").arg(number)
                                     : QString::number(number));
}

/// Shades the times in which the clocks were limited: frames in them cannot be compared with others.
void TimelinePainter::paintLimits()
{
    for (const LimitBand &band :
         limitBands(m_scene.trace, {m_window.startNs, m_scene.scale.nsPerPixel, m_lanes.width()})) {
        const QRect place(m_lanes.left() + band.first, m_lanes.top(), band.end - band.first, m_lanes.height());
        m_painter.fillRect(place, translucent(m_scene.theme.warn, 26));
        m_painter.fillRect(QRect(place.topLeft(), QSize(place.width(), kLimitEdge)), m_scene.theme.warn);
    }
}

void TimelinePainter::paintSelectedFrame()
{
    const auto &frame = m_scene.selection.frame();
    if (!frame || !frame->index)
        return;
    const double left = x(frame->period.startNs);
    const double right = std::max(x(frame->period.endNs), left + 1);
    const int height = m_scene.layout.metrics.footerHeight;
    const QRectF number(left, m_lanes.bottom() + 1 - height, right - left, height);
    m_painter.fillRect(QRectF(left, m_lanes.top(), right - left, m_lanes.height()),
                       translucent(m_scene.theme.accent, 22));
    m_painter.fillRect(QRectF(number.left(), number.bottom() - 3, number.width(), 3), m_scene.theme.accent);
}

std::optional<QRectF> TimelinePainter::barOf(const SpanPlace &span) const
{
    const TimelineRow *row = m_scene.layout.rowOfTrack(span.track);
    if (!row || row->kind != TimelineRow::Kind::Lane)
        return std::nullopt;
    const auto depth =
        static_cast<std::size_t>(std::find(row->tracks.begin(), row->tracks.end(), span.track) - row->tracks.begin());
    const BarBand band = barBand(m_scene.layout.metrics, depth, row->tracks.size());
    const double left = x(span.bar.span.startNs);
    const QRectF bar(left, shownAt(row->top) + band.top, std::max(1.0, x(span.bar.span.endNs()) - left), band.height);
    if (row->pinned || bar.top() >= scrolledRows().top())
        return bar;
    // Partly or completely covered by the pinned rows.
    const QRectF seen(bar.left(), scrolledRows().top(), bar.width(), bar.bottom() - scrolledRows().top());
    return seen.height() >= 1 ? std::optional(seen) : std::nullopt;
}

void TimelinePainter::outline(const SpanPlace &span, const QColor &color, int width)
{
    const auto bar = barOf(span);
    if (!bar)
        return;
    // Coordinates far outside would overflow in QPainter.
    const QRectF seen = bar->intersected(QRectF(m_lanes).adjusted(-20, -2000, 20, 2000));
    m_painter.setPen(QPen(color, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    m_painter.setBrush(Qt::NoBrush);
    m_painter.drawRect(seen.adjusted(-0.5, -0.5, 0, 0.5));
}

void TimelinePainter::paintHovered()
{
    if (m_scene.hovered)
        outline(*m_scene.hovered, m_scene.theme.text, 1);
}

void TimelinePainter::paintSelectedSpan()
{
    if (m_scene.selection.span())
        outline(*m_scene.selection.span(), m_scene.theme.accentText, 2);
}

/// Thin curves from launches to kernels and waits. Those of the selected span are painted over them.
void TimelinePainter::paintAllLinks()
{
    if (m_scene.allLinks.empty())
        return;
    m_painter.setRenderHint(QPainter::Antialiasing);
    m_painter.setPen(QPen(translucent(m_scene.theme.text, 150), 1));
    for (const SpanLink &link : m_scene.allLinks) {
        const auto from = barOf(link.from);
        const auto to = barOf(link.to);
        if (!from || !to)
            continue;
        const bool down = from->center().y() < to->center().y();
        const double endX = link.endsWait ? to->right() : to->left();
        const QPointF start(std::clamp(endX, from->left(), from->right()), down ? from->bottom() : from->top());
        const QPointF end(endX, down ? to->top() : to->bottom());
        if (std::max(start.x(), end.x()) < m_lanes.left() || std::min(start.x(), end.x()) > m_lanes.right()
            || std::abs(start.x() - end.x()) > kMaxLinePixels)
            continue;
        const double bend = (end.y() - start.y()) / 2;
        QPainterPath curve(start);
        curve.cubicTo(start + QPointF(0, bend), end - QPointF(0, bend), end);
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawPath(curve);
        const double tip = down ? -4 : 4;
        m_painter.setBrush(m_scene.theme.text);
        m_painter.drawPolygon(QPolygonF{end, end + QPointF(-2, tip), end + QPointF(2, tip)});
    }
    m_painter.setRenderHint(QPainter::Antialiasing, false);
}

/// Arrows from the causes of the selected span to it, and from it to its effects.
void TimelinePainter::paintLinks()
{
    for (const SpanLink &link : m_scene.links) {
        const auto from = barOf(link.from);
        const auto to = barOf(link.to);
        if (!from || !to)
            continue;
        outline(link.from, m_scene.theme.warn, 1);
        outline(link.to, m_scene.theme.warn, 1);
        paintLink(link, *from, *to);
    }
}

/// Arrow to the start of the effect, or to its end if the effect is a wait. It begins at the end of the cause, or in
/// the cause at the time of the arrow head if that is earlier.
void TimelinePainter::paintLink(const SpanLink &link, const QRectF &from, const QRectF &to)
{
    const bool down = from.center().y() < to.center().y();
    const double endX = link.endsWait ? to.right() : to.left();
    const QPointF start(std::clamp(endX, from.left(), from.right()), from.center().y());
    const QPointF end(endX, down ? to.top() : to.bottom());
    // Coordinates far outside would overflow in QPainter.
    const auto inReach = [this](const QPointF &point) {
        return std::abs(point.x() - m_lanes.center().x()) < kMaxLinePixels;
    };
    if (!inReach(start) || !inReach(end))
        return;
    m_painter.setRenderHint(QPainter::Antialiasing);
    m_painter.setPen(QPen(m_scene.theme.warn, 1.4));
    m_painter.drawLine(start, end);
    m_painter.setBrush(m_scene.theme.warn);
    m_painter.drawEllipse(start, 2.5, 2.5);
    const double tip = down ? -6 : 6;
    m_painter.drawPolygon(QPolygonF{end, end + QPointF(-3.5, tip), end + QPointF(3.5, tip)});
    m_painter.setRenderHint(QPainter::Antialiasing, false);
}

/// The time that counters tell their values of: that under the mouse, else where the selected span starts.
std::optional<std::int64_t> TimelinePainter::cursorNs() const
{
    if (m_scene.cursor && *m_scene.cursor >= m_lanes.left())
        return timeAt(m_scene.scale, *m_scene.cursor - m_lanes.left());
    const auto &span = m_scene.selection.span();
    return !m_scene.cursor && span ? std::optional(span->bar.span.startNs) : std::nullopt;
}

void TimelinePainter::paintCounterValues()
{
    const auto ns = cursorNs();
    if (!ns || *ns < m_window.startNs || *ns > m_window.endNs)
        return;
    m_painter.setFont(m_font);
    for (const TimelineRow &row : m_scene.layout.rows) {
        const QRect room = row.pinned ? m_rows : scrolledRows();
        if (row.kind != TimelineRow::Kind::Counter || shownAt(row.top) > room.bottom()
            || shownAt(row.top) + row.height < room.top())
            continue;
        m_painter.setClipRect(room);
        paintCounterValue(row, *ns);
    }
    m_painter.setClipRect(m_lanes);
}

/// A dot on the line and its value beside it.
void TimelinePainter::paintCounterValue(const TimelineRow &row, std::int64_t ns)
{
    const CounterTrack &counter = m_scene.trace.counters()[row.counter];
    const auto value = counter.valueAt(ns);
    const int top = shownAt(row.top);
    const double height = row.height - 2.0 * kCounterMargin;
    const double up = value ? partOfAxis(counterAxis(counter), *value) : 0;
    const QPointF dot(x(ns), top + row.height - kCounterMargin - up * height);
    if (value) {
        m_painter.setRenderHint(QPainter::Antialiasing);
        m_painter.setPen(QPen(m_scene.theme.panel, 1));
        m_painter.setBrush(m_scene.theme.accentText);
        m_painter.drawEllipse(dot, 3, 3);
        m_painter.setRenderHint(QPainter::Antialiasing, false);
    }
    const QString text = value ? quantityText(*value, counter.info().unit)
                               : QCoreApplication::translate("jetscope::Timeline", "unknown");
    const double width = m_painter.fontMetrics().horizontalAdvance(text) + 8.0;
    const bool left = dot.x() + 8 + width > m_lanes.right();
    const int high = fontScaled(16);
    const QRectF plate(dot.x() + (left ? -8 - width : 8), top + (row.height - high) / 2.0, width, high);
    m_painter.fillRect(plate, m_scene.theme.card);
    m_painter.setPen(value ? m_scene.theme.text : m_scene.theme.muted);
    m_painter.drawText(plate, Qt::AlignCenter, text);
}

void TimelinePainter::paintRange()
{
    const auto &range = m_scene.measured ? m_scene.measured : m_scene.selection.range();
    if (!range)
        return;
    const double left = x(range->startNs);
    const double right = std::max(x(range->endNs), left + 1);
    m_painter.fillRect(QRectF(left, m_lanes.top(), right - left, m_lanes.height()),
                       translucent(m_scene.theme.accent, 40));
    for (const double edge : {left, right})
        m_painter.fillRect(QRectF(std::floor(edge), m_lanes.top(), 1, m_lanes.height()), m_scene.theme.accent);
    m_painter.setFont(m_font);
    const QString text = rangeText(m_scene.trace, *range);
    const int width = m_painter.fontMetrics().horizontalAdvance(text) + 14;
    const double middle = (std::max<double>(left, m_lanes.left()) + std::min<double>(right, m_lanes.right())) / 2;
    const double at = std::clamp(middle - width / 2.0, m_lanes.left() + 2.0,
                                 std::max(m_lanes.left() + 2.0, m_lanes.right() - width - 2.0));
    const QRectF box(at, m_rows.top() + 3, width, fontScaled(18));
    m_painter.fillRect(box, m_scene.theme.selected);
    m_painter.setPen(m_scene.theme.selectedText);
    m_painter.drawText(box, Qt::AlignCenter, text);
}

/// Also paints the line under the mouse.
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

/// Marks the start of the trace if older spans were discarded.
void TimelinePainter::paintDiscarded()
{
    const double edge = x(m_scene.trace.oldestNs());
    if (m_scene.trace.droppedSpans() == 0 || edge <= m_lanes.left() || edge > m_scene.size.width())
        return;
    const QRectF before(m_rows.left(), m_rows.top(), edge - m_rows.left(), m_rows.height());
    m_painter.fillRect(QRectF(std::floor(edge) - 1, before.top(), 1, before.height()), m_scene.theme.warn);
    m_painter.setFont(m_widgetFont);
    m_painter.setPen(m_scene.theme.muted);
    m_painter.drawText(before.adjusted(8, 6, -8, 0), Qt::AlignRight | Qt::AlignTop | Qt::TextWordWrap,
                       QCoreApplication::translate("jetscope::Timeline",
                                                   "%1 million spans before this were discarded: the trace keeps %2 "
                                                   "million at most")
                           .arg(static_cast<double>(m_scene.trace.droppedSpans()) / 1e6)
                           .arg(static_cast<double>(m_scene.trace.mostSpans()) / 1e6));
}

} // namespace jetscope
