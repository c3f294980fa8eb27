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

/// Digits of equal width, for times and counts.
QFont fixedFont();

/// The ruler above the lanes: ticks, their times, and the time under the mouse. Lives for one paint.
class TimelineRuler {
public:
    /// `place` is where the ruler goes; its left edge is pixel 0 of the scale.
    TimelineRuler(const QRect &place, const TimeScale &scale, std::int64_t zeroNs, const Theme &theme);

    void paint(QPainter &painter) const;
    /// The time at a pixel from the left edge, over what is there.
    void paintTime(QPainter &painter, int pixel) const;

private:
    int paintOrigin(QPainter &painter) const;

    const QRect m_place;
    const TimeScale m_scale;
    const std::int64_t m_zeroNs; ///< What the ruler calls 0.
    const Theme &m_theme;
    const std::int64_t m_fromNs; ///< Since then, as all times below.
    const std::int64_t m_toNs;
    const std::int64_t m_stepNs;
    const RulerTexts m_texts;
};

} // namespace jetscope
