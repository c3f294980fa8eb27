// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/path/tracepaths.h"

#include "core/path/pathfollower.h"
#include "core/path/workkind.h"
#include "core/trace/tracefigures.h"

#include <algorithm>
#include <limits>

namespace jetscope {

namespace {

/// Number of earlier frames that are searched for a known completion.
constexpr std::uint64_t kMaxBefore = 16;
constexpr std::uint64_t kFramesAtOnce = 64;
constexpr double kMinShareAsked = 0.02;
/// More than the maximum of frames in flight.
constexpr std::uint64_t kFramesBefore = 8;

} // namespace

/// Sets the lanes with their timing uncertainty at a time.
void TraceRules::setLanes(std::int64_t ns)
{
    for (const LaneInfo &info : m_trace.lanes())
        m_rules.setLane(info.id, pathLaneOf(info));
    for (const CounterTrack &counter : m_trace.counters()) {
        const LaneInfo *info = counter.info().lane ? m_trace.lane(*counter.info().lane) : nullptr;
        if (!info || counter.info().unit != "ns")
            continue;
        PathLane lane = pathLaneOf(*info);
        lane.slackNs = slackOf(counter.valueAt(ns).value_or(0));
        m_rules.setLane(info->id, lane);
    }
}

const TraceRules::NameKind &TraceRules::kindOf(TraceName name)
{
    const auto [found, isNew] = m_names.try_emplace(name);
    if (isNew) {
        const SpanName &known = m_trace.names().at(name);
        found->second = {known.category, isWait(known.category) ? waitScopeOf(known.purpose) : WaitScope::None,
                         known.certainty == Certainty::Bounded};
    }
    return found->second;
}

bool TraceRules::load(Interval time, std::uint64_t mostPerTrack, std::uint64_t most)
{
    setLanes(time.endNs);
    m_rules.clear();
    std::uint64_t spans = 0;
    std::int64_t oldestNs = time.startNs;
    for (const SpanTrack &track : m_trace.tracks()) {
        const auto [first, last] = track.range(time.startNs, time.endNs);
        spans += std::min(last - first, mostPerTrack);
    }
    if (spans > most)
        return false;
    for (const SpanTrack &track : m_trace.tracks()) {
        auto [first, last] = track.range(time.startNs, time.endNs);
        if (last - first > mostPerTrack)
            first = last - mostPerTrack;
        else if (first > track.firstIndex() && first > 0)
            --first; // The lane's previous work.
        for (std::uint64_t index = first; index < last; ++index) {
            const TraceSpan span = track.at(index);
            const NameKind &kind = kindOf(span.name);
            oldestNs = std::min(oldestNs, span.startNs);
            m_rules.add(PathSpan{span.startNs, span.endNs(), span.frame, span.name, track.lane(), track.depth(),
                                 kind.category, kind.scope, kind.bounded});
        }
    }
    for (const SpanEdge &edge : m_trace.edges({oldestNs, time.endNs}))
        m_rules.add(edge);
    return true;
}

PathFrame TracePaths::frameAt(std::uint64_t index) const
{
    const FrameTable &table = m_trace.frames();
    PathPeriods periods;
    PathFrame frame;
    for (std::uint64_t i = index - std::min(index - table.firstIndex(), kMaxBefore); i <= index; ++i)
        frame = periods.next(table.at(i));
    return frame;
}

void TracePaths::follow(std::uint64_t first, std::uint64_t last, std::vector<PathPiece> &pieces,
                        std::vector<PathGain> *gains)
{
    const FrameTable &table = m_trace.frames();
    first = std::max(first, table.firstIndex());
    last = std::min(last, table.endIndex());
    if (first >= last)
        return;
    PathPeriods periods;
    for (std::uint64_t i = first - std::min(first - table.firstIndex(), kMaxBefore); i < first; ++i)
        periods.next(table.at(i));
    std::vector<PathFrame> frames;
    for (std::uint64_t i = first; i < last; ++i) {
        const PathFrame frame = periods.next(table.at(i));
        if (frame.time.endNs > frame.time.startNs)
            frames.push_back(frame);
        if (frames.size() >= kFramesAtOnce || (i + 1 == last && !frames.empty())) {
            followTogether(frames, pieces, gains);
            frames.clear();
        }
    }
}

/// In a trace that is not of our pipeline: it only says that the frame lasted, and within it nothing was recorded.
bool TracePaths::isRangeOfAFrame(const PathPiece &piece) const
{
    const LaneInfo *const lane = piece.cause == PathCause::Tool ? m_trace.lane(piece.lane) : nullptr;
    return lane && isWorkLane(lane->role) && !m_trace.origin().config;
}

void TracePaths::followTogether(const std::vector<PathFrame> &frames, std::vector<PathPiece> &pieces,
                                std::vector<PathGain> *gains)
{
    const Interval time{frames.front().time.startNs, frames.back().time.endNs};
    if (!m_rules.load(time, std::numeric_limits<std::uint64_t>::max(), m_mostSpans)) {
        if (frames.size() == 1) {
            pieces.push_back({time.startNs, time.endNs, frames.front().frame});
            return;
        }
        const auto middle = frames.begin() + static_cast<std::ptrdiff_t>(frames.size() / 2);
        followTogether({frames.begin(), middle}, pieces, gains);
        followTogether({middle, frames.end()}, pieces, gains);
        return;
    }
    PathRules &rules = m_rules.rules();
    for (const PathFrame &frame : frames)
        rules.add(frame);
    rules.build();
    const std::size_t first = pieces.size();
    for (std::size_t i = 0; i < frames.size(); ++i)
        rules.walk(i, pieces);
    for (std::size_t i = first; i < pieces.size(); ++i)
        if (isRangeOfAFrame(pieces[i]))
            pieces[i].cause = PathCause::Unknown;
    if (!gains)
        return;
    for (const PathKind &kind : kindsIn({pieces.data() + first, pieces.size() - first}, kMinShareAsked))
        gains->push_back(
            {frames.front().frame, frames.back().frame, kind, rules.mostItCanBring(kind), time.endNs - time.startNs});
}

std::uint64_t spansWithin(const Trace &trace, Interval time)
{
    std::uint64_t spans = 0;
    for (const SpanTrack &track : trace.tracks()) {
        const auto [first, last] = track.range(time.startNs, time.endNs);
        spans += last - first;
    }
    return spans;
}

std::pair<std::uint64_t, std::uint64_t> framesOnPathIn(const Trace &trace, Interval time)
{
    const FrameTable &frames = trace.frames();
    const auto [first, last] = frames.range(time.startNs, time.endNs);
    if (first >= last && first >= frames.endIndex())
        return {first, first};
    return {first - std::min(first - frames.firstIndex(), kFramesBefore), std::min(last + 2, frames.endIndex())};
}

std::optional<PathSummary> summarisePaths(const Trace &trace, Progress &progress)
{
    const auto [first, last] = framesAfterWarmUp(trace);
    TracePaths paths(trace);
    PathSums sums;
    std::vector<PathPiece> pieces;
    for (std::uint64_t i = last - std::min(last - first, kMaxFramesSummarised); i < last; i += kFramesAtOnce) {
        pieces.clear();
        paths.follow(i, std::min(i + kFramesAtOnce, last), pieces);
        sums.add(pieces);
        if (!progress.advance(1))
            return std::nullopt;
    }
    return paths.summary(sums);
}

PathSummary TracePaths::summary(const PathSums &sums) const
{
    return sums.summary([this](std::uint32_t name) { return m_trace.names().at(name); },
                        [this](LaneId lane) { return m_trace.lane(lane); });
}

} // namespace jetscope
