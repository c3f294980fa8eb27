// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/rulertext.h"
#include "ui/timeline/timescale.h"

#include <QFont>
#include <QRect>

class QPainter;

namespace jetscope {

struct Theme;

/// Font with digits of equal width, for times and counts.
QFont fixedFont();

/// Ruler above the lanes: ticks, their times, and the time under the mouse. Lives for one paint event.
class TimelineRuler {
public:
    /// `place`: rectangle of the ruler; its left edge is pixel 0 of the scale.
    TimelineRuler(const QRect &place, const TimeScale &scale, std::int64_t zeroNs, const Theme &theme);

    void paint(QPainter &painter) const;
    /// Paints the time at a pixel from the left edge, over the ticks.
    void paintTime(QPainter &painter, int pixel) const;

private:
    int paintOrigin(QPainter &painter) const;

    const QRect m_place;
    const TimeScale m_scale;
    const std::int64_t m_zeroNs; ///< Time that the ruler shows as 0.
    const Theme &m_theme;
    const std::int64_t m_fromNs; ///< Relative to m_zeroNs, like all times below.
    const std::int64_t m_toNs;
    const std::int64_t m_stepNs;
    const RulerTexts m_texts;
};

} // namespace jetscope
