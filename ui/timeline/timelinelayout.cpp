// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timelinelayout.h"

#include "ui/text.h"
#include "ui/timeline/timescale.h"
#include "ui/timeline/tracehistory.h"

#include <QCoreApplication>

#include <algorithm>

namespace jetscope {

BarBand barBand(const TimelineMetrics &metrics, std::size_t depth)
{
    if (depth == 0)
        return {metrics.barTop, metrics.barHeight};
    const int nested = static_cast<int>(depth) - 1;
    return {metrics.barTop + metrics.barHeight + 2 + nested * metrics.nestedHeight, metrics.nestedHeight - 2};
}

TimelineLayout layoutTimeline(const TraceHistory &history, const TimelineMetrics &metrics)
{
    TimelineLayout layout;
    layout.metrics = metrics;
    TimelineRow strip;
    strip.label = QCoreApplication::translate("jetscope::Timeline", "Overlap");
    strip.detail = QCoreApplication::translate("jetscope::Timeline", "both CPU / GPU");
    strip.overlap = true;
    layout.rows.push_back(strip);

    std::optional<LaneId> previous;
    const auto &tracks = history.tracks();
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        if (previous != tracks[i].lane) {
            previous = tracks[i].lane;
            TimelineRow row;
            if (const LaneInfo *info = history.lane(tracks[i].lane)) {
                row.label = toQString(info->name);
                row.detail = toQString(info->detail);
                row.pipeline = info->role == LaneRole::Pipeline;
            }
            layout.rows.push_back(row);
        }
        layout.rows.back().tracks.push_back(i);
    }
    for (TimelineRow &row : layout.rows) {
        const int nested = std::max(0, static_cast<int>(row.tracks.size()) - 1);
        row.top = layout.height;
        row.height = metrics.rowHeight + nested * metrics.nestedHeight;
        layout.height += row.height;
    }
    return layout;
}

std::optional<Span> spanAt(const TraceHistory &history, const TimelineLayout &layout, const TimeScale &scale, double x,
                           int y)
{
    for (const TimelineRow &row : layout.rows) {
        if (y < row.top || y >= row.top + row.height)
            continue;
        for (std::size_t depth = 0; depth < row.tracks.size(); ++depth) {
            const BarBand band = barBand(layout.metrics, depth);
            if (y < row.top + band.top || y >= row.top + band.top + band.height)
                continue;
            const Track &track = history.tracks()[row.tracks[depth]];
            const auto [first, last] = track.range(timeAt(scale, x - 1), timeAt(scale, x + 1) + 1);
            if (first < last)
                return track.spans[first];
        }
    }
    return std::nullopt;
}

} // namespace jetscope
