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

/// Paints the signs and texts of marks, and their lines where no tiles are. Lives for one paint.
class MarkPainter {
public:
    /// Where things are in the view.
    struct Place {
        QRect lanes; ///< Its left edge is pixel 0 of the scale.
        QRect rows;  ///< The part of it below the overlap strip and above the numbers of the frames.
        QRect below; ///< Where no tiles are.
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
