// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/advice/trial.h"
#include "gpu/pipeline/pipelinecontrol.h"

#include <cstdint>
#include <string_view>

namespace jetscope {

/// Runs a Trial on a running pipeline. The owner keeps taking the pipeline's updates and passes each of them on. When
/// the trial ends for any reason, it requests the previous configuration. The pipeline must outlive it. Only on the
/// thread of the pipeline's owner; never waits.
class PipelineTrial {
public:
    PipelineTrial(PipelineControl &pipeline, const Candidate &candidate, const TrialLimits &limits = {});
    /// Stops the trial if it still runs.
    ~PipelineTrial();
    PipelineTrial(const PipelineTrial &) = delete;
    PipelineTrial &operator=(const PipelineTrial &) = delete;

    /// Pass every update since the start, in order, with the current time.
    void take(const PipelineUpdate &update, std::int64_t ns);
    void cancel(std::string_view why = "it was cancelled");
    /// Stops the trial and keeps the configuration, because something else changed it.
    void giveWay();

    const Trial &trial() const { return m_trial; }
    /// The trial is over and the restored configuration is in force or was refused: another trial can begin.
    bool isBack() const;
    bool isOver() const { return m_trial.isOver(); }
    const TrialOutcome &outcome() const { return m_trial.outcome(); }

private:
    PipelineTrial(PipelineControl &pipeline, const Candidate &candidate, const TrialLimits &limits,
                  const PipelineStatus &now);
    void take(const PipelineNotice &notice);
    void post();

    PipelineControl &m_pipeline;
    Trial m_trial;
    PipelineConfig m_posted; ///< The last requested configuration.
    /// Switches until the trial began: their notices can come later, and are not of another choice.
    std::uint64_t m_switchesBefore = 0;
    enum class Back : std::uint8_t { Settled, Asked, Made };
    Back m_back = Back::Settled; ///< The progress of the restore.
    bool m_lost = false;         ///< Nothing can be changed any more.
};

} // namespace jetscope
