// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/path/rangepaths.h"

#include <algorithm>
#include <tuple>

namespace jetscope {

namespace {

constexpr std::uint64_t kFramesAStep = 8;
/// More than the maximum of frames in flight.
constexpr std::uint64_t kFramesBefore = 8;

} // namespace

std::pair<std::uint64_t, std::uint64_t> framesOnPathIn(const Trace &trace, Interval time)
{
    const FrameTable &frames = trace.frames();
    const auto [first, last] = frames.range(time.startNs, time.endNs);
    if (first >= last && first >= frames.endIndex())
        return {first, first};
    return {first - std::min(first - frames.firstIndex(), kFramesBefore), std::min(last + 2, frames.endIndex())};
}

RangePaths::RangePaths(const Trace &trace, std::uint64_t frame)
    : m_paths(trace, kMaxSpansAStep), m_next(frame), m_last(std::min(frame + 1, trace.frames().endIndex()))
{
}

RangePaths::RangePaths(const Trace &trace, Interval range) : m_paths(trace, kMaxSpansAStep), m_range(range)
{
    std::tie(m_next, m_last) = framesOnPathIn(trace, range);
}

bool RangePaths::advance()
{
    if (done())
        return true;
    const std::uint64_t end = std::min(m_last, m_next + kFramesAStep);
    m_pieces.clear();
    m_paths.follow(m_next, end, m_pieces);
    m_next = end;
    for (PathPiece piece : m_pieces) {
        if (m_range) {
            piece.startNs = std::max(piece.startNs, m_range->startNs);
            piece.endNs = std::min(piece.endNs, m_range->endNs);
        }
        if (piece.startNs < piece.endNs)
            m_sums.add(piece);
    }
    return done();
}

} // namespace jetscope
