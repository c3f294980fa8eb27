// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/devicefacts.h"
#include "gpu/cupti/childprocess.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

/// Whether CUPTI can be used on a device, determined by a trial.
struct CuptiOutcome {
    Capability usable;   ///< At least for kernels; the reason is one sentence.
    std::string library; ///< The tested file; the one to load if usable. Empty if there is none.
    std::string version; ///< In the form of cuptiVersionText; empty if unknown.
    /// Sentences on missing parts although it is usable, such as copies that are not recorded.
    std::vector<std::string> remarks;
    std::optional<bool> concurrentManagedAccess{}; ///< Of the device; empty if it is not known.
};

/// Tries CUPTI in a child process, because it may crash or hang (for example without access to a Jetson's profiling
/// devices). The child creates a CUDA context, records a memset, a copy and a kernel, and checks the times. It takes as
/// long as starting a process and a CUDA context; poll() never waits for it. One thread at a time.
class CuptiTrial {
public:
    struct Plan {
        std::vector<std::string> command;   ///< A program whose main() calls cuptiTrialIfAsked, and its first argument.
        int ordinal = 0;                    ///< The ordinal of the CUDA device.
        std::vector<std::string> libraries; ///< Tried in order until one is usable: cuptiCandidates.
        std::string driver = "libcuda.so.1";
        std::chrono::milliseconds timeout{10'000}; ///< Per library; then the child is killed.
    };

    /// Starts the first child.
    explicit CuptiTrial(Plan plan);
    /// Kills a child that still runs.
    ~CuptiTrial();
    CuptiTrial(const CuptiTrial &) = delete;
    CuptiTrial &operator=(const CuptiTrial &) = delete;

    /// The outcome, or null while it is pending. Blocks at most as long as it takes to start a process.
    const CuptiOutcome *poll();
    /// Waits for the outcome, at most for the plan's timeout per library.
    const CuptiOutcome &wait();

private:
    void startNext();
    void judge(ChildProcess &child, bool timedOut);
    void fail(std::string reason, bool isFinal);
    void settle();

    Plan m_plan;
    std::size_t m_library = 0; ///< Index of the library under trial.
    std::unique_ptr<ChildProcess> m_child;
    std::chrono::steady_clock::time_point m_deadline;
    std::optional<CuptiOutcome> m_firstFailure;
    CuptiOutcome m_outcome;
    bool m_done = false;
};

/// Call first in main(). If the arguments request a trial ("--cupti-trial ..."), runs it and returns the program's exit
/// code; otherwise registers this program as the command for this process's trials.
std::optional<int> cuptiTrialIfAsked(int argc, char **argv);

/// Sets the command for trials of this process, such as {"/path/jetscope", "--cupti-trial"}, for programs other than
/// Jetscope. Without a command CUPTI counts as unavailable.
void offerCuptiTrial(std::vector<std::string> command);

/// The outcome for a CUDA device of this process. The first call for a device starts its trial, later calls return the
/// result; none while the trial runs. Any thread; never waits.
std::optional<CuptiOutcome> cuptiOutcome(int ordinal);
/// The same, but waits for the outcome.
CuptiOutcome awaitCuptiOutcome(int ordinal);

} // namespace jetscope
