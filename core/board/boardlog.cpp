// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/board/boardlog.h"

#include "core/text/shorttext.h"

namespace jetscope {

BoardLog boardLogOf(const OpenedTrace &opened)
{
    BoardLog log;
    log.series = boardSeriesOf(opened.trace);
    log.events = boardEvents(log.series);
    log.notes = allNotes(opened);
    return log;
}

std::string logWords(const BoardSeries &series)
{
    const Interval time = series.time();
    const std::string &program = series.trace().origin().program;
    return (program.empty() ? std::string("log of a board") : program) + " · " + lengthWords(time.endNs - time.startNs)
        + " · " + counted(series.readings(), "reading");
}

} // namespace jetscope
