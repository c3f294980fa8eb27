// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/windowpicture.h"
#include "core/remote/wire/windowpacking.h"

#include <QString>

#include <cmath>
#include <functional>

namespace jetscope::testing {

/// Names of two pictures that mean the same.
using SameName = std::function<bool(TraceName, TraceName)>;

inline QString differenceOfTracks(const TrackPicture &here, const TrackPicture &crossed, double nsPerColumn,
                                  const SameName &isSame)
{
    if (here.columns.size() != crossed.columns.size() || here.bars.size() != crossed.bars.size())
        return QStringLiteral("other numbers of columns or bars");
    for (std::size_t x = 0; x < here.columns.size(); ++x) {
        const TraceColumn rounded = roundedColumn(here.columns[x], nsPerColumn);
        const TraceColumn &column = crossed.columns[x];
        if (rounded.busyNs != column.busyNs || rounded.count != column.count
            || (rounded.count > 0 && !isSame(rounded.longest, column.longest)))
            return QStringLiteral("column %1").arg(x);
    }
    for (std::size_t i = 0; i < here.bars.size(); ++i) {
        const TraceSpan &a = here.bars[i].span;
        const TraceSpan &b = crossed.bars[i].span;
        if (here.bars[i].index != crossed.bars[i].index || a.startNs != b.startNs || a.durationNs != b.durationNs
            || a.bytes != b.bytes || a.frame != b.frame || !isSame(a.name, b.name))
            return QStringLiteral("bar %1").arg(i);
    }
    return {};
}

inline bool isSameCounter(const std::vector<CounterColumn> &here, const std::vector<CounterColumn> &crossed)
{
    double low = 0;
    double high = 0;
    for (const CounterColumn &column : here)
        if (column.low <= column.high) {
            low = std::min(low, column.low);
            high = std::max(high, column.high);
        }
    const double step = (high - low) / 4000;
    for (std::size_t x = 0; x < here.size() && here.size() == crossed.size(); ++x) {
        const bool isKnown = here[x].low <= here[x].high;
        if (isKnown != (crossed[x].low <= crossed[x].high))
            return false;
        if (isKnown
            && (std::abs(here[x].low - crossed[x].low) > step || std::abs(here[x].high - crossed[x].high) > step))
            return false;
    }
    return here.size() == crossed.size();
}

/// Where a picture that crossed is not what it was, but for the rounding of columns; empty if it is the same.
inline QString difference(
    const WindowPicture &here, const WindowPicture &crossed,
    const SameName &isSame = [](TraceName a, TraceName b) { return a == b; })
{
    if (here.tracks.size() != crossed.tracks.size() || here.counters.size() != crossed.counters.size())
        return QStringLiteral("other tracks or counters");
    for (const auto &[place, track] : here.tracks)
        if (const QString found = differenceOfTracks(track, crossed.tracks.at(place), here.window.nsPerColumn, isSame);
            !found.isEmpty())
            return QStringLiteral("track %1: %2").arg(place).arg(found);
    for (const auto &[place, counter] : here.counters)
        if (!isSameCounter(counter, crossed.counters.at(place)))
            return QStringLiteral("counter %1").arg(place);
    if (here.isNear != crossed.isNear || here.contended != crossed.contended || here.numbers != crossed.numbers
        || here.uncertainties != crossed.uncertainties || here.sums.size() != crossed.sums.size()
        || here.pieces.size() != crossed.pieces.size() || here.frames.size() != crossed.frames.size()
        || here.path.size() != crossed.path.size())
        return QStringLiteral("other times, frames or paths");
    for (std::size_t i = 0; i < here.pieces.size(); ++i)
        if (here.pieces[i].kind != crossed.pieces[i].kind || here.pieces[i].time != crossed.pieces[i].time
            || here.pieces[i].certain != crossed.pieces[i].certain)
            return QStringLiteral("piece %1").arg(i);
    for (std::size_t i = 0; i < here.path.size(); ++i)
        if (here.path[i].startNs != crossed.path[i].startNs || here.path[i].cause != crossed.path[i].cause)
            return QStringLiteral("piece %1 of the path").arg(i);
    for (std::size_t i = 0; i < here.frames.size(); ++i)
        if (here.frames[i].frame != crossed.frames[i].frame || here.frames[i].startNs != crossed.frames[i].startNs
            || here.frames[i].periodNs() != crossed.frames[i].periodNs())
            return QStringLiteral("frame %1").arg(i);
    constexpr double kStep = 1.0 / 255;
    for (std::size_t x = 0; x < here.sums.size(); ++x) {
        const FrameColumn &a = here.sums[x];
        const FrameColumn &b = crossed.sums[x];
        if ((a.periodNs > 0) != (b.periodNs > 0))
            return QStringLiteral("sum %1").arg(x);
        if (a.periodNs > 0
            && (std::abs(a.cpuNs / a.periodNs - b.cpuNs / b.periodNs) > kStep
                || std::abs(a.gpuNs / a.periodNs - b.gpuNs / b.periodNs) > kStep
                || std::abs(a.bothNs / a.periodNs - b.bothNs / b.periodNs) > kStep))
            return QStringLiteral("sum %1").arg(x);
    }
    return {};
}

} // namespace jetscope::testing
