// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/attach/hangreport.h"
#include "app/attach/hardwarereport.h"
#include "app/attach/loopreport.h"
#include "app/commandline/json.h"
#include "core/figures/statistics.h"
#include "core/path/pathsummary.h"
#include "gpu/attach/host/programrecording.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jetscope {

/// What the kernel's scheduler told.
struct SchedulerReport : SchedulerState {
    std::map<std::uint32_t, SchedulerTimes> times; ///< By index of the thread.
    std::optional<std::uint32_t> frameThread;      ///< The one that makes the frames.
};

/// What was found out about an inspected program.
struct AttachReport {
    std::string program; ///< Its command line.
    std::optional<ProgramEnd> end;
    std::string frameSource; ///< Empty without frames.
    std::string frameNote;   ///< How frames were found, or why there are none.
    std::uint64_t frames = 0;
    RunFigures figures;
    double fps = 0; ///< Frames by the time that they took: what the program would count itself.
    LoopReport loops;
    PathSummary path;
    std::vector<WasteFinding> findings;
    std::map<std::string, std::vector<std::pair<std::string, std::uint64_t>>> sites; ///< By finding: place, calls.
    std::vector<WasteCheck> checks;
    std::map<std::string, std::uint64_t> calls; ///< By function, exact.
    std::vector<AttachThread> threads;
    std::vector<AttachCallCounts> threadCounts; ///< As `threads`.
    HardwareReport gpu;
    SchedulerReport scheduler;
    bool sawCuda = false;
    bool sawEgl = false;       ///< Tier C.
    bool sawGl = false;        ///< Of these, work of GL.
    std::uint64_t counted = 0; ///< Calls of functions that are recorded: exact also where records were lost.
    std::uint64_t recorded = 0;
    std::uint64_t lost = 0;
    std::uint64_t damaged = 0;
    std::uint64_t threadsRefused = 0;
    std::uint64_t unhooked = 0;      ///< RingReader::unhooked
    std::string watchRefusal;        ///< WatchedResults::refusal
    double recordCostNs = 0;         ///< 0: unknown.
    double collectorShare = 0;       ///< CPU time of this process while it recorded, in cores.
    std::optional<HangReport> hangs; ///< If they were looked for.
    std::vector<std::string> notes;
};

/// The object of `--json FILE`. Missing figures are null, with the reason beside them.
JsonObject attachJson(const AttachReport &report);
/// A few lines for a terminal.
std::string attachText(const AttachReport &report);

} // namespace jetscope
