// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/advice/trial.h"
#include "gpu/pipeline/pipelinecontrol.h"

#include <cstdint>
#include <string_view>

namespace jetscope {

/// Carries a Trial out on a pipeline that runs. Its owner goes on taking the update and hands each of them over.
/// Whatever ends the trial, the pipeline is told to go back to the configuration of before. The pipeline outlives it;
/// one thread, the pipeline's owner's; nothing waits.
class PipelineTrial {
public:
    PipelineTrial(PipelineControl &pipeline, const Candidate &candidate, const TrialLimits &limits = {});
    /// Ends it, if it is not over.
    ~PipelineTrial();
    PipelineTrial(const PipelineTrial &) = delete;
    PipelineTrial &operator=(const PipelineTrial &) = delete;

    /// Every one since it began, in order, with the time now.
    void take(const PipelineUpdate &update, std::int64_t ns);
    void cancel(std::string_view why = "it was cancelled");
    /// Somebody else changed the configuration, which stays as it is then.
    void giveWay();

    const Trial &trial() const { return m_trial; }
    /// Over, and what the pipeline was told to go back to is in force, or was refused: now another trial can begin.
    bool isBack() const;
    bool isOver() const { return m_trial.isOver(); }
    const TrialOutcome &outcome() const { return m_trial.outcome(); }

private:
    void take(const PipelineNotice &notice);
    void post();

    PipelineControl &m_pipeline;
    Trial m_trial;
    PipelineConfig m_posted; ///< What was asked for last.
    enum class Back : std::uint8_t { Settled, Asked, Made };
    Back m_back = Back::Settled; ///< How far it is on its way back.
    bool m_lost = false;         ///< Nothing can be changed any more.
};

} // namespace jetscope
