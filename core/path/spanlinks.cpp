// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/path/spanlinks.h"

#include "core/path/tracepaths.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace jetscope {

namespace {

constexpr int kSteps = 2;
constexpr std::size_t kMaxSpanLinks = 64;
constexpr std::uint64_t kMaxSpansPerTrack = 512;
constexpr std::uint64_t kMaxSpansAround = 1 << 14;
/// Work that a frame submitted has ended after this many periods, even with the maximum of frames in flight.
constexpr std::int64_t kPeriodsAround = 5;
constexpr std::int64_t kAroundNs = 20'000'000; ///< For a span without a frame.

/// The innermost span of a lane that begins at this time.
std::optional<SpanPlace> spanBeginning(const Trace &trace, LaneId lane, std::int64_t startNs)
{
    std::optional<SpanPlace> found;
    for (std::size_t place = 0; place < trace.tracks().size(); ++place) {
        const SpanTrack &track = trace.tracks()[place];
        if (track.lane() != lane)
            continue;
        const std::uint64_t index = track.firstFrom(startNs);
        if (index < track.endIndex() && track.at(index).startNs == startNs)
            found = SpanPlace{place, {index, track.at(index)}};
    }
    return found;
}

std::optional<SpanPlace> spanAt(const Trace &trace, const PathSpan &span)
{
    for (std::size_t place = 0; place < trace.tracks().size(); ++place) {
        const SpanTrack &track = trace.tracks()[place];
        if (track.lane() != span.lane || track.depth() != span.depth)
            continue;
        const std::uint64_t index = track.firstFrom(span.startNs);
        if (index < track.endIndex() && track.at(index).startNs == span.startNs)
            return SpanPlace{place, {index, track.at(index)}};
    }
    return std::nullopt;
}

bool isSame(const SpanPlace &a, const SpanPlace &b)
{
    return a.track == b.track && a.bar.index == b.bar.index;
}

/// Follows links from one span, step by step. `linksOf` returns the links of a span in the direction of the walk.
template <class LinksOf, class FarEnd>
void walk(const SpanPlace &start, std::vector<SpanLink> &links, LinksOf linksOf, FarEnd farEnd)
{
    std::vector<SpanPlace> here{start};
    for (int step = 0; step < kSteps; ++step) {
        std::vector<SpanPlace> next;
        for (const SpanPlace &span : here)
            for (const SpanLink &link : linksOf(span)) {
                const bool isKnown = std::any_of(links.begin(), links.end(), [&](const SpanLink &known) {
                    return isSame(known.from, link.from) && isSame(known.to, link.to);
                });
                if (isKnown || links.size() >= kMaxSpanLinks)
                    continue;
                links.push_back(link);
                next.push_back(farEnd(link));
            }
        here = std::move(next);
    }
}

bool isWaitSpan(const Trace &trace, const SpanPlace &span)
{
    return isWait(trace.names().category(span.bar.span.name));
}

/// Links from recorded edges.
std::vector<SpanLink> recorded(const Trace &trace, const std::vector<SpanEdge> &edges)
{
    std::vector<SpanLink> links;
    for (const SpanEdge &edge : edges) {
        const auto from = spanBeginning(trace, edge.fromLane, edge.fromNs);
        const auto to = spanBeginning(trace, edge.toLane, edge.toNs);
        if (from && to && !isSame(*from, *to))
            links.push_back({*from, *to, isWaitSpan(trace, *to)});
    }
    return links;
}

std::vector<SpanLink> recordedTo(const Trace &trace, const SpanPlace &span)
{
    return recorded(trace, trace.edgesTo(trace.tracks()[span.track].lane(), span.bar.span.startNs));
}

std::vector<SpanLink> recordedFrom(const Trace &trace, const SpanPlace &span)
{
    return recorded(trace, trace.edgesFrom(trace.tracks()[span.track].lane(), span.bar.span.startNs));
}

/// The time range that contains the work related to a span.
Interval timeAround(const Trace &trace, const TraceSpan &span)
{
    Interval time{span.startNs - kAroundNs, span.endNs() + kAroundNs};
    const auto frame = span.frame == kNoFrame ? std::nullopt : trace.frames().find(span.frame);
    if (frame) {
        const FrameFigures figures = trace.frames().at(*frame);
        time.startNs = std::min(span.startNs - 1, figures.startNs - figures.periodNs());
        time.endNs = std::max(span.endNs() + 1, figures.startNs + kPeriodsAround * figures.periodNs());
    }
    return time;
}

/// Links by the rules of the critical path, from all spans around.
std::vector<SpanLink> ruledLinks(const Trace &trace, const SpanPlace &span)
{
    TraceRules rules(trace);
    const Interval tight{span.bar.span.startNs - 1, span.bar.span.endNs() + 1};
    if (!rules.load(timeAround(trace, span.bar.span), kMaxSpansPerTrack, kMaxSpansAround)
        && !rules.load(tight, kMaxSpansPerTrack, kMaxSpansAround))
        return {};
    rules.rules().build();
    std::vector<SpanLink> all;
    for (const PathRules::Link &link : rules.rules().links()) {
        const auto from = spanAt(trace, link.from);
        const auto to = spanAt(trace, link.to);
        if (from && to)
            all.push_back({*from, *to, isWaitSpan(trace, *to)});
    }
    return all;
}

constexpr std::size_t kMaxEdgesWithin = 20'000;
constexpr std::uint64_t kMaxSpansWithin = 1 << 13;

/// Finds spans by lane and start in about the time of one search.
class SpanFinder {
public:
    explicit SpanFinder(const Trace &trace) : m_trace(trace)
    {
        for (std::size_t place = 0; place < trace.tracks().size(); ++place) {
            const auto lane = static_cast<std::size_t>(trace.tracks()[place].lane());
            if (lane >= m_tracks.size())
                m_tracks.resize(lane + 1);
            m_tracks[lane].push_back(place);
        }
    }

    /// The innermost span of a lane that begins at this time.
    std::optional<SpanPlace> at(LaneId lane, std::int64_t startNs) const
    {
        std::optional<SpanPlace> found;
        if (lane >= m_tracks.size())
            return found;
        for (const std::size_t place : m_tracks[lane]) {
            const SpanTrack &track = m_trace.tracks()[place];
            const std::uint64_t index = track.firstFrom(startNs);
            if (index >= track.endIndex())
                continue;
            if (const TraceSpan span = track.at(index); span.startNs == startNs)
                found = SpanPlace{place, {index, span}};
        }
        return found;
    }

private:
    const Trace &m_trace;
    std::vector<std::vector<std::size_t>> m_tracks; ///< By lane.
};

/// Keeps the links to the longest spans.
void keepLongest(std::vector<SpanLink> &links, std::size_t most)
{
    const auto length = [](const SpanLink &link) { return link.to.bar.span.durationNs; };
    if (links.size() > most) {
        std::nth_element(links.begin(), links.begin() + static_cast<std::ptrdiff_t>(most), links.end(),
                         [&](const SpanLink &a, const SpanLink &b) { return length(a) > length(b); });
        links.resize(most);
    }
    std::sort(links.begin(), links.end(),
              [](const SpanLink &a, const SpanLink &b) { return a.to.bar.span.startNs < b.to.bar.span.startNs; });
}

/// Adds the links of the critical path's rules; where edges are recorded, only those to waits without one.
bool addRuled(const Trace &trace, Interval time, std::int64_t atLeastNs, std::vector<SpanLink> &links)
{
    TraceRules rules(trace);
    if (!rules.load(time, kMaxSpansWithin, kMaxSpansWithin))
        return false;
    rules.rules().build();
    for (const PathRules::Link &link : rules.rules().links()) {
        const bool isLong = link.to.endNs - link.to.startNs >= atLeastNs;
        const auto to = isLong && link.to.startNs >= time.startNs ? spanAt(trace, link.to) : std::nullopt;
        const auto from = to ? spanAt(trace, link.from) : std::nullopt;
        if (!from || !to)
            continue;
        const bool wait = isWaitSpan(trace, *to);
        if (trace.edges().empty() || (wait && recordedTo(trace, *to).empty()))
            links.push_back({*from, *to, wait});
    }
    return true;
}

} // namespace

TimeLinks linksWithin(const Trace &trace, Interval time, std::int64_t atLeastNs, std::size_t most)
{
    TimeLinks found;
    const std::span<const SpanEdge> edges = trace.edges(time);
    found.complete = edges.size() <= kMaxEdgesWithin;
    const SpanFinder finder(trace);
    for (const SpanEdge &edge : edges.first(std::min(edges.size(), kMaxEdgesWithin))) {
        const auto to = finder.at(edge.toLane, edge.toNs);
        if (!to || to->bar.span.durationNs < atLeastNs)
            continue;
        if (const auto from = finder.at(edge.fromLane, edge.fromNs); from && !isSame(*from, *to))
            found.links.push_back({*from, *to, isWaitSpan(trace, *to)});
    }
    found.complete = addRuled(trace, time, atLeastNs, found.links) && found.complete;
    found.found = found.links.size();
    keepLongest(found.links, most);
    return found;
}

std::vector<SpanLink> linksAround(const Trace &trace, const SpanPlace &span)
{
    std::vector<SpanLink> ruled = ruledLinks(trace, span);
    if (!trace.edges().empty()) // A producer that records launches records all of them.
        std::erase_if(ruled, [](const SpanLink &link) { return !link.endsWait; });
    const auto before = [&](const SpanPlace &of) {
        std::vector<SpanLink> found = recordedTo(trace, of);
        if (found.empty())
            std::copy_if(ruled.begin(), ruled.end(), std::back_inserter(found),
                         [&](const SpanLink &link) { return isSame(link.to, of); });
        return found;
    };
    const auto after = [&](const SpanPlace &of) {
        std::vector<SpanLink> found = recordedFrom(trace, of);
        std::copy_if(ruled.begin(), ruled.end(), std::back_inserter(found),
                     [&](const SpanLink &link) { return isSame(link.from, of) && recordedTo(trace, link.to).empty(); });
        return found;
    };
    std::vector<SpanLink> links;
    walk(span, links, before, [](const SpanLink &link) { return link.from; });
    walk(span, links, after, [](const SpanLink &link) { return link.to; });
    return links;
}

} // namespace jetscope
