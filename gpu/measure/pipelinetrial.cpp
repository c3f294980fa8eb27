// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/measure/pipelinetrial.h"

namespace jetscope {

PipelineTrial::PipelineTrial(PipelineControl &pipeline, const Candidate &candidate, const TrialLimits &limits)
    : PipelineTrial(pipeline, candidate, limits, pipeline.status())
{
}

PipelineTrial::PipelineTrial(PipelineControl &pipeline, const Candidate &candidate, const TrialLimits &limits,
                             const PipelineStatus &now)
    : m_pipeline(pipeline),
      m_trial(now.config, candidate, limits, static_cast<std::uint32_t>(now.frames)),
      m_posted(m_trial.wanted()),
      m_switchesBefore(now.switches)
{
}

PipelineTrial::~PipelineTrial()
{
    cancel();
}

void PipelineTrial::take(const PipelineUpdate &update, std::int64_t ns)
{
    for (const PipelineNotice &notice : update.notices)
        take(notice);
    if (isOver())
        return post();
    m_trial.add(update.figures);
    m_trial.tick(ns);
    post();
}

void PipelineTrial::take(const PipelineNotice &notice)
{
    if (m_back == Back::Asked && notice.kind == PipelineNotice::Kind::Switched)
        m_back = Back::Made;
    else if (notice.kind == PipelineNotice::Kind::Refused || notice.kind == PipelineNotice::Kind::Failed)
        m_back = Back::Settled;
    switch (notice.kind) {
    case PipelineNotice::Kind::Switched:
        if (notice.counts.switches > m_switchesBefore && notice.ofSource)
            m_trial.stop("the source was changed in between");
        else if (notice.counts.switches > m_switchesBefore)
            m_trial.switched(notice.frame, notice.text);
        break;
    case PipelineNotice::Kind::Refused:
        m_trial.refused(notice.text);
        break;
    case PipelineNotice::Kind::Ended:
        m_trial.stop("the source ended (" + notice.text + ") before there were enough turns");
        break;
    case PipelineNotice::Kind::Failed:
        m_lost = notice.deviceLost;
        m_trial.stop("the pipeline stopped: " + notice.text);
        break;
    case PipelineNotice::Kind::Violation:
    case PipelineNotice::Kind::Dropped:
    case PipelineNotice::Kind::Untraced:
    case PipelineNotice::Kind::Gap:
    case PipelineNotice::Kind::Stage:
    case PipelineNotice::Kind::Machine:
        break;
    }
}

void PipelineTrial::cancel(std::string_view why)
{
    if (isOver())
        return;
    m_trial.stop(why);
    post();
}

/// A pipeline reports a switch shortly before its status shows it.
bool PipelineTrial::isBack() const
{
    if (!isOver() || m_back == Back::Asked)
        return false;
    return m_back == Back::Settled || m_pipeline.status().config == m_trial.wanted();
}

void PipelineTrial::giveWay()
{
    m_trial.stop("another choice was made in between", false);
}

void PipelineTrial::post()
{
    if (m_lost || (isOver() && !m_trial.goesBack()) || m_trial.wanted() == m_posted)
        return;
    m_posted = m_trial.wanted();
    m_back = isOver() && m_pipeline.status().config == m_trial.other() ? Back::Asked : Back::Settled;
    m_pipeline.change(m_posted);
}

} // namespace jetscope
