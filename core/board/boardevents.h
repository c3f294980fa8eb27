// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/board/boardseries.h"

#include <cstdint>
#include <string>
#include <vector>

namespace jetscope {

/// Something that happened on a board, and how it is known.
struct BoardEvent {
    enum class Kind : std::uint8_t {
        Throttled, ///< By heat, or by what the board itself reports.
        Slowed,    ///< A clock fell under full load; why is not known.
        PowerMode,
        Missing, ///< There is no reading.
    };
    Kind kind = Kind::Throttled;
    Interval time;          ///< Empty for a moment.
    bool lasts = false;     ///< It had not ended at the end of the series.
    std::string what;       ///< "GPU throttled by heat"
    std::string seenBy;     ///< The values that say so.
    bool isMeasured = true; ///< Otherwise it is a conclusion: "probably".

    bool operator==(const BoardEvent &) const = default;
};

/// In order of time. A log of tegrastats names neither the power mode nor why a clock fell: both are concluded from
/// loads, clocks, temperatures and cores. A board that is read says both.
std::vector<BoardEvent> boardEvents(const BoardSeries &series);

/// What is most to be said of a time: throttling, else the power, else the temperature.
struct BoardHeadline {
    std::string first;      ///< A sentence.
    std::string rest;       ///< More sentences; may be empty.
    bool isWarning = false; ///< Something was lost.
};
BoardHeadline headlineOf(const BoardSeries &series, const std::vector<BoardEvent> &events, Interval time);

/// "0.5 s", "12 s", "2 min 12 s", "3 h 05 min"
std::string lengthWords(std::int64_t ns);
/// "912 J", "40.3 kJ"
std::string energyWords(double joules);

} // namespace jetscope
