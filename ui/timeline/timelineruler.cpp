// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timelineruler.h"

#include "ui/style/theme.h"

#include <QFontDatabase>
#include <QPainter>

#include <algorithm>

namespace jetscope {

namespace {

constexpr int kRulerStepPixels = 130;
constexpr int kTickTextLeft = 4; ///< Distance from the tick.
constexpr int kTextBottom = 15;

} // namespace

QFont fixedFont()
{
    return paintedFont(QFontDatabase::systemFont(QFontDatabase::FixedFont), 11);
}

TimelineRuler::TimelineRuler(const QRect &place, const TimeScale &scale, std::int64_t zeroNs, const Theme &theme)
    : m_place(place),
      m_scale(scale),
      m_zeroNs(zeroNs),
      m_theme(theme),
      m_fromNs(timeAt(scale, 0) - zeroNs),
      m_toNs(timeAt(scale, place.width()) + 1 - zeroNs),
      m_stepNs(rulerStepNs(scale.nsPerPixel, fontScaled(kRulerStepPixels))),
      m_texts(m_fromNs, m_toNs, m_stepNs)
{
}

void TimelineRuler::paint(QPainter &painter) const
{
    painter.fillRect(m_place, m_theme.panel);
    painter.setClipRect(m_place);
    painter.setFont(fixedFont());
    const int free = paintOrigin(painter);
    const std::int64_t minor = std::max<std::int64_t>(m_stepNs / 5, 1);
    for (std::int64_t at = (m_fromNs / minor - 1) * minor; at <= m_toNs; at += minor) {
        const int pixel = m_place.left() + qRound(pixelAt(m_scale, at + m_zeroNs));
        if (pixel < free)
            continue;
        const bool major = at % m_stepNs == 0;
        painter.fillRect(pixel, m_place.top() + fontScaled(major ? 6 : 14), 1, fontScaled(major ? 14 : 5),
                         major ? m_theme.muted : m_theme.border);
        if (major) {
            painter.setPen(m_theme.muted);
            painter.drawText(pixel + kTickTextLeft, m_place.top() + fontScaled(kTextBottom), m_texts.tickText(at));
        }
    }
    painter.setClipping(false);
}

/// Paints the origin of the tick labels at the left edge. Returns the left limit for the ticks.
int TimelineRuler::paintOrigin(QPainter &painter) const
{
    if (!m_texts.hasOrigins())
        return m_place.left(); // Clip here: a label that is cut at the left would read as another number.
    // If the text covers the start of a new origin, the new one applies to the ticks right of the text.
    const int room = painter.fontMetrics().horizontalAdvance(m_texts.originText(m_texts.originOf(m_toNs))) + 14;
    const QString text = m_texts.originText(m_texts.originOf(timeAt(m_scale, room) - m_zeroNs));
    painter.setPen(m_theme.text);
    painter.drawText(m_place.left() + kTickTextLeft, m_place.top() + fontScaled(kTextBottom), text);
    return m_place.left() + room;
}

void TimelineRuler::paintTime(QPainter &painter, int pixel) const
{
    const std::int64_t precise = std::max<std::int64_t>(1, rulerStepNs(m_scale.nsPerPixel, 2));
    painter.setFont(fixedFont());
    const QString text = m_texts.wholeText(timeAt(m_scale, pixel) - m_zeroNs, precise);
    const int width = painter.fontMetrics().horizontalAdvance(text) + 10;
    const int right = std::max(m_place.left(), m_place.right() - width);
    const QRect box(std::clamp(m_place.left() + pixel - width / 2, m_place.left(), right), m_place.top() + 2, width,
                    fontScaled(18));
    painter.fillRect(box, m_theme.hover);
    painter.setPen(m_theme.text);
    painter.drawText(box, Qt::AlignCenter, text);
}

} // namespace jetscope
