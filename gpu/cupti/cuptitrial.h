// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/devicefacts.h"
#include "gpu/cupti/childprocess.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

/// Whether CUPTI can be used on a device, by trying.
struct CuptiOutcome {
    Capability usable;   ///< For kernels at least; the reason is one sentence.
    std::string library; ///< The file that was tried; the one to load when usable. Empty when there is none.
    std::string version; ///< As cuptiVersionText says; empty when it was not found out.
    /// Sentences on what is missing although it is usable: copies that are not recorded.
    std::vector<std::string> remarks;
};

/// Tries CUPTI in a child process, since it may crash or hang where it is not welcome (as without access to a Jetson's
/// profiling devices). The child makes a CUDA context, records a memset, a copy and a kernel, and looks at the times.
/// It takes as long as a process and a CUDA context take to start, in which nobody need wait: poll() never does. One
/// thread at a time.
class CuptiTrial {
public:
    struct Plan {
        std::vector<std::string> command;   ///< A program whose main() calls cuptiTrialIfAsked, and its first argument.
        int ordinal = 0;                    ///< Of the CUDA device.
        std::vector<std::string> libraries; ///< Tried one after the other until one is usable: cuptiCandidates.
        std::string driver = "libcuda.so.1";
        std::chrono::milliseconds timeout{10'000}; ///< For one library; then the child is killed.
    };

    /// Starts the first child.
    explicit CuptiTrial(Plan plan);
    /// Kills a child that still runs.
    ~CuptiTrial();
    CuptiTrial(const CuptiTrial &) = delete;
    CuptiTrial &operator=(const CuptiTrial &) = delete;

    /// The outcome, or null while it is awaited. Never blocks for longer than it takes to start a process.
    const CuptiOutcome *poll();
    /// Waits for it, at most as long as the plan's timeout for each library.
    const CuptiOutcome &wait();

private:
    void startNext();
    void judge(ChildProcess &child, bool timedOut);
    void fail(std::string reason, bool isFinal);
    void settle();

    Plan m_plan;
    std::size_t m_library = 0; ///< Under trial.
    std::unique_ptr<ChildProcess> m_child;
    std::chrono::steady_clock::time_point m_deadline;
    std::optional<CuptiOutcome> m_firstFailure;
    CuptiOutcome m_outcome;
    bool m_done = false;
};

/// At the top of main(): runs the trial and returns the program's exit code when the arguments ask for it
/// ("--cupti-trial ..."); else offers this very program for trials of this process.
std::optional<int> cuptiTrialIfAsked(int argc, char **argv);

/// Names the command for trials of this process, as {"/path/jetscope", "--cupti-trial"}: for programs that are not
/// Jetscope. Without an offer CUPTI counts as unavailable.
void offerCuptiTrial(std::vector<std::string> command);

/// The outcome for a CUDA device of this process; the first call for a device starts its trial, and later ones answer
/// what was found. None while it runs. Any thread; never waits.
std::optional<CuptiOutcome> cuptiOutcome(int ordinal);
/// The same, waiting for it.
CuptiOutcome awaitCuptiOutcome(int ordinal);

} // namespace jetscope
