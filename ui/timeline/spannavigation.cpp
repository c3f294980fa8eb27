// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/spannavigation.h"

#include "core/path/spansteps.h"

#include <algorithm>

namespace jetscope {

namespace {

std::vector<std::size_t> shownTracks(const TimelineLayout &layout)
{
    std::vector<std::size_t> tracks;
    for (const TimelineRow &row : layout.rows)
        if (row.kind == TimelineRow::Kind::Lane)
            tracks.insert(tracks.end(), row.tracks.begin(), row.tracks.end());
    return tracks;
}

std::int64_t middleOf(const TraceSpan &span)
{
    return span.startNs + span.durationNs / 2;
}

} // namespace

std::optional<SpanPlace> neighbourOf(const Trace &trace, const SpanPlace &span, int direction)
{
    if (const DistantSpans *distant = trace.distant()) {
        const auto bar = distant->barBeside(static_cast<std::uint32_t>(span.track), span.bar.span.startNs, direction);
        return bar ? std::optional(SpanPlace{span.track, *bar}) : std::nullopt;
    }
    return spanBeside(trace, span, direction);
}

std::optional<SpanPlace> nearestSpan(const Trace &trace, std::size_t track, std::int64_t ns)
{
    if (const DistantSpans *distant = trace.distant()) {
        const auto bar =
            distant->barAt(static_cast<std::uint32_t>(track), ns, std::numeric_limits<std::int64_t>::max());
        return bar ? std::optional(SpanPlace{track, *bar}) : std::nullopt;
    }
    const SpanTrack &spans = trace.tracks()[track];
    if (spans.empty())
        return std::nullopt;
    // The first span that ends after that time, or the one before it.
    std::uint64_t index = std::min(spans.range(ns, ns + 1).first, spans.endIndex() - 1);
    const TraceSpan found = spans.at(index);
    if (index > spans.firstIndex() && found.startNs > ns && ns - spans.at(index - 1).endNs() < found.startNs - ns)
        --index;
    return SpanPlace{track, {index, spans.at(index)}};
}

std::optional<SpanPlace> spanBeginning(const Trace &trace, std::int64_t startNs, std::string_view lane,
                                       std::string_view name)
{
    std::optional<SpanPlace> best;
    int bestRank = -1;
    for (std::size_t place = 0; place < trace.tracks().size(); ++place) {
        const SpanTrack &track = trace.tracks()[place];
        const std::uint64_t index = track.firstFrom(startNs);
        if (index >= track.endIndex())
            continue;
        const TraceSpan span = track.at(index);
        if (span.startNs != startNs)
            continue;
        const LaneInfo *info = trace.lane(track.lane());
        const int rank = (trace.names().text(span.name) == name ? 2 : 0) + (info && info->name == lane ? 1 : 0);
        if (rank > bestRank) {
            best = SpanPlace{place, {index, span}};
            bestRank = rank;
        }
    }
    return best;
}

std::optional<SpanPlace> spanBeyond(const Trace &trace, const TimelineLayout &layout, const SpanPlace &span,
                                    int direction)
{
    const std::vector<std::size_t> tracks = shownTracks(layout);
    const auto here = std::find(tracks.begin(), tracks.end(), span.track);
    if (here == tracks.end())
        return std::nullopt;
    const auto count = static_cast<std::ptrdiff_t>(tracks.size());
    for (std::ptrdiff_t i = here - tracks.begin() + direction; i >= 0 && i < count; i += direction)
        if (auto found = nearestSpan(trace, tracks[static_cast<std::size_t>(i)], middleOf(span.bar.span)))
            return found;
    return std::nullopt;
}

std::optional<SpanPlace> firstChoice(const Trace &trace, const TimelineLayout &layout, Interval window)
{
    const std::int64_t middle = window.startNs + (window.endNs - window.startNs) / 2;
    for (const std::size_t track : shownTracks(layout))
        if (auto found = nearestSpan(trace, track, middle))
            return found;
    return std::nullopt;
}

std::optional<Interval> newestFrameTime(const Trace &trace)
{
    constexpr std::uint64_t kMostSpans = 256; ///< Of a frame on a track, to bound the work.
    std::optional<TraceSpan> newest;
    for (const SpanTrack &track : trace.tracks()) {
        if (track.empty())
            continue;
        const TraceSpan last = track.at(track.endIndex() - 1);
        if (last.frame != kNoFrame && (!newest || last.startNs > newest->startNs))
            newest = last;
    }
    if (!newest)
        return std::nullopt;
    Interval time{newest->startNs, newest->endNs()};
    for (const SpanTrack &track : trace.tracks())
        for (std::uint64_t i = track.endIndex(); i > track.firstIndex() && track.endIndex() - i < kMostSpans; --i) {
            const TraceSpan span = track.at(i - 1);
            if (span.frame != newest->frame)
                break;
            time = {std::min(time.startNs, span.startNs), std::max(time.endNs, span.endNs())};
        }
    return time;
}

} // namespace jetscope
