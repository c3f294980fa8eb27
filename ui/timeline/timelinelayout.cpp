// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timelinelayout.h"

#include "ui/style/text.h"
#include "ui/timeline/timescale.h"

#include <QCoreApplication>

#include <algorithm>

namespace jetscope {

namespace {

QString laneText(const char *text)
{
    return QCoreApplication::translate("jetscope::Timeline", text);
}

std::size_t placeOf(RowGroup group)
{
    return static_cast<std::size_t>(group);
}

/// Rows of the lanes of one group, each with its depths.
std::vector<TimelineRow> laneRows(const Trace &trace, RowGroup group, const TimelineMetrics &metrics)
{
    std::vector<TimelineRow> rows;
    std::optional<LaneId> previous;
    const auto &tracks = trace.tracks();
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        const LaneInfo *info = trace.lane(tracks[i].lane());
        const LaneRole role = info ? info->role : LaneRole::Tool;
        if (rowGroupOf(role) != group)
            continue;
        if (previous != tracks[i].lane()) {
            previous = tracks[i].lane();
            TimelineRow row;
            row.group = group;
            row.role = role;
            row.lane = tracks[i].lane();
            row.label = info ? toQString(info->name) : laneText("Unknown lane");
            row.detail = info ? toQString(info->detail) : QString();
            rows.push_back(row);
        }
        rows.back().tracks.push_back(i);
    }
    for (TimelineRow &row : rows)
        row.height = metrics.rowHeight + std::max(0, static_cast<int>(row.tracks.size()) - 1) * metrics.nestedHeight;
    return rows;
}

std::vector<TimelineRow> counterRows(const Trace &trace, const TimelineMetrics &metrics)
{
    std::vector<TimelineRow> rows;
    for (std::size_t i = 0; i < trace.counters().size(); ++i) {
        const CounterInfo &info = trace.counters()[i].info();
        if (isUncertainty(info))
            continue;
        TimelineRow row;
        row.kind = TimelineRow::Kind::Counter;
        row.group = RowGroup::Counters;
        row.label = toQString(info.name);
        row.detail = toQString(info.unit);
        row.counter = i;
        row.height = metrics.rowHeight;
        rows.push_back(row);
    }
    return rows;
}

/// In a trace that another program made, nothing is Jetscope's.
QString headingText(RowGroup group, const TraceOrigin &origin)
{
    switch (group) {
    case RowGroup::CpuThreads:
        return laneText("CPU threads");
    case RowGroup::CudaStreams:
        return laneText("CUDA streams");
    case RowGroup::Engines:
        return laneText("Engines");
    case RowGroup::GlQueues:
        return laneText("GL queues");
    case RowGroup::Tool:
        return origin.file.empty() || origin.program.starts_with("Jetscope") ? laneText("Jetscope itself")
                                                                             : laneText("Other lanes");
    case RowGroup::Counters:
        return laneText("Counters");
    }
    return {};
}

TimelineRow headingOf(RowGroup group, const QString &text, const std::vector<TimelineRow> &rows, bool collapsed,
                      const TimelineMetrics &metrics)
{
    TimelineRow heading;
    heading.kind = TimelineRow::Kind::Heading;
    heading.group = group;
    heading.label = text;
    heading.collapsed = collapsed;
    heading.height = metrics.headingHeight;
    if (collapsed)
        for (const TimelineRow &row : rows)
            if (!row.tracks.empty())
                heading.tracks.push_back(row.tracks.front());
    return heading;
}

TimelineRow overlapRow(const TimelineMetrics &metrics)
{
    TimelineRow row;
    row.kind = TimelineRow::Kind::Overlap;
    row.label = laneText("Overlap");
    row.detail = laneText("CPU only · both · GPU only");
    row.height = metrics.rowHeight;
    return row;
}

/// Moves the pinned rows from `rows` to `above`.
void takePinned(std::vector<TimelineRow> &rows, const QStringList &pinned, std::vector<TimelineRow> &above)
{
    std::vector<TimelineRow> others;
    for (TimelineRow &row : rows) {
        row.pinned = pinned.contains(pinNameOf(row));
        (row.pinned ? above : others).push_back(std::move(row));
    }
    rows = std::move(others);
}

} // namespace

RowGroup rowGroupOf(LaneRole role)
{
    switch (role) {
    case LaneRole::DeviceStream:
        return RowGroup::CudaStreams;
    case LaneRole::Engine:
        return RowGroup::Engines;
    case LaneRole::GlQueue:
        return RowGroup::GlQueues;
    case LaneRole::Tool:
        return RowGroup::Tool;
    case LaneRole::Capture:
    case LaneRole::Pipeline:
    case LaneRole::CpuStage:
    case LaneRole::View:
        break;
    }
    return RowGroup::CpuThreads;
}

const char *rowGroupName(RowGroup group)
{
    static constexpr std::array kNames = {"cpu", "cuda", "engines", "gl", "tool", "counters"};
    return kNames[placeOf(group)];
}

bool isUncertainty(const CounterInfo &counter)
{
    return counter.lane.has_value() && counter.unit == "ns";
}

TimelineMetrics compactMetrics()
{
    TimelineMetrics metrics;
    metrics.rulerHeight = 20;
    metrics.rowHeight = 20;
    metrics.nestedHeight = 10;
    metrics.headingHeight = 0;
    metrics.barTop = 2;
    metrics.barHeight = 15;
    metrics.footerHeight = 17;
    return metrics;
}

BarBand barBand(const TimelineMetrics &metrics, std::size_t depth)
{
    if (depth == 0)
        return {metrics.barTop, metrics.barHeight};
    const int nested = static_cast<int>(depth) - 1;
    return {metrics.barTop + metrics.barHeight + 2 + nested * metrics.nestedHeight, metrics.nestedHeight - 2};
}

QString pinNameOf(const TimelineRow &row)
{
    return QLatin1String(rowGroupName(row.group)) + u'/' + row.label;
}

TimelineLayout layoutTimeline(const Trace &trace, const CollapsedGroups &collapsed, const QStringList &pinned,
                              const TimelineMetrics &metrics)
{
    TimelineLayout layout;
    layout.metrics = metrics;
    layout.overlap = overlapRow(metrics);
    std::vector<TimelineRow> above;
    for (const RowGroup group : kRowGroups) {
        std::vector<TimelineRow> rows =
            group == RowGroup::Counters ? counterRows(trace, metrics) : laneRows(trace, group, metrics);
        takePinned(rows, pinned, above);
        if (rows.empty())
            continue;
        const bool closed = collapsed[placeOf(group)];
        if (metrics.headingHeight > 0)
            layout.rows.push_back(headingOf(group, headingText(group, trace.origin()), rows, closed, metrics));
        if (!closed)
            layout.rows.insert(layout.rows.end(), std::make_move_iterator(rows.begin()),
                               std::make_move_iterator(rows.end()));
    }
    std::stable_sort(above.begin(), above.end(), [&pinned](const TimelineRow &a, const TimelineRow &b) {
        return pinned.indexOf(pinNameOf(a)) < pinned.indexOf(pinNameOf(b));
    });
    layout.rows.insert(layout.rows.begin(), std::make_move_iterator(above.begin()),
                       std::make_move_iterator(above.end()));
    for (TimelineRow &row : layout.rows) {
        row.top = layout.height;
        layout.height += row.height;
        layout.pinnedHeight += row.pinned ? row.height : 0;
    }
    return layout;
}

const TimelineRow *TimelineLayout::rowAt(int y) const
{
    const auto found = std::find_if(rows.begin(), rows.end(),
                                    [y](const TimelineRow &r) { return y >= r.top && y < r.top + r.height; });
    return found == rows.end() ? nullptr : &*found;
}

const TimelineRow *TimelineLayout::rowOfTrack(std::size_t track) const
{
    const auto found = std::find_if(rows.begin(), rows.end(), [track](const TimelineRow &row) {
        return std::find(row.tracks.begin(), row.tracks.end(), track) != row.tracks.end();
    });
    return found == rows.end() ? nullptr : &*found;
}

std::optional<SpanPlace> spanNear(const Trace &trace, std::size_t track, const TimeScale &scale, double x)
{
    const SpanTrack &spans = trace.tracks()[track];
    const auto exact = spans.range(timeAt(scale, x), timeAt(scale, x) + 1);
    const auto [first, last] =
        exact.first < exact.second ? exact : spans.range(timeAt(scale, x - 1), timeAt(scale, x + 1) + 1);
    if (first >= last)
        return std::nullopt;
    return SpanPlace{track, {first, spans.at(first)}};
}

std::optional<SpanPlace> spanAt(const Trace &trace, const TimelineLayout &layout, const TimeScale &scale, double x,
                                int y)
{
    const TimelineRow *row = layout.rowAt(y);
    if (!row || row->kind != TimelineRow::Kind::Lane)
        return std::nullopt;
    for (std::size_t depth = 0; depth < row->tracks.size(); ++depth) {
        const BarBand band = barBand(layout.metrics, depth);
        if (y >= row->top + band.top && y < row->top + band.top + band.height)
            return spanNear(trace, row->tracks[depth], scale, x);
    }
    return std::nullopt;
}

} // namespace jetscope
