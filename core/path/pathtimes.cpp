// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/path/pathtimes.h"

#include "core/path/tracepaths.h"
#include "core/path/workkind.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace jetscope {

namespace {

constexpr std::uint64_t kFramesBetweenReports = 16;

class PathAdder {
public:
    PathAdder(const Trace &trace, PathTimes &times) : m_trace(trace), m_times(times)
    {
        m_times.unknownNs = times.time.endNs - times.time.startNs;
    }

    void add(PathPiece piece)
    {
        piece.startNs = std::max(piece.startNs, m_times.time.startNs);
        piece.endNs = std::min(piece.endNs, m_times.time.endNs);
        if (piece.startNs >= piece.endNs)
            return;
        if (m_times.frames == 0 || piece.frame != m_frame)
            ++m_times.frames;
        m_frame = piece.frame;
        if (piece.cause == PathCause::Unknown)
            return;
        if (!isNamed(piece.cause))
            piece.name = kNoPathName;
        PathTime &sum = m_sums[{piece.cause, piece.name, piece.lane, piece.bounded}];
        sum.like = piece;
        sum.ns += piece.lengthNs();
        ++sum.pieces;
        if (piece.lengthNs() > sum.longest.endNs - sum.longest.startNs)
            sum.longest = {piece.startNs, piece.endNs};
        m_times.unknownNs -= piece.lengthNs();
    }

    void finish()
    {
        for (const auto &[key, sum] : m_sums)
            m_times.parts.push_back(sum);
        std::stable_sort(m_times.parts.begin(), m_times.parts.end(),
                         [](const PathTime &a, const PathTime &b) { return a.ns > b.ns; });
    }

private:
    const Trace &m_trace;
    PathTimes &m_times;
    std::uint32_t m_frame = kNoFrame;
    std::map<std::tuple<PathCause, std::uint32_t, LaneId, bool>, PathTime> m_sums;
};

} // namespace

Interval followedPart(const Trace &trace, Interval time, std::uint64_t mostFrames, std::size_t mostEdges)
{
    const auto [first, last] = trace.frames().range(time.startNs, time.endNs);
    Interval part = time;
    if (last - first > mostFrames)
        part.startNs = std::max(part.startNs, trace.frames().at(last - mostFrames).startNs);
    const std::span<const SpanEdge> edges = trace.edges(part);
    if (edges.size() > mostEdges)
        part.startNs = std::max(part.startNs, edges[edges.size() - mostEdges].toNs);
    return part;
}

Interval edgesOfPaths(const Trace &trace, Interval time)
{
    const auto [first, last] = framesOnPathIn(trace, time);
    if (first >= last)
        return time;
    const TracePaths paths(trace);
    return {std::min(time.startNs, paths.frameAt(first).time.startNs),
            std::max(time.endNs, paths.frameAt(last - 1).time.endNs + 1)};
}

std::optional<PathTimes> pathTimes(const Trace &trace, Interval time, Progress &progress)
{
    PathTimes times;
    times.time = time;
    PathAdder sums(trace, times);
    TracePaths paths(trace);
    std::vector<PathPiece> pieces;
    const auto [first, last] = framesOnPathIn(trace, time);
    for (std::uint64_t i = first; i < last; i += kFramesBetweenReports) {
        pieces.clear();
        paths.follow(i, std::min(i + kFramesBetweenReports, last), pieces);
        for (const PathPiece &piece : pieces) {
            const bool isWholeFrame = piece.cause == PathCause::Unknown && piece.lane == kNoPathLane;
            if (isWholeFrame && piece.lengthNs() > 0
                && spansWithin(trace, {piece.startNs, piece.endNs}) > TracePaths::kMaxSpans)
                ++times.tooLarge;
            sums.add(piece);
        }
        if (!progress.advance(static_cast<double>(i - first) / static_cast<double>(last - first)))
            return std::nullopt;
    }
    sums.finish();
    return times;
}

} // namespace jetscope
