// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/path/windowpicture.h"

#include "core/path/tracepaths.h"
#include "core/trace/columncursor.h"

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

constexpr double kMaxSpansPerPixel = 0.8; ///< Beyond this, the exact strip costs more than all lanes.
constexpr std::uint64_t kMaxExactSpans = 5000;
/// Slightly more than the window, so that a piece that crosses its edge does not end there.
constexpr double kMarginColumns = 8;
constexpr double kMostMarginNs = 1e15;

void addFrames(const Trace &trace, Interval time, double nsPerColumn, WindowPicture &picture)
{
    const FrameTable &frames = trace.frames();
    const auto [first, last] = frames.range(time.startNs, time.endNs);
    if (first >= last)
        return;
    const FrameFigures newest = frames.at(last - 1);
    const auto length = static_cast<double>(newest.startNs + newest.periodNs() - frames.at(first).startNs);
    if (length < kMinBandColumns * nsPerColumn * static_cast<double>(last - first))
        return;
    for (std::uint64_t i = first; i < last; ++i) {
        picture.frames.push_back(frames.at(i));
        const FrameNumber number{picture.frames.back().frame, trace.frameNumber(picture.frames.back().frame)};
        if (picture.numbers.empty() || picture.numbers.back().of(number.frame) != number.number)
            picture.numbers.push_back(number);
    }
}

} // namespace

/// Based on the mean density of the whole trace, so that all tiles of a view agree, unless this window has far more
/// spans.
bool isNear(const Trace &trace, Interval window, double nsPerPixel)
{
    const auto length = static_cast<double>(std::max<std::int64_t>(1, trace.newestNs() - trace.oldestNs()));
    if (static_cast<double>(trace.spanCount()) * nsPerPixel > kMaxSpansPerPixel * length)
        return false;
    std::uint64_t spans = 0;
    for (const SpanTrack &track : trace.tracks()) {
        const auto [first, last] = track.range(window.startNs, window.endNs);
        spans += last - first;
    }
    return spans <= kMaxExactSpans;
}

bool isUncertainty(const CounterInfo &counter)
{
    return counter.lane.has_value() && counter.unit == "ns";
}

Interval timeOf(const ColumnWindow &window)
{
    const ColumnCursor cursor(window);
    return {cursor.startNs(), cursor.endNs() + 1};
}

std::size_t WindowPicture::memoryBytes() const
{
    std::size_t bytes = sizeof(*this) + pieces.size() * sizeof(BusyPiece) + path.size() * sizeof(PathPiece)
        + contended.size() * sizeof(Interval) + sums.size() * sizeof(FrameColumn)
        + frames.size() * sizeof(FrameFigures);
    for (const auto &[track, of] : tracks)
        bytes += sizeof(of) + of.columns.size() * sizeof(TraceColumn) + of.bars.size() * sizeof(TraceBar);
    for (const auto &[counter, columns] : counters)
        bytes += sizeof(columns) + columns.size() * sizeof(CounterColumn);
    return bytes;
}

WindowPicture windowPicture(const Trace &trace, const WindowWish &wish)
{
    WindowPicture picture;
    picture.window = wish.window;
    const Interval time = timeOf(wish.window);
    picture.isNear = isNear(trace, time, wish.nsPerPixel);
    if (picture.isNear) {
        const std::int64_t margin = std::llround(std::min(wish.window.nsPerColumn * kMarginColumns, kMostMarginNs));
        const Interval wide{time.startNs - margin, time.endNs + margin};
        // The margin of a strange wish may have all spans of the trace, and its frames may have none.
        picture.pieces = busyPieces(trace, isNear(trace, wide, wish.nsPerPixel) ? wide : time);
        picture.contended = contendedPieces(trace, time);
        const auto [first, last] = framesOnPathIn(trace, time);
        if (last - first <= kMaxExactSpans)
            TracePaths(trace, kMaxSpansOfPath).follow(first, last, picture.path);
    } else {
        trace.frames().query(wish.window, picture.sums);
    }
    addFrames(trace, time, wish.window.nsPerColumn, picture);
    for (const std::uint32_t track : wish.tracks)
        if (track < trace.tracks().size())
            trace.tracks()[track].query(wish.window, picture.tracks[track]);
    for (const std::uint32_t counter : wish.counters)
        if (counter < trace.counters().size())
            trace.counters()[counter].query(wish.window, picture.counters[counter]);
    for (const CounterTrack &counter : trace.counters()) {
        const CounterInfo &info = counter.info();
        const auto value = isUncertainty(info) ? counter.valueAt(time.startNs / 2 + time.endNs / 2) : std::nullopt;
        if (value && std::isfinite(*value))
            picture.uncertainties.emplace_back(*info.lane, *value);
    }
    return picture;
}

} // namespace jetscope
