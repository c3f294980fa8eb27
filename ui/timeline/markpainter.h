// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/marklist.h"
#include "ui/timeline/textcache.h"
#include "ui/timeline/timescale.h"

#include <QFont>
#include <QRect>

class QPainter;

namespace jetscope {

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
