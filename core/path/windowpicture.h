// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/pathpiece.h"
#include "core/path/traceoverview.h"
#include "core/path/waitcauses.h"
#include "core/trace/distantspans.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace jetscope {

/// Limit over the frames around a window; beyond it paths are not followed.
inline constexpr std::uint64_t kMaxSpansOfPath = 8192;
/// Narrower frames are not told apart.
inline constexpr double kMinBandColumns = 3;

/// Whether the overlap of a window can be computed exactly from spans at this zoom; otherwise it is computed from the
/// sums per frame.
bool isNear(const Trace &trace, Interval window, double nsPerPixel);

/// Whether a counter gives the uncertainty of a lane's times. It is drawn at the spans and has no row.
bool isUncertainty(const CounterInfo &counter);

/// The times of a window. More than the columns by up to a nanosecond.
Interval timeOf(const ColumnWindow &window);

/// All that a timeline shows of a window of a trace.
struct WindowPicture {
    ColumnWindow window;
    bool isNear = false;
    std::vector<BusyPiece> pieces;    ///< If it is near, as the next two.
    std::vector<PathPiece> path;      ///< The critical paths of its frames.
    Intervals contended;              ///< When GL and CUDA shared the GPU.
    std::vector<FrameColumn> sums;    ///< If it is not near.
    std::vector<FrameFigures> frames; ///< If they can be told apart.
    std::vector<FrameNumber> numbers; ///< Of those frames.
    std::map<std::uint32_t, TrackPicture> tracks;
    std::map<std::uint32_t, std::vector<CounterColumn>> counters;
    std::vector<std::pair<LaneId, double>> uncertainties; ///< Nanoseconds, in the middle of the window.

    std::size_t memoryBytes() const;
};

/// What an overview shows of a whole trace.
struct WholePicture {
    static constexpr int kColumns = 1024;
    TraceOverview loads;
    std::vector<FrameColumn> frames; ///< In kColumns.
};

/// The parts that are wished for. The cost depends on the number of columns, not of spans.
WindowPicture windowPicture(const Trace &trace, const WindowWish &wish);

/// `visit(name)` for each name of a picture.
template <class Visit>
void eachName(WindowPicture &picture, Visit visit)
{
    for (PathPiece &piece : picture.path)
        if (piece.name != kNoPathName)
            visit(piece.name);
    for (auto &[track, of] : picture.tracks) {
        for (TraceColumn &column : of.columns)
            if (column.count > 0 || column.busyNs > 0)
                visit(column.longest);
        for (TraceBar &bar : of.bars)
            visit(bar.span.name);
    }
}

} // namespace jetscope
