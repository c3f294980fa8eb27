// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/coarsespans.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace jetscope {

namespace {

/// Shares a busy time out to the columns that a stretch covers. Positions are in columns.
void shareOut(double from, double end, double busyNs, TraceName name, std::vector<TraceColumn> &columns)
{
    const double first = std::max(from, 0.0);
    const double last = std::min(end, static_cast<double>(columns.size()));
    if (!(first < last))
        return;
    for (auto x = static_cast<std::size_t>(first); x < columns.size() && static_cast<double>(x) < last; ++x) {
        const double at = static_cast<double>(x);
        const double part = std::min(last, at + 1) - std::max(first, at);
        TraceColumn &column = columns[x];
        const std::int64_t ns = std::max<std::int64_t>(1, std::llround(busyNs * part / (end - from)));
        column.busyNs += ns;
        if (ns > column.longestNs) {
            column.longestNs = ns;
            column.longest = name;
        }
    }
}

} // namespace

CoarseSpans coarseSpans(const std::vector<Span> &spans, const ColumnWindow &window)
{
    std::map<std::pair<LaneId, std::uint8_t>, std::vector<TraceSpan>> byTrack;
    for (const Span &span : spans)
        byTrack[{span.lane, span.depth}].push_back(
            {span.startNs, span.durationNs, span.bytes, span.frame, TraceName{span.name}});
    CoarseSpans coarse{window, {}};
    for (auto &[place, own] : byTrack) {
        std::ranges::stable_sort(own, {}, &TraceSpan::startNs);
        SpanTrack track(place.first, place.second);
        for (const TraceSpan &span : own)
            track.append(span);
        track.query(window, coarse.tracks[place]);
    }
    return coarse;
}

void addCoarse(const TrackPicture &known, const ColumnWindow &from, const ColumnWindow &to,
               std::vector<TraceColumn> &columns)
{
    const double fromNs = static_cast<double>(from.startNs);
    const double toNs = static_cast<double>(to.startNs);
    if (fromNs >= toNs + to.nsPerColumn * to.count || toNs >= fromNs + from.nsPerColumn * from.count)
        return;
    columns.resize(static_cast<std::size_t>(to.count));
    const auto place = [&to](std::int64_t ns) { return static_cast<double>(ns - to.startNs) / to.nsPerColumn; };
    const double start = place(from.startNs);
    const double width = from.nsPerColumn / to.nsPerColumn;
    for (std::size_t x = 0; x < known.columns.size(); ++x)
        if (const TraceColumn &column = known.columns[x]; column.count > 0 || column.busyNs > 0) {
            const double left = start + static_cast<double>(x) * width;
            shareOut(left, left + width, static_cast<double>(column.busyNs), column.longest, columns);
        }
    for (const TraceBar &bar : known.bars)
        shareOut(place(bar.span.startNs), place(bar.span.endNs()), static_cast<double>(bar.span.durationNs),
                 bar.span.name, columns);
}

bool CoarseStore::add(CoarseSpans coarse, Trace &trace)
{
    constexpr std::size_t kMostColumns = std::size_t{1} << 21U;
    const auto nameOf = [&trace](TraceName id) { return trace.names().fromProcess(static_cast<NameId>(id)); };
    ++m_version;
    for (auto &[place, picture] : coarse.tracks) {
        trace.addTrack(place.first, place.second);
        for (TraceColumn &column : picture.columns)
            if (column.count > 0 || column.busyNs > 0)
                column.longest = nameOf(column.longest);
        for (TraceBar &bar : picture.bars)
            bar.span.name = nameOf(bar.span.name);
    }
    m_columns += coarse.columns();
    CoarseSpans &known = m_all[coarse.window.startNs];
    m_columns -= known.columns();
    known = std::move(coarse);
    if (m_columns <= kMostColumns)
        return true;
    clear();
    return false;
}

void CoarseStore::keepWithin(const Intervals &missing)
{
    const std::size_t gone = std::erase_if(m_all, [&](const auto &each) {
        const auto after = std::ranges::upper_bound(missing, each.first, {}, &Interval::startNs);
        const bool isMissing = after != missing.begin() && each.first < std::prev(after)->endNs;
        m_columns -= isMissing ? 0 : each.second.columns();
        return !isMissing;
    });
    m_version += gone > 0 ? 1 : 0;
}

void CoarseStore::clear()
{
    m_all.clear();
    m_columns = 0;
    ++m_version;
}

} // namespace jetscope
