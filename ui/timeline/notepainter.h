// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/tracenote.h"
#include "ui/timeline/textcache.h"
#include "ui/timeline/timescale.h"

#include <QFont>
#include <QRect>

#include <vector>

class QPainter;

namespace jetscope {

struct Theme;

/// Paints notes over the lanes: a line or a pale range with the beginning of the text, and on the ruler a flag. Lives
/// for one paint event.
class NotePainter {
public:
    /// `lanes`: below the ruler; the left edge is pixel 0 of the scale. `rows`: its part below the overlap strip.
    NotePainter(QPainter &painter, const QRect &lanes, const QRect &rows, const TimeScale &scale, const Theme &theme)
        : m_painter(painter), m_lanes(lanes), m_rows(rows), m_scale(scale), m_theme(theme)
    {
    }

    void paint(const std::vector<TraceNote> &notes, TextCache &texts, const QFont &font);
    void paintFlags(const std::vector<TraceNote> &notes);

private:
    double xOf(std::int64_t ns) const { return m_lanes.left() + pixelAt(m_scale, ns); }
    bool isSeen(const TraceNote &note) const;

    QPainter &m_painter;
    const QRect m_lanes;
    const QRect m_rows;
    const TimeScale &m_scale;
    const Theme &m_theme;
};

} // namespace jetscope
