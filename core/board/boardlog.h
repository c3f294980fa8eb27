// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/board/boardevents.h"
#include "core/trace/openedtrace.h"

#include <string>
#include <vector>

namespace jetscope {

/// A log of a board, as it is shown.
struct BoardLog {
    BoardSeries series;
    std::vector<BoardEvent> events;
    std::vector<std::string> notes; ///< What was read of the file, and what was left out or concluded.
};

/// From a file for which isBoardLog() is true. Any thread.
BoardLog boardLogOf(const OpenedTrace &opened);

/// "log of a board · 24 min 10 s · 1448 readings"
std::string logWords(const BoardSeries &series);

} // namespace jetscope
