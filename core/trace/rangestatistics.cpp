// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/rangestatistics.h"

#include "core/figures/busytimesweep.h"
#include "core/trace/gradualsort.h"
#include "core/trace/search.h"
#include "core/trace/timelimits.h"
#include "core/trace/tracefigures.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace jetscope {

namespace {

/// Sorting moves a value several times, but each move is much cheaper than reading a span.
constexpr std::size_t kMovesPerSpan = 8;

/// Interpolated between closest ranks, like all figures; in whole nanoseconds, because a double is not exact enough.
std::int64_t percentileNs(const std::vector<std::int64_t> &sorted, double fraction)
{
    const double rank = fraction * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(rank);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    const double step = static_cast<double>(sorted[above] - sorted[below]) * (rank - static_cast<double>(below));
    return sorted[below] + std::llround(step);
}

NameFigures figuresOf(TraceName name, const std::vector<std::int64_t> &sorted)
{
    NameFigures figures;
    figures.name = name;
    figures.count = sorted.size();
    for (const std::int64_t duration : sorted)
        figures.totalNs = saturatingSum(figures.totalNs, duration);
    figures.minNs = sorted.front();
    figures.medianNs = percentileNs(sorted, 0.50);
    figures.p95Ns = percentileNs(sorted, 0.95);
    figures.p99Ns = percentileNs(sorted, 0.99);
    figures.maxNs = sorted.back();
    return figures;
}

std::uint64_t spansBeginning(const Trace &trace, Interval time)
{
    std::uint64_t count = 0;
    for (const SpanTrack &track : trace.tracks())
        count += track.firstFrom(time.endNs) - track.firstFrom(time.startNs);
    return count;
}

} // namespace

struct RangeStatistics::Work {
    Work(const Trace &of, Interval range);

    bool advance(std::uint64_t mostSpans);
    /// The next part of the range, in which about `mostSpans` spans begin.
    Interval nextPiece(std::uint64_t mostSpans) const;
    void lookAt(Interval piece);
    bool sortNames(std::size_t budget);
    void countFrames();
    Headroom headroomOf() const;

    const Trace &trace;
    std::int64_t atNs;  ///< Everything before is finished.
    std::int64_t endNs; ///< End of the range.
    std::uint64_t toLookAt;
    std::uint64_t lookedAt = 0;
    std::vector<std::vector<std::int64_t>> durations; ///< Unsorted durations by name.
    std::vector<GradualSort> sorted;                  ///< By name.
    std::size_t namesSorted = 0;
    RangeFigures figures;
    FrameAmounts waits; ///< By the spans: frames may reach out of the range.
    std::vector<NameFigures> names;
    std::map<LaneId, std::int64_t> otherLanesNs; ///< Busy time of the lanes outside C and G.
    bool done = false;
};

RangeStatistics::Work::Work(const Trace &of, Interval range) : trace(of)
{
    range.startNs = std::clamp(range.startNs, -kMaxTraceNs, kMaxTraceNs);
    range.endNs = std::clamp(range.endNs, range.startNs, kMaxTraceNs);
    figures.range = range;
    atNs = range.startNs;
    endNs = range.endNs;
    toLookAt = spansBeginning(trace, range);
    figures.hasGpuLanes = hasGpuSpans(trace);
}

Interval RangeStatistics::Work::nextPiece(std::uint64_t mostSpans) const
{
    const auto length = static_cast<std::uint64_t>(endNs - atNs);
    const std::uint64_t offset = partitionIndex(1, length, [&](std::uint64_t ns) {
        return spansBeginning(trace, {atNs, atNs + static_cast<std::int64_t>(ns)}) < mostSpans;
    });
    return {atNs, atNs + static_cast<std::int64_t>(offset)};
}

void RangeStatistics::Work::lookAt(Interval piece)
{
    BusyTimeSweep work(piece);
    durations.resize(std::max(durations.size(), trace.names().size()));
    for (const SpanTrack &track : trace.tracks()) {
        const LaneInfo *lane = trace.lane(track.lane());
        const auto [first, last] = track.range(piece.startNs, piece.endNs);
        for (std::uint64_t index = first; index < last; ++index) {
            const TraceSpan span = track.at(index);
            const bool begins = span.startNs >= piece.startNs;
            if (begins)
                durations[span.name].push_back(span.durationNs);
            if (begins || piece.startNs == figures.range.startNs)
                ++figures.spans;
            if (lane)
                work.add(lane->id, lane->role, track.depth(), trace.names().category(span.name),
                         {span.startNs, span.endNs()}, trace.names().certainty(span.name));
            ++lookedAt;
        }
    }
    figures.overlap += work.overlap();
    for (const LaneBusy &lane : work.lanesBusy())
        if (!BusyTimeSweep::counts(lane.role))
            otherLanesNs[lane.lane] += lane.busyNs;
    work.waits().addTo(waits);
    atNs = piece.endNs;
}

void RangeStatistics::Work::countFrames()
{
    const FrameTable &frames = trace.frames();
    const auto [first, last] = frames.range(figures.range.startNs, figures.range.endNs);
    figures.frames = last - first;
    const bool firstBegins = first < last && frames.at(first).startNs >= figures.range.startNs;
    static_cast<FrameAmounts &>(figures) = frames.sum(firstBegins ? first : std::min(first + 1, last), last).amounts();
    figures.waitSyncNs = waits.waitSyncNs;
    figures.waitMemoryNs = waits.waitMemoryNs;
    figures.waitSlotNs = waits.waitSlotNs;
    figures.waitInputNs = waits.waitInputNs;
}

Headroom RangeStatistics::Work::headroomOf() const
{
    Headroom headroom;
    headroom.overlap = figures.overlap;
    headroom.sourceNs = sourceTimeIn(trace, figures.range);
    for (const auto &[lane, busyNs] : otherLanesNs)
        if (busyNs > headroom.laneNs) {
            headroom.laneNs = busyNs;
            headroom.lane = "the lane " + trace.lane(lane)->name;
        }
    return headroom;
}

bool RangeStatistics::Work::sortNames(std::size_t budget)
{
    for (; namesSorted < durations.size(); ++namesSorted) {
        if (sorted.size() == namesSorted)
            sorted.emplace_back(std::exchange(durations[namesSorted], {}));
        if (budget == 0 || !sorted.back().advance(budget))
            return false;
        if (!sorted.back().values().empty())
            names.push_back(figuresOf(static_cast<TraceName>(namesSorted), sorted.back().values()));
    }
    return true;
}

bool RangeStatistics::Work::advance(std::uint64_t mostSpans)
{
    mostSpans = std::max<std::uint64_t>(mostSpans, 1);
    if (done)
        return true;
    if (atNs < endNs) {
        lookAt(nextPiece(mostSpans));
        return false;
    }
    if (!sortNames(static_cast<std::size_t>(mostSpans) * kMovesPerSpan))
        return false;
    std::stable_sort(names.begin(), names.end(),
                     [](const NameFigures &a, const NameFigures &b) { return a.totalNs > b.totalNs; });
    countFrames();
    figures.headroom = headroomOf();
    done = true;
    return true;
}

RangeStatistics::RangeStatistics(const Trace &trace, Interval range) : m_work(std::make_unique<Work>(trace, range)) {}
RangeStatistics::~RangeStatistics() = default;

bool RangeStatistics::advance(std::uint64_t mostSpans)
{
    return m_work->advance(mostSpans);
}

bool RangeStatistics::done() const
{
    return m_work->done;
}

double RangeStatistics::progress() const
{
    if (m_work->done)
        return 1;
    const auto part = [](std::uint64_t made, std::uint64_t all) {
        return all == 0 ? 0.0 : std::min(1.0, static_cast<double>(made) / static_cast<double>(all));
    };
    return 0.7 * part(m_work->lookedAt, m_work->toLookAt) + 0.3 * part(m_work->namesSorted, m_work->durations.size());
}

const RangeFigures &RangeStatistics::figures() const
{
    return m_work->figures;
}

const std::vector<NameFigures> &RangeStatistics::names() const
{
    return m_work->names;
}

DurationHistogram RangeStatistics::histogram(TraceName name, std::size_t bins) const
{
    DurationHistogram histogram;
    histogram.bins.resize(bins);
    if (bins == 0 || name >= m_work->sorted.size() || m_work->sorted[name].values().empty())
        return histogram;
    const std::vector<std::int64_t> &values = m_work->sorted[name].values();
    // The axis is logarithmic: durations of 0 are counted in the first bin.
    histogram.fromNs = std::max<std::int64_t>(1, values.front());
    const double upper = static_cast<double>(std::max<std::int64_t>(1, values.back())) + 1;
    histogram.ratio = std::pow(upper / static_cast<double>(histogram.fromNs), 1 / static_cast<double>(bins));
    auto from = values.begin();
    for (std::size_t bin = 0; bin < bins; ++bin) {
        const double edge =
            static_cast<double>(histogram.fromNs) * std::pow(histogram.ratio, static_cast<double>(bin + 1));
        const auto to = bin + 1 == bins
            ? values.end()
            : std::lower_bound(from, values.end(), edge,
                               [](std::int64_t value, double end) { return static_cast<double>(value) < end; });
        histogram.bins[bin] = static_cast<std::uint64_t>(to - from);
        from = to;
    }
    return histogram;
}

} // namespace jetscope
