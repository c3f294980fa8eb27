// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/measure/pipelinetrial.h"

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

constexpr std::size_t kMaxTurns = 14;
constexpr const char *kTooFewFrames = "too few frames came in the time that a trial may take";

ChoicePlan planOf(const PipelineConfig &now, const Candidate &candidate)
{
    return {{}, {{now, 0, 0}, {withCandidate(now, candidate), 0, 0}}, 0};
}

ChoiceLimits limitsOf(const TrialLimits &limits)
{
    ChoiceLimits turns;
    turns.nsEach = limits.ns / 2;
    turns.mostRounds = kMaxTurns;
    turns.order = TurnOrder::Mirrored;
    // A stretch is long enough for one batch, and short enough that disturbances by other programs affect both sides.
    turns.stretch.frames = StatisticsMethod().batch;
    turns.stretch.ns = 100'000'000;
    turns.stretch.mostNs = 400'000'000;
    turns.stretch.timeoutNs = 4 * limits.ns; // The limit of the trial comes first.
    return turns;
}

} // namespace

PipelineTrial::PipelineTrial(PipelineControl &pipeline, const Candidate &candidate, const TrialLimits &limits)
    : m_limits(limits),
      m_metric(candidate.metric == AdviceMetric::Period ? Figure::Period : Figure::FrameP50),
      m_run(pipeline, planOf(pipeline.status().config, candidate), limitsOf(limits))
{
}

void PipelineTrial::take(const PipelineUpdate &update, std::int64_t ns)
{
    const bool wasOver = isOver();
    m_run.take(update, ns);
    if (wasOver)
        return;
    m_beginNs = m_beginNs.value_or(ns);
    m_frames += update.figures.size();
    judge(ns);
    const auto ended = std::find_if(update.notices.begin(), update.notices.end(), [](const PipelineNotice &notice) {
        return notice.kind == PipelineNotice::Kind::Ended;
    });
    if (isOver())
        conclude();
    if (m_outcome.verdict == TrialVerdict::Unfinished && ended != update.notices.end())
        m_outcome.reason = "the source ended (" + ended->text + ") before there were enough turns";
}

/// Ends the trial if it need not, or must not, go on.
void PipelineTrial::judge(std::int64_t ns)
{
    const SweepResult &result = m_run.sweep().result;
    const bool isTurn = std::min(result.roundsOf(0), result.roundsOf(1)) > m_outcome.turns;
    if (isTurn)
        m_outcome = outcomeOf(comparePaired(result.roundFigures(0, m_metric), result.roundFigures(1, m_metric)));
    if (!result.failureOf(1).empty()
        || (isTurn && (isClear(m_outcome) || (isDue(1, ns) && m_outcome.turns >= kMinRounds))))
        m_run.cancel({});
    else if (isDue(2, ns))
        m_run.cancel(kTooFewFrames);
}

bool PipelineTrial::isDue(std::uint64_t times, std::int64_t ns) const
{
    return ns - *m_beginNs >= static_cast<std::int64_t>(times) * m_limits.ns || m_frames / times >= m_limits.frames;
}

void PipelineTrial::conclude()
{
    std::string_view why = m_run.sweep().result.failureOf(1);
    if (!why.empty()) {
        const std::string change = describeChange(m_run.plan().cells[0].config, other()) + ": ";
        why.remove_prefix(why.starts_with(change) ? change.size() : 0);
        m_outcome.verdict = TrialVerdict::Refused;
        m_outcome.reason = why;
    } else if (!m_run.endedEarly().empty() || m_outcome.turns < kMinRounds) {
        m_outcome.verdict = TrialVerdict::Unfinished;
        m_outcome.reason = m_run.endedEarly().empty() ? kTooFewFrames : m_run.endedEarly();
    }
}

void PipelineTrial::cancel(std::string why)
{
    if (isOver())
        return;
    m_run.cancel(std::move(why));
    conclude();
}

void PipelineTrial::giveWay()
{
    if (isOver())
        return;
    m_run.giveWay();
    conclude();
}

double PipelineTrial::progress() const
{
    const double frames = static_cast<double>(m_frames) / static_cast<double>(m_limits.frames);
    return std::clamp(std::max(m_run.progress(), frames), 0.0, 1.0);
}

} // namespace jetscope
