// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/devicefacts.h"
#include "gpu/stages/nviva/nvivachild.h"
#include "gpu/stages/stagetable.h"

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace jetscope {

struct DlaTools;
struct VpiTools;

/// A trial of a stage in a child process, because the code of the user may crash or hang.
struct StageTrialPlan {
    std::vector<std::string> command; ///< A program whose main() calls stageTrialIfAsked, and its first argument.
    std::vector<std::string> words;   ///< The kind of trial and its arguments.
    std::chrono::milliseconds timeout{10'000}; ///< Then the child is killed.
};

/// The plan of this process for the library of a stage.
StageTrialPlan stageTrialPlan(const StageAddress &address);

/// What surrounds the pictures of a kernel's trial.
enum class KernelTrialMemory {
    Guarded, ///< Memory that the trial checks.
    Exact,   ///< Nothing, as a tool that watches each access needs it; rows have no padding, either.
};
/// The plan of this process for the machine code of an own kernel.
StageTrialPlan kernelTrialPlan(int ordinal, const std::string &cubinFile, const std::string &driver,
                               KernelTrialMemory memory = KernelTrialMemory::Guarded);

/// The plan of this process for a library of nvivafilter, which is loaded only.
StageTrialPlan nvivaTrialPlan(const std::string &library, const std::string &standIns);

/// The command that starts the process of a library of nvivafilter; empty if this program runs none.
std::vector<std::string> nvivaCommand(const NvivaWords &words);

/// The plan of this process for an algorithm of VPI, with the library as in VpiTools.
StageTrialPlan vpiTrialPlan(const StageAddress &address, const std::string &library, int major);

/// The same for a Jetson's own buffers, which the trial makes; `surfaces` as in NvivaTools.
StageTrialPlan vpiBufferTrialPlan(const StageAddress &address, const VpiTools &tools, const std::string &surfaces);

/// The plan of this process for a loadable of a DLA, with the libraries of these tools.
StageTrialPlan dlaTrialPlan(const StageAddress &address, const DlaTools &tools);

/// Makes the trial and waits for its end, or until it is stopped. The reason is one sentence without a full stop at its
/// end.
Capability tryStage(const StageTrialPlan &plan, const std::stop_token &stop = {});

/// The trial of a library as the child makes it: loads it, sets it up for small pictures and runs it in each kind of
/// memory that it takes, in CUDA memory on the first device if there is one. Returns the reason for which it is
/// refused, or nothing. May crash or hang.
std::string trialOfLibrary(const StageAddress &address);

/// The same for a stage whose code is there.
std::string trialOfStage(Stage &stage, bool inHostMemory, bool inCudaMemory);

/// Call first in main(). If the arguments ask for a trial ("--stage-trial ...") or the process of an nvivafilter
/// library, makes it and returns the exit code of the program; otherwise names this program as the command for those
/// processes.
std::optional<int> stageTrialIfAsked(int argc, char **argv);

/// For tests: another time-out for the trials of this process.
void setStageTrialTimeout(std::chrono::milliseconds timeout);

} // namespace jetscope
