// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/board/curvestatistics.h"

#include <map>
#include <optional>
#include <vector>

namespace jetscope {

/// What the figures of a board are asked for.
struct BoardFigureWish {
    std::vector<CounterTrack> tracks; ///< Copies share what is stored.
    std::vector<std::size_t> rows;    ///< Which of them have figures.
    std::vector<std::size_t> rails;   ///< Which make the total power.
    std::optional<std::size_t> total;
    std::vector<Interval> throttled;
    Interval time;
    std::int64_t untilNs = 0; ///< For the energy up to the cursor.
};

/// Of a time: each curve, and the energy.
struct BoardFigures {
    std::map<std::size_t, std::optional<CurveStatistics>> curves; ///< By track.
    std::optional<double> joules;                                 ///< Empty if no power is known.
    std::vector<double> railJoules;                               ///< In the order of the rails.
    double joulesUntil = 0;
    double joulesThrottled = 0;
    std::int64_t unknownNs = 0; ///< Of the time without a total power; no energy is counted for it.
};

BoardFigures boardFigures(const BoardFigureWish &wish);

} // namespace jetscope
