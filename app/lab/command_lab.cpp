// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/commands.h"
#include "app/commandline/console.h"
#include "app/commandline/textlayout.h"
#include "app/lab/labcommands.h"
#include "app/remote/boardrun.h"

#include <algorithm>
#include <array>

namespace jetscope {

namespace {

struct LabRow {
    std::string_view name;
    int (*run)(int argc, char **argv, const Options &options);
};

constexpr std::array kLabCommands{LabRow{"latency", labLatency}, LabRow{"stamps", labStamps},
                                  LabRow{"cameras", labCameras}, LabRow{"clock", labClock}};

} // namespace

int labCommand(int argc, char **argv, const Options &options)
{
    const std::string &what = options.operands.front();
    if (options.boardClock && (what != "latency" || options.hosts.empty()))
        return complain(
            sentence("--board-clock is for lab latency with --host: it names the board whose screen shows the clock"),
            WrongUsage);
    if (options.recordPath && what != "cameras")
        return complain(sentence("lab " + what + " records nothing: --record is for lab cameras, and for run"),
                        WrongUsage);
    if (!options.hosts.empty())
        return what == "latency" ? labLatencyOnBoard(argc, argv, options)
                                 : runOnBoards(options, std::vector<std::string_view>(argv + 1, argv + argc));
    if (options.operands.size() > 1 && what != "cameras")
        return complain(sentence("lab " + what + " has one source: give it with --source"), WrongUsage);
    const auto found =
        std::find_if(kLabCommands.begin(), kLabCommands.end(), [&](const LabRow &row) { return row.name == what; });
    if (found != kLabCommands.end())
        return found->run(argc, argv, options);
    std::vector<std::string> names;
    for (const LabRow &row : kLabCommands)
        names.emplace_back(row.name);
    return complain(sentence("the lab measures no " + quotedWords(what) + ": take " + joined(names, ", ")), WrongUsage);
}

} // namespace jetscope
