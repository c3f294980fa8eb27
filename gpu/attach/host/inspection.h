// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/judge/wastefinder.h"
#include "core/result.h"
#include "core/settings/pipelineconfig.h"
#include "gpu/attach/host/programrecording.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

class PipelineControl;

/// A program to inspect, as a user gives it.
struct ProgramWish {
    std::vector<std::string> command;       ///< The words of its command line.
    std::string folder;                     ///< Its working folder; empty: that of Jetscope.
    std::vector<std::string> environment{}; ///< "NAME=value", beside those of Jetscope.
    std::string frames = "auto";            ///< For parseFrameWish.
    std::string scheduler{};                ///< The file or pipe that jetscope-sched writes; empty: none.
};

/// What is known of an inspected program beside its trace.
struct InspectionState {
    std::string command;
    std::optional<ProgramEnd> end; ///< Empty while it is recorded: it, or what it left (LeftProcesses).
    bool stopping = false;         ///< It was asked to end.
    std::string frameSource;       ///< FrameFinder::sourceName
    std::string frameNote;
    std::uint64_t frames = 0;
    std::uint64_t recorded = 0; ///< Calls.
    std::uint64_t lost = 0;     ///< Calls that were not recorded because a ring was full.
    std::uint64_t unhooked = 0; ///< How often it got a function that could not be hooked.
    bool sawCalls = false;
    std::vector<WasteFinding> findings;
    std::string output; ///< The end of what it printed; may hold any bytes.
    std::uint64_t outputBytes = 0;
    std::string gpuTime;                     ///< Where times of the GPU come from: "cupti", "bounds" or "none".
    std::string gpuTimeReason;               ///< Why CUPTI does not record, or not everywhere; empty if it does.
    bool sawGl = false;                      ///< Work of GL, whose times are not seen.
    std::optional<SchedulerState> scheduler; ///< If it was asked for.
};

/// A program that runs under inspection. Every function may be called by every thread and returns at once.
class Inspection {
public:
    virtual InspectionState state() const = 0;
    /// Asks the program to end (SIGTERM); when called again, kills it.
    virtual void endProgram() = 0;

protected:
    Inspection() = default;
    ~Inspection() = default;
};

/// Starts a program with the library preloaded and collects its calls on a thread of its own, as a pipeline would make
/// them: pausing stops the recording and not the program. Destroying it ends the program. `library`: from
/// findPreloadLibrary. `hardware`: from planHardwareTimes. `config` is only kept.
Result<std::unique_ptr<PipelineControl>> inspectProgram(const ProgramWish &wish, const std::string &library,
                                                        const HardwareTimes &hardware, const PipelineConfig &config);

} // namespace jetscope
