// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace jetscope {

class TraceHistory;
struct Span;
struct TimeScale;

/// One line of the timeline: the overlap strip, or a lane with its nesting depths. Pixels from the top of the content.
struct TimelineRow {
    QString label;
    QString detail;
    bool overlap = false;
    bool pipeline = false;           ///< Where marks of switches and hazards are drawn.
    std::vector<std::size_t> tracks; ///< Indices of the history's tracks, outermost depth first.
    int top = 0;
    int height = 0;
};

/// Sizes in pixels that the painter and the mouse agree on.
struct TimelineMetrics {
    int labelWidth = 168;
    int rulerHeight = 24;
    int rowHeight = 38;
    int nestedHeight = 13;
    int barTop = 6;
    int barHeight = 25;
    int footerHeight = 20; ///< Numbers of the frames.
};

struct TimelineLayout {
    TimelineMetrics metrics;
    std::vector<TimelineRow> rows;
    int height = 0; ///< Of all rows.
};

TimelineLayout layoutTimeline(const TraceHistory &history, const TimelineMetrics &metrics = {});

/// Top and height of the bars of nesting depth `depth` in a row, relative to the row's top.
struct BarBand {
    int top = 0;
    int height = 0;
};
BarBand barBand(const TimelineMetrics &metrics, std::size_t depth);

/// The span under a pixel (`x` from the left end of the lanes, `y` from the top of the rows), within a pixel at its
/// ends.
std::optional<Span> spanAt(const TraceHistory &history, const TimelineLayout &layout, const TimeScale &scale, double x,
                           int y);

} // namespace jetscope
