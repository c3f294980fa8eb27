// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/pathpiece.h"
#include "core/progress.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace jetscope {

/// One kind of piece of the critical paths within a time: a cause, for causes with names one name, on one lane.
struct PathTime {
    PathPiece like; ///< Any of the pieces.
    std::int64_t ns = 0;
    std::uint64_t pieces = 0;
    Interval longest; ///< The longest piece.
};

/// What the critical paths within a time consist of. All times add up to it.
struct PathTimes {
    Interval time;
    std::uint64_t frames = 0;    ///< With a path in this time.
    std::uint64_t tooLarge = 0;  ///< Frames with more spans than TracePaths::kMaxSpans: their paths are not followed.
    std::vector<PathTime> parts; ///< Longest first.
    std::int64_t unknownNs = 0;  ///< Nothing in the trace explains it, or no frame is complete here.
};

/// The part of `time` in which paths are followed: of a long one the end, with at most `mostFrames` frames and
/// `mostEdges` recorded dependencies.
Interval followedPart(const Trace &trace, Interval time, std::uint64_t mostFrames, std::size_t mostEdges);

/// The time whose recorded dependencies pathTimes needs (Trace::snapshot): paths begin before `time` and end behind it.
Interval edgesOfPaths(const Trace &trace, Interval time);

/// Follows all paths within `time`; the trace needs the edges of edgesOfPaths. Time grows with its spans: not for
/// threads that must not block. Empty when cancelled.
std::optional<PathTimes> pathTimes(const Trace &trace, Interval time, Progress &progress);

} // namespace jetscope
