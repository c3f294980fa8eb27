// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/board/boardfigures.h"

#include <algorithm>

namespace jetscope {

namespace {

double integralOf(const CounterTrack &track, Interval time)
{
    const std::optional<CurveStatistics> found = statisticsOf(track, time);
    return found ? found->integral() : 0;
}

} // namespace

BoardFigures boardFigures(const BoardFigureWish &wish)
{
    BoardFigures figures;
    const auto exists = [&wish](std::size_t track) { return track < wish.tracks.size(); };
    for (const std::size_t row : wish.rows)
        if (exists(row))
            figures.curves[row] = statisticsOf(wish.tracks[row], wish.time);
    if (!wish.total || !exists(*wish.total))
        return figures;
    const CounterTrack &power = wish.tracks[*wish.total];
    const std::optional<CurveStatistics> whole = statisticsOf(power, wish.time);
    if (!whole)
        return figures;
    figures.joules = whole->integral();
    figures.unknownNs = std::max<std::int64_t>(0, wish.time.endNs - wish.time.startNs - whole->knownNs);
    for (const std::size_t rail : wish.rails)
        figures.railJoules.push_back(exists(rail) ? integralOf(wish.tracks[rail], wish.time) : 0);
    const auto within = [&wish](Interval time) {
        return Interval{std::max(time.startNs, wish.time.startNs), std::min(time.endNs, wish.time.endNs)};
    };
    figures.joulesUntil = integralOf(power, within({wish.time.startNs, wish.untilNs}));
    for (const Interval &time : wish.throttled)
        figures.joulesThrottled += integralOf(power, within(time));
    return figures;
}

} // namespace jetscope
