// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/fleetmethod.h"
#include "core/fleet/fleetrow.h"
#include "core/fleet/reducedfleet.h"
#include "tests/fuzz/fuzztarget.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>

namespace jetscope::test {

namespace {

void requireOfFleet(bool holds)
{
    if (!holds)
        std::abort();
}

void requireSentence(const Error &error)
{
    requireOfFleet(!error.text.empty() && error.text.find('\n') == std::string::npos);
}

/// A row that was read is written as one that is read the same, and by a parser that has read other lines, too.
void readRow(std::string_view line, FleetRowParser &warm)
{
    FleetRowParser parser;
    const auto read = parser.parse(line);
    const auto again = warm.parse(line);
    requireOfFleet(read.ok() == again.ok());
    if (!read.ok()) {
        requireSentence(read.error());
        return;
    }
    const FleetRow &row = *read.value();
    requireOfFleet(!row.run.empty() && !row.board.empty() && std::isfinite(row.value));
    std::string written;
    appendFleetRow(written, row);
    const auto reread = warm.parse(std::string_view(written).substr(0, written.size() - 1));
    requireOfFleet(reread.ok());
    std::string twice;
    appendFleetRow(twice, *reread.value());
    requireOfFleet(twice == written);
}

FleetBoards anyBoards()
{
    return {FleetSelection::parse("commit=old").value(), FleetSelection::parse("commit=new").value()};
}

} // namespace

void readFleetLines(const std::uint8_t *bytes, std::size_t size)
{
    std::string_view text(reinterpret_cast<const char *>(bytes), size);
    FleetBoards boards = anyBoards();
    ReducedReader reader(boards);
    FleetRowParser warm;
    if (const auto selection = FleetSelection::parse(text); !selection.ok())
        requireSentence(selection.error());
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        readRow(line, warm);
        if (const Status taken = reader.take(line); !taken.ok())
            requireSentence(taken.error());
    }
    if (const Status end = reader.finish(); !end.ok())
        requireSentence(end.error());
    requireOfFleet(!fleetWords(compareFleet(boards)).empty());
}

} // namespace jetscope::test
