// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/path/pathfollower.h"

#include <algorithm>

namespace jetscope {

namespace {

/// With a low frame rate, fewer frames are followed at once after this time.
constexpr std::int64_t kLongestWaitNs = 500'000'000;
/// Following more frames at once would take too long for 30 updates a second: the oldest are skipped.
constexpr std::size_t kMaxPathFrames = 512;
/// The spans of some thousand frames; the limit matters only if no figures arrive.
constexpr std::size_t kMaxPathSpans = 1 << 16;
/// No what-if result is computed for a smaller share of the path.
constexpr double kMinShare = 0.02;

} // namespace

PathFrame PathPeriods::next(const FrameFigures &figures)
{
    const bool paused = m_any && figures.startNs > m_periodEndNs;
    std::int64_t fromNs = m_any ? m_completeNs : figures.startNs;
    if (paused)
        fromNs = std::max(fromNs, figures.startNs);
    PathFrame frame{figures.frame, {fromNs, fromNs}};
    m_periodEndNs = figures.startNs + figures.periodNs();
    if (figures.frameNs > 0) {
        frame.time.endNs = std::max(fromNs, figures.startNs + figures.frameNs);
        m_completeNs = frame.time.endNs;
    } else if (!m_any || paused) {
        m_completeNs = fromNs;
    }
    m_any = true;
    return frame;
}

void PathFollower::setLanes(const std::vector<LaneInfo> &lanes)
{
    for (; m_lanes.size() < lanes.size(); m_lanes.push_back(lanes[m_lanes.size()]))
        m_rules.setLane(lanes[m_lanes.size()].id, pathLaneOf(lanes[m_lanes.size()]));
}

void PathFollower::setUncertainty(const std::vector<CounterInfo> &counters, std::span<const CounterSample> samples)
{
    for (const CounterSample &sample : samples) {
        const auto counter = std::find_if(counters.begin(), counters.end(),
                                          [&](const CounterInfo &info) { return info.id == sample.counter; });
        if (counter == counters.end() || !counter->lane || counter->unit != "ns")
            continue;
        const auto lane = std::find_if(m_lanes.begin(), m_lanes.end(),
                                       [&](const LaneInfo &info) { return info.id == *counter->lane; });
        if (lane == m_lanes.end())
            continue;
        PathLane known = pathLaneOf(*lane);
        known.slackNs = slackOf(sample.value);
        m_rules.setLane(lane->id, known);
    }
}

const PathFollower::NameKind &PathFollower::kindOf(NameId id)
{
    if (id >= m_names.size())
        m_names.resize(id + std::size_t{1});
    NameKind &kind = m_names[id];
    if (!kind.known) {
        const SpanName &name = internedName(id);
        kind.category = name.category;
        kind.scope = isWait(name.category) ? waitScopeOf(name.purpose) : WaitScope::None;
        kind.bounded = name.certainty == Certainty::Bounded;
        kind.known = true;
    }
    return kind;
}

void PathFollower::add(std::span<const Span> spans)
{
    if (m_spans.size() + spans.size() > kMaxPathSpans) {
        const std::size_t surplus = std::min(m_spans.size(), m_spans.size() + spans.size() - kMaxPathSpans);
        m_spans.erase(m_spans.begin(), m_spans.begin() + static_cast<std::ptrdiff_t>(surplus));
    }
    for (const Span &span : spans.last(std::min(spans.size(), kMaxPathSpans))) {
        const NameKind &kind = kindOf(span.name);
        m_spans.push_back({span.startNs, span.endNs(), span.frame, span.name, span.lane, span.depth, kind.category,
                           kind.scope, kind.bounded});
    }
}

void PathFollower::add(std::span<const SpanEdge> edges)
{
    if (m_edges.size() + edges.size() <= kMaxPathSpans) // Beyond that the rules are used.
        m_edges.insert(m_edges.end(), edges.begin(), edges.end());
}

void PathFollower::add(std::span<const FrameFigures> figures)
{
    for (const FrameFigures &frame : figures) {
        m_resolvedNs = frame.startNs + frame.periodNs();
        if (!frame.traced) { // Treated like a pause: the frame is not in any trace.
            m_neededNs = frame.startNs;
            continue;
        }
        const PathFrame path = m_periods.next(frame);
        if (path.time.endNs > path.time.startNs)
            m_frames.push_back(path);
    }
    while (m_frames.size() > kMaxPathFrames) {
        m_frames.pop_front();
        ++m_skipped;
    }
}

std::size_t PathFollower::due() const
{
    const auto end = std::find_if(m_frames.begin(), m_frames.end(),
                                  [this](const PathFrame &frame) { return frame.time.endNs > m_resolvedNs; });
    return static_cast<std::size_t>(end - m_frames.begin());
}

void PathFollower::take(std::vector<PathPiece> &pieces, std::vector<PathGain> &gains, bool all)
{
    for (;;) {
        const std::size_t frames = std::min(due(), kFramesAtOnce);
        if (m_frames.empty())
            discard(m_neededNs);
        if (frames == 0)
            return;
        const std::int64_t lengthNs = m_frames[frames - 1].time.endNs - m_frames.front().time.startNs;
        if (!all && frames < kFramesAtOnce && lengthNs < kLongestWaitNs)
            return;
        follow(frames, pieces, gains);
    }
}

void PathFollower::follow(std::size_t frames, std::vector<PathPiece> &pieces, std::vector<PathGain> &gains)
{
    const Interval time{m_frames.front().time.startNs, m_frames[frames - 1].time.endNs};
    m_rules.clear();
    for (std::size_t i = 0; i < frames; ++i)
        m_rules.add(m_frames[i]);
    for (const PathSpan &span : m_spans)
        if (span.startNs < time.endNs)
            m_rules.add(span);
    for (const SpanEdge &edge : m_edges)
        if (edge.toNs < time.endNs)
            m_rules.add(edge);
    m_rules.build();
    const std::size_t first = pieces.size();
    for (std::size_t i = 0; i < frames; ++i)
        m_rules.walk(i, pieces);
    for (const PathKind &kind : kindsIn({pieces.data() + first, pieces.size() - first}, kMinShare))
        gains.push_back({m_frames.front().frame, m_frames[frames - 1].frame, kind, m_rules.mostItCanBring(kind),
                         time.endNs - time.startNs});
    m_frames.erase(m_frames.begin(), m_frames.begin() + static_cast<std::ptrdiff_t>(frames));
    // A span that ended shortly before is still needed as the lane's previous work.
    discard(time.endNs - std::max<std::int64_t>(0, time.endNs - time.startNs) / static_cast<std::int64_t>(frames));
}

void PathFollower::discard(std::int64_t untilNs)
{
    std::erase_if(m_spans, [=](const PathSpan &span) { return span.endNs < untilNs; });
    if (m_edges.empty())
        return;
    std::int64_t firstNs = untilNs;
    for (const PathSpan &span : m_spans)
        firstNs = std::min(firstNs, span.startNs);
    std::erase_if(m_edges, [=](const SpanEdge &edge) { return edge.toNs < firstNs; });
}

} // namespace jetscope
