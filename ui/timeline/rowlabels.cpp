// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/rowlabels.h"

#include "ui/style/text.h"
#include "ui/style/theme.h"
#include "ui/timeline/counterline.h"
#include "ui/timeline/tilepainter.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>
#include <QWidget>

#include <algorithm>
#include <cmath>

namespace jetscope {

QString counterValueText(const CounterTrack &counter, std::int64_t endNs)
{
    if (counter.firstIndex() == counter.endIndex())
        return QCoreApplication::translate("jetscope::Timeline", "no value yet");
    auto [timeNs, value] = counter.at(counter.endIndex() - 1);
    // Behind a log nothing is known; its last value held until there.
    if (!std::isfinite(value) && timeNs >= endNs && counter.endIndex() - counter.firstIndex() > 1)
        value = counter.at(counter.endIndex() - 2).second;
    if (!std::isfinite(value))
        return QCoreApplication::translate("jetscope::Timeline", "unknown");
    return quantityText(value, counter.info().unit);
}

namespace {

constexpr int kLeft = 14;              ///< Of the names.
constexpr int kTwoLines = 34;          ///< As chosen for the usual font.
constexpr qint64 kValuesEveryMs = 250; ///< Update interval for the counter values in the labels.

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

void paintRowLabel(QPainter &painter, const TimelineRow &row, const QString &detail, int top, int width,
                   const Theme &theme)
{
    const bool single = row.height < fontScaled(kTwoLines);
    QFont font = paintedFont(painter.font(), single ? 12 : 13);
    painter.setFont(font);
    painter.setPen(theme.text);
    painter.drawText(QRect(kLeft, top + (single ? 1 : 2), width - 18, fontScaled(18)), Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(row.label, Qt::ElideRight, width - 18));
    if (single)
        return;
    font.setPixelSize(fontScaled(11));
    painter.setFont(font);
    painter.setPen(theme.muted);
    painter.drawText(QRect(kLeft, top + fontScaled(19), width - 18, fontScaled(14)), Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(detail, Qt::ElideRight, width - 18));
}

/// The name in capitals, and how many lanes the group has if there is room.
void paintHeadingLabel(QPainter &painter, const TimelineRow &row, int top, int width, const Theme &theme)
{
    painter.save();
    painter.setPen(theme.muted);
    paintChevron(painter, QPointF(7, top + row.height / 2.0 - 0.5), row.collapsed, theme.muted);
    const QRect room(kLeft, top, width - 18, row.height - 1);
    QFont font = paintedFont(painter.font(), 11);
    const int count = QFontMetrics(font).horizontalAdvance(row.detail);
    QFont name = paintedFont(painter.font(), 10);
    name.setWeight(QFont::DemiBold);
    name.setLetterSpacing(QFont::AbsoluteSpacing, 1);
    const QFontMetrics metrics(name);
    const bool both = metrics.horizontalAdvance(row.label.toUpper()) + count + 10 <= room.width();
    painter.setFont(name);
    painter.drawText(room, Qt::AlignVCenter, metrics.elidedText(row.label.toUpper(), Qt::ElideRight, room.width()));
    painter.setFont(font);
    if (both)
        painter.drawText(room, Qt::AlignVCenter | Qt::AlignRight, row.detail);
    painter.restore();
}

/// The ends of a counter's axis beside its lane; how much room they take at the right.
int paintScale(QPainter &painter, const CounterTrack &counter, const TimelineRow &row, int top, int width,
               const Theme &theme)
{
    if (row.height < fontScaled(kTwoLines) || !counter.extremes())
        return 0;
    const CounterAxis axis = counterAxis(counter);
    const QString ends[] = {quantityText(axis.top, counter.info().unit),
                            axis.bottom == 0 ? QStringLiteral("0") : quantityText(axis.bottom, counter.info().unit)};
    QFont font = paintedFont(painter.font(), 10);
    painter.setFont(font);
    painter.setPen(theme.muted);
    int room = 0;
    for (int end = 0; end < 2; ++end) {
        const int y = end == 0 ? kCounterMargin : row.height - kCounterMargin - fontScaled(12);
        painter.drawText(QRect(kLeft, top + y, width - 20, fontScaled(12)), Qt::AlignVCenter | Qt::AlignRight,
                         ends[end]);
        painter.fillRect(width - 4, top + (end == 0 ? kCounterMargin : row.height - kCounterMargin), 4, 1, theme.muted);
        room = std::max(room, painter.fontMetrics().horizontalAdvance(ends[end]));
    }
    return room + 8;
}

void paintNote(QPainter &painter, const TimelineRow &row, int top, int width, const Theme &theme)
{
    QFont font = paintedFont(painter.font(), 11);
    painter.setFont(font);
    const auto line = [&](int y, const QString &text, const QColor &color) {
        painter.setPen(color);
        painter.drawText(QRect(kLeft, top + y, width - 18, fontScaled(15)), Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(text, Qt::ElideRight, width - 18));
    };
    line(2, row.label, theme.muted);
    line(fontScaled(17), row.detail, theme.accentText);
}

/// "7 of 9 levels", in the colour of what can be clicked.
void paintLevels(QPainter &painter, const TimelineRow &row, int top, int width, const Theme &theme)
{
    const QString text = row.deeper.empty()
        ? QCoreApplication::translate("jetscope::Timeline", "all %1 levels").arg(row.tracks.size())
        : QCoreApplication::translate("jetscope::Timeline", "%1 of %2 levels")
              .arg(row.tracks.size())
              .arg(row.tracks.size() + row.deeper.size());
    painter.setPen(theme.accentText);
    painter.drawText(levelsRect(row, width).translated(0, top), Qt::AlignVCenter, text);
}

/// Paints names and lower edge of a row; `top` is relative to the top of the view.
void paintLabelOf(QPainter &painter, const TimelineRow &row, int top, const Trace &trace, int width, const Theme &theme)
{
    painter.fillRect(0, top + row.height - 1, width, 1, theme.border);
    switch (row.kind) {
    case TimelineRow::Kind::Heading:
        paintHeadingLabel(painter, row, top, width, theme);
        return;
    case TimelineRow::Kind::Note:
        paintNote(painter, row, top, width, theme);
        return;
    default:
        break;
    }
    if (row.pinned)
        painter.fillRect(0, top, 3, row.height - 1, theme.accent);
    if (row.kind == TimelineRow::Kind::Counter) {
        const CounterTrack &counter = trace.counters()[row.counter];
        const int scale = paintScale(painter, counter, row, top, width, theme);
        paintRowLabel(painter, row, counterValueText(counter, trace.newestNs()), top, width - scale, theme);
        return;
    }
    paintRowLabel(painter, row, row.detail, top, width, theme);
    if (row.foldable)
        paintLevels(painter, row, top, width, theme);
}

void paintRowLabels(QPainter &painter, const TimelineLayout &layout, const Trace &trace, const Theme &theme,
                    RowScroll scroll, int height)
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

} // namespace

QRect levelsRect(const TimelineRow &row, int width)
{
    return {kLeft, fontScaled(row.height < fontScaled(kTwoLines) ? 17 : 34), width - 18, fontScaled(15)};
}

void RowLabels::traceGrown(const Trace &trace)
{
    if (!trace.counters().empty() && (!m_age.isValid() || m_age.elapsed() > kValuesEveryMs))
        clear();
}

const QPixmap &RowLabels::picture(const TimelineLayout &layout, const Trace &trace, RowScroll scroll, int height,
                                  const QWidget &of)
{
    if (!isEmpty())
        return m_picture;
    m_age.start();
    const double ratio = of.devicePixelRatioF();
    m_picture = QPixmap((QSizeF(layout.metrics.labelWidth, height) * ratio).toSize());
    m_picture.setDevicePixelRatio(ratio);
    QPainter painter(&m_picture);
    painter.setFont(of.font());
    paintRowLabels(painter, layout, trace, theme(), scroll, height);
    return m_picture;
}

} // namespace jetscope
