// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/advice/trial.h"
#include "gpu/measure/choicerun.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace jetscope {

/// Limits of a trial. If there were too few turns by then, the trial continues for the same again.
struct TrialLimits {
    std::int64_t ns = 6'000'000'000;
    std::uint64_t frames = std::numeric_limits<std::uint64_t>::max();
};

/// Compares a candidate with the present configuration on a running pipeline by turns, A B B A A B B A …: a run of two
/// cells that ends early if the result is clear. Everything else is as ChoiceRun says.
class PipelineTrial {
public:
    PipelineTrial(PipelineControl &pipeline, const Candidate &candidate, const TrialLimits &limits = {});

    /// Pass every update since the start, in order, with the current time.
    void take(const PipelineUpdate &update, std::int64_t ns);
    void cancel(std::string why = "it was cancelled");
    /// Stops the trial and keeps the configuration, because something else changed it.
    void giveWay();

    /// The configuration with the candidate.
    const PipelineConfig &other() const { return m_run.plan().cells[1].config; }
    /// The trial is over and the restored configuration is in force or was refused: another trial can begin.
    bool isBack() const { return m_run.isBack(); }
    bool isOver() const { return m_run.isOver(); }
    double progress() const; ///< 0..1
    const TrialOutcome &outcome() const { return m_outcome; }

private:
    bool isDue(std::uint64_t times, std::int64_t ns) const;
    void judge(std::int64_t ns);
    void conclude();

    const TrialLimits m_limits;
    const Figure m_metric;
    ChoiceRun m_run;
    std::optional<std::int64_t> m_beginNs;
    std::uint64_t m_frames = 0;
    TrialOutcome m_outcome;
};

} // namespace jetscope
