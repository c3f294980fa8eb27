// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/windowpicture.h"
#include "ui/timeline/idlelanes.h"
#include "ui/timeline/lanechoices.h"

#include <QStringList>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace jetscope {

struct TimeScale;

/// Headings that rows are grouped under.
enum class RowGroup : std::uint8_t { CpuThreads, CudaStreams, Engines, GlQueues, Tool, Counters };
inline constexpr std::array kRowGroups = {RowGroup::CpuThreads, RowGroup::CudaStreams, RowGroup::Engines,
                                          RowGroup::GlQueues,   RowGroup::Tool,        RowGroup::Counters};
RowGroup rowGroupOf(LaneRole role);
/// For display and for settings.
const char *rowGroupName(RowGroup group);

/// One row of the timeline. Pixels are from the top of the content; the overlap strip is above the content, because it
/// does not scroll.
struct TimelineRow {
    enum class Kind : std::uint8_t {
        Overlap,
        Heading,
        Lane,
        Counter,
        Idle, ///< Below the streams of a GPU: when it had nothing to do, and why.
        Note  ///< At the end: how many lanes are not shown.
    };
    Kind kind = Kind::Lane;
    RowGroup group = RowGroup::CpuThreads;
    LaneRole role = LaneRole::Tool;
    LaneId lane = 0;
    QString key;  ///< Of a lane, counter or heading; the same in every trace of a producer that has it.
    QString part; ///< Key of the heading that a lane or counter belongs to.
    QString label;
    QString detail;
    /// Indices of the trace's tracks, outermost depth first. A heading has those of its lanes while it is collapsed.
    std::vector<std::size_t> tracks;
    std::vector<std::size_t> deeper;      ///< Levels that are not shown.
    bool foldable = false;                ///< Has more levels than are shown at first.
    std::size_t counter = 0;              ///< Index of the trace's counter, for a counter row.
    std::shared_ptr<const IdleLane> idle; ///< For an idle row.
    bool collapsed = false;               ///< For a heading.
    bool pinned = false;                  ///< Above all other rows, without a heading.
    int top = 0;
    int height = 0;
};

/// Sizes in pixels, shared by painting and mouse handling.
/// The lengths of a timeline, here for the usual font.
struct TimelineMetrics {
    int labelWidth = 168;
    int rulerHeight = 24;
    int rowHeight = 36;
    int nestedHeight = 17;
    int headingHeight = 18; ///< 0: groups have no headings, and none may be collapsed.
    int barTop = 5;
    int barHeight = 25;    ///< Of a lane with one level.
    int levelHeight = 15;  ///< Of the outermost of several levels.
    int mostLevels = 7;    ///< Of a lane, unless the user wants to see all.
    int footerHeight = 20; ///< Height of the frame numbers.
};
/// How wide the names are in a timeline of a width.
int nameWidth(int width);
/// The metrics for the font that the application has.
TimelineMetrics usualMetrics();
/// The same for rows with one line of text and without headings, for timelines above each other.
TimelineMetrics compactMetrics();

struct TimelineLayout {
    TimelineMetrics metrics;
    TimelineRow overlap;
    std::vector<TimelineRow> rows;
    std::vector<TimelineRow> unseen; ///< Lanes and counters that are hidden, filtered out, or in a folded group.
    QStringList order;               ///< Keys of all lanes and counters in display order, also of those unseen.
    int hidden = 0;                  ///< Lanes and counters that the user hides,
    int filtered = 0;                ///< and others that the filter leaves out.
    int height = 0;                  ///< Height of all rows, without the overlap strip.
    int pinnedHeight = 0;            ///< Height of the pinned rows, which come first.

    const TimelineRow *rowAt(int y) const;
    const TimelineRow *rowOfTrack(std::size_t track) const;
    const TimelineRow *rowOfKey(const QString &key) const;
    int contentTop() const { return metrics.rulerHeight + overlap.height; } ///< In the viewport, unscrolled.
};

TimelineLayout layoutTimeline(const Trace &trace, const LaneChoices &choices = {}, const TimelineMetrics &metrics = {},
                              const IdleLanes::Lanes &idle = {});
/// "3 lanes hidden", "2 lanes filtered out"; empty if all are shown.
QString unseenText(const TimelineLayout &layout);

/// Top and height of the bars of nesting depth `depth` in a row with `levels`, relative to the row's top.
struct BarBand {
    int top = 0;
    int height = 0;
};
BarBand barBand(const TimelineMetrics &metrics, std::size_t depth, std::size_t levels);

/// The span of a track at a time, with a tolerance of one pixel at its ends.
std::optional<SpanPlace> spanNear(const Trace &trace, std::size_t track, const TimeScale &scale, double x);

/// The span under a pixel; in an idle lane what the CPU did (`x` from the left edge of the lanes, `y` from the top of
/// the content).
std::optional<SpanPlace> spanAt(const Trace &trace, const TimelineLayout &layout, const TimeScale &scale, double x,
                                int y);

} // namespace jetscope
