// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/marklist.h"
#include "core/trace/trace.h"
#include "ui/timeline/textcache.h"
#include "ui/timeline/timescale.h"

#include <QFont>
#include <QRect>
#include <QRgb>
#include <optional>
#include <vector>

class QPainter;

namespace jetscope {

struct Theme;

/// A dashed vertical line over all rows, one pixel wide.
struct MarkLine {
    QRgb color = 0;
    int dash = 0;
    int pitch = 1;

    /// `y`: from the top of the overlap strip over all rows, including those scrolled out of view.
    bool hasInk(int y) const { return y % pitch < dash; }
};

/// Empty for frequent kinds of marks, which are drawn as ticks at the frame numbers.
std::optional<MarkLine> markLine(TraceMark::Kind kind, const Theme &theme);

/// Marks between the pixels `from` and `to` of a scale; of several on one pixel only the most serious. Valid until the
/// trace changes.
std::vector<const TraceMark *> marksSeen(const MarkList &marks, const TimeScale &scale, int from, int to);

struct Theme;

/// Paints signs and texts of marks, and their lines outside of the tiles. Lives for one paint event.
class MarkPainter {
public:
    /// Rectangles in the view.
    struct Place {
        QRect lanes; ///< The left edge is pixel 0 of the scale.
        QRect rows;  ///< Part of `lanes` between the overlap strip and the frame numbers.
        QRect below; ///< Part of `lanes` that tiles do not cover.
        int scrollY = 0;
    };
    MarkPainter(QPainter &painter, const Place &place, const TimeScale &scale, const Theme &theme, TextCache &texts,
                const QFont &font)
        : m_painter(painter), m_place(place), m_scale(scale), m_theme(theme), m_texts(texts), m_font(font)
    {
    }

    void paint(const MarkList &marks);

private:
    double paintMark(const TraceMark &mark, double free);
    void paintSign(int pixel, int top, const QColor &color);

    QPainter &m_painter;
    const Place m_place;
    const TimeScale &m_scale;
    const Theme &m_theme;
    TextCache &m_texts;
    const QFont &m_font;
};

} // namespace jetscope
