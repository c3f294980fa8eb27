// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"
#include "ui/timeline/tilecanvas.h"
#include "ui/timeline/timelinelayout.h"

#include <limits>
#include <span>
#include <vector>

namespace jetscope {

struct Theme;

/// The least number of at least `value` that is one of these digits, which ascend from 1, times a power of ten; 1 for a
/// value that is not above 0.
double roundAbove(double value, std::span<const double> digits);

/// Axis of a counter. The top is a round number at or above its highest value; the bottom is 0, or a round number at or
/// below its lowest value.
struct CounterAxis {
    double bottom = 0;
    double top = 1;
    bool operator==(const CounterAxis &) const = default;
};
CounterAxis counterAxis(const CounterTrack &counter);
/// Height of a value above the bottom of the row, in parts of the axis.
double partOfAxis(const CounterAxis &axis, double value);
inline constexpr int kCounterMargin = 4; ///< Pixels of a row above and below its axis.

/// Paints the values of a counter over time. Trace and theme must outlive it.
class CounterLine {
public:
    CounterLine(const Trace &trace, const Theme &theme) : m_trace(trace), m_theme(theme) {}
    /// `distant`: the values, if the trace does not have them.
    void paint(TileCanvas &canvas, const TimelineRow &row, const std::vector<CounterColumn> *distant);

private:
    /// How a column is drawn; values are rows of pixels.
    struct Stroke {
        static constexpr int kNowhere = std::numeric_limits<int>::max();
        int high = kNowhere;
        int low = kNowhere;
        int line = kNowhere;
        QRgb range = 0;
        QRgb fill = 0; ///< Colour below the range.
    };

    const Trace &m_trace;
    const Theme &m_theme;
    std::vector<CounterColumn> m_values;
    std::vector<Stroke> m_strokes;
};

} // namespace jetscope
