// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/measure/choicerun.h"

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

TurnsMethod turnsMethod(const ChoicePlan &plan, const ChoiceLimits &limits)
{
    TurnsMethod method;
    method.seed = limits.seed;
    method.rounds = std::max(kMinRounds, limits.mostRounds);
    method.order = limits.order;
    method.budgetNs = limits.nsEach * static_cast<std::int64_t>(plan.cells.size());
    return method;
}

StoredSweep emptySweep(const ChoicePlan &plan)
{
    StoredSweep sweep;
    sweep.plan.cells = plan.cells;
    sweep.result = SweepResult(plan.cells.size());
    sweep.failures.resize(plan.cells.size());
    return sweep;
}

} // namespace

ChoiceRun::ChoiceRun(PipelineControl &pipeline, ChoicePlan plan, const ChoiceLimits &limits)
    : m_pipeline(pipeline),
      m_plan(std::move(plan)),
      m_limits(limits),
      m_switchesBefore(pipeline.status().switches),
      m_before(m_plan.cells[m_plan.present].config),
      m_sweep(emptySweep(m_plan)),
      m_turns(std::vector<std::size_t>(m_plan.cells.size()), turnsMethod(m_plan, limits)),
      m_runner(
          pipeline, [](SweepSize) -> Result<std::string> { return sentence("the size of frames stays the same"); },
          limits.stretch)
{
}

ChoiceRun::~ChoiceRun()
{
    cancel();
}

void ChoiceRun::take(const PipelineUpdate &update, std::int64_t ns)
{
    for (const PipelineNotice &notice : update.notices)
        take(notice);
    if (m_over || !m_runner.take(update, ns))
        return;
    if (m_runner.lost())
        return end("the pipeline stopped: " + m_runner.failure(), !m_runner.deviceLost());
    if (m_runner.replaced())
        return giveWay();
    if (m_runner.state() == StretchRunner::State::Done)
        keep();
    else if (m_runner.state() == StretchRunner::State::Failed)
        drop();
    if (!m_over)
        begin(ns);
}

void ChoiceRun::take(const PipelineNotice &notice)
{
    const bool switched = notice.kind == PipelineNotice::Kind::Switched;
    if (m_back == Back::Asked && switched)
        m_back = Back::Made;
    else if (notice.kind == PipelineNotice::Kind::Refused || notice.kind == PipelineNotice::Kind::Failed)
        m_back = Back::Settled;
    if (switched && notice.ofSource && notice.counts.switches > m_switchesBefore)
        end("the source was changed in between", true);
}

void ChoiceRun::begin(std::int64_t ns)
{
    if (const std::optional<CellTurn> next = m_turns.next())
        m_runner.begin(*next, m_plan.cells[next->cell], false, ns);
    else
        end({}, true);
}

void ChoiceRun::keep()
{
    KeptStretch taken = m_runner.taken();
    m_sweep.result.add(taken.stretch.cell, taken.stretch.round, std::move(taken.figures));
    taken.figures = {};
    m_turns.done(taken.tookNs);
    m_sweep.stretches.push_back(std::move(taken));
}

void ChoiceRun::drop()
{
    const std::optional<CellTurn> failed = m_turns.next();
    if (!failed)
        return;
    m_sweep.result.fail(failed->cell, m_runner.failure());
    m_sweep.failures[failed->cell] = m_runner.failure();
    m_turns.failed();
    if (failed->cell == m_plan.present) // Nothing is left to compare with.
        end("the present choice failed: " + m_runner.failure(), true);
}

/// Also while the switch to another cell is still pending: a newer request replaces it, or is made after it.
void ChoiceRun::end(std::string why, bool goesBack)
{
    if (std::exchange(m_over, true))
        return;
    m_why = std::move(why);
    const std::optional<CellTurn> last = m_turns.next();
    const bool isBefore = m_pipeline.status().config == m_before
        && (!last || m_runner.state() == StretchRunner::State::Idle || m_plan.cells[last->cell].config == m_before);
    if (!goesBack || isBefore)
        return;
    // Nothing is reported of a change to what there is.
    m_back = m_pipeline.status().config == m_before ? Back::Made : Back::Asked;
    m_pipeline.change(m_before);
}

bool ChoiceRun::isBack() const
{
    if (!m_over || m_back == Back::Asked)
        return false;
    return m_back == Back::Settled || m_pipeline.status().config == m_before;
}

std::optional<std::size_t> ChoiceRun::current() const
{
    const std::optional<CellTurn> next = m_turns.next();
    return m_over || !next ? std::nullopt : std::optional(next->cell);
}

std::int64_t ChoiceRun::remainingNs() const
{
    if (m_over)
        return 0;
    return m_turns.remainingNs().value_or(m_limits.nsEach * static_cast<std::int64_t>(m_plan.cells.size()));
}

} // namespace jetscope
