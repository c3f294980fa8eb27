// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/rowlabels.h"

#include "ui/style/text.h"
#include "ui/style/theme.h"
#include "ui/timeline/tilepainter.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>
#include <QWidget>

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
    const CounterAxis axis = counterAxis(counter);
    return QCoreApplication::translate("jetscope::Timeline", "%1 · 0 to %2")
        .arg(quantityText(value, counter.info().unit), quantityText(axis.top, counter.info().unit));
}

namespace {

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
    constexpr int kTwoLines = 34;
    const bool single = row.height < kTwoLines;
    QFont font = painter.font();
    font.setPixelSize(single ? 12 : 13);
    painter.setFont(font);
    painter.setPen(theme.text);
    painter.drawText(QRect(14, top + (single ? 1 : 2), width - 18, 18), Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(row.label, Qt::ElideRight, width - 18));
    if (single)
        return;
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

/// Paints names and lower edge of a row; `top` is relative to the top of the view.
void paintLabelOf(QPainter &painter, const TimelineRow &row, int top, const Trace &trace, int width, const Theme &theme)
{
    painter.fillRect(0, top + row.height - 1, width, 1, theme.border);
    if (row.kind == TimelineRow::Kind::Heading) {
        paintHeadingLabel(painter, row, top, width, theme);
        return;
    }
    if (row.pinned)
        painter.fillRect(0, top, 3, row.height - 1, theme.accent);
    paintRowLabel(painter, row,
                  row.kind == TimelineRow::Kind::Counter
                      ? counterValueText(trace.counters()[row.counter], trace.newestNs())
                      : row.detail,
                  top, width, theme);
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
