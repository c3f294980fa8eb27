// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/notepainter.h"

#include "ui/style/text.h"
#include "ui/style/theme.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace jetscope {

namespace {

constexpr int kNoteTextPixels = 260;
constexpr int kNoteHeight = 15;
constexpr int kRangeAlpha = 28;
constexpr int kLineAlpha = 150;
constexpr int kMostNotesSeen = 500; ///< So many flags cover the ruler.

} // namespace

bool NotePainter::isSeen(const TraceNote &note) const
{
    return xOf(note.endNs) >= m_lanes.left() && xOf(note.startNs) <= m_lanes.right();
}

/// Texts stand above the lowest line of the rows, because marks have theirs at the top.
void NotePainter::paint(const std::vector<TraceNote> &notes, TextCache &texts, const QFont &font)
{
    m_painter.setFont(font);
    QColor line = m_theme.accentText;
    line.setAlpha(kLineAlpha);
    QColor fill = m_theme.accentText;
    fill.setAlpha(kRangeAlpha);
    double free = m_lanes.left();
    int seen = 0;
    for (const TraceNote &note : notes) {
        if (!isSeen(note) || ++seen > kMostNotesSeen)
            continue;
        const double left = std::max<double>(xOf(note.startNs), m_lanes.left() - 1);
        const double right = std::min<double>(xOf(note.endNs), m_lanes.right() + 1);
        if (note.endNs > note.startNs)
            m_painter.fillRect(QRectF(left, m_rows.top(), std::max(1.0, right - left), m_rows.height()), fill);
        m_painter.fillRect(QRectF(qRound(xOf(note.startNs)), m_lanes.top(), 1, m_lanes.height()), line);
        if (note.endNs > note.startNs)
            m_painter.fillRect(QRectF(qRound(xOf(note.endNs)), m_lanes.top(), 1, m_lanes.height()), line);
        const double textLeft = std::max<double>(left + 1, m_lanes.left());
        if (note.text.empty() || textLeft < free)
            continue;
        const TextCache::Entry &entry = texts.findWithin(toQString(note.text), font, fontScaled(kNoteTextPixels));
        const int height = fontScaled(kNoteHeight);
        const QRectF box(textLeft, m_rows.bottom() - height - 2, qRound(entry.width) + 10, height);
        m_painter.fillRect(box, m_theme.selected);
        m_painter.setPen(m_theme.selectedText);
        m_painter.drawStaticText(QPointF(box.left() + 5, box.center().y() - entry.height / 2), entry.text);
        free = box.right() + 3;
    }
}

void NotePainter::paintFlags(const std::vector<TraceNote> &notes)
{
    m_painter.setClipRect(QRect(m_lanes.left(), 0, m_lanes.width(), m_lanes.top()));
    const int bottom = m_lanes.top();
    int seen = 0;
    for (const TraceNote &note : notes) {
        if (!isSeen(note) || ++seen > kMostNotesSeen)
            continue;
        const int left = qRound(xOf(note.startNs));
        if (note.endNs > note.startNs)
            m_painter.fillRect(QRectF(left, bottom - 3, std::max(1.0, xOf(note.endNs) - left), 3), m_theme.accentText);
        QPainterPath flag(QPointF(left, bottom - 13));
        flag.lineTo(left + 8, bottom - 10);
        flag.lineTo(left, bottom - 6);
        m_painter.fillPath(flag, m_theme.accentText);
        m_painter.fillRect(left, bottom - 13, 1, 13, m_theme.accentText);
    }
    m_painter.setClipping(false);
}

} // namespace jetscope
