// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/measure/sweeprun.h"

#include "gpu/measure/samplecapture.h"

#include <utility>

namespace jetscope {

namespace {

std::vector<SweepSize> sizesOf(const SweepPlan &plan)
{
    std::vector<SweepSize> sizes;
    for (const SweepCell &cell : plan.cells)
        sizes.push_back(cell.size());
    return sizes;
}

std::vector<std::string> worksOf(const SweepPlan &plan)
{
    std::vector<std::string> works;
    for (const SweepCell &cell : plan.cells)
        works.push_back(workKey(cell));
    return works;
}

} // namespace

Sweep::Sweep(SweepPlan cells, TraceFileHeader sampleHeader, const TurnsMethod &method, Figure rankedBy)
    : plan(std::move(cells)),
      turns(groupsOf(std::span<const SweepSize>(sizesOf(plan))), method),
      result(plan.cells.size()),
      header(std::move(sampleHeader)),
      figure(rankedBy),
      works(groupsOf(std::span<const std::string>(worksOf(plan))))
{
}

void Sweep::resume(const StoredSweep &stored)
{
    result = stored.result;
    for (const KeptStretch &kept : stored.stretches)
        turns.resume(kept.stretch, kept.tookNs);
    for (std::size_t cell = 0; cell < stored.failures.size(); ++cell)
        if (!stored.failures[cell].empty())
            turns.drop(cell);
}

SweepRun::SweepRun(PipelineControl &pipeline, Sweep &sweep, SweepFile &file, SourceForSize address,
                   const StretchLimits &limits)
    : m_sweep(sweep), m_file(file), m_runner(pipeline, std::move(address), limits), m_sampled(sweep.plan.cells.size())
{
}

void SweepRun::take(const PipelineUpdate &update, std::int64_t ns)
{
    if (m_over || !m_runner.take(update, ns))
        return;
    if (m_runner.state() == StretchRunner::State::Done)
        keep();
    else if (m_runner.state() == StretchRunner::State::Failed)
        dropCell();
    m_over = m_trouble || lost();
    if (!m_over)
        begin(ns);
}

void SweepRun::begin(std::int64_t ns)
{
    const std::optional<CellTurn> next = current();
    m_over = !next;
    if (next)
        m_runner.begin(*next, m_sweep.plan.cells[next->cell], keepsSample(*next), ns);
}

void SweepRun::keep()
{
    const KeptStretch &taken = m_runner.taken();
    Status kept = m_file.add(taken);
    if (kept.ok() && keepsSample(taken.stretch))
        kept = keepSample(taken.stretch.cell);
    if (!kept.ok()) {
        m_trouble = kept.error();
        return;
    }
    m_sweep.result.add(taken.stretch.cell, taken.stretch.round, taken.figures);
    const std::size_t before = m_sweep.turns.completeRounds();
    m_sweep.turns.done(taken.tookNs);
    if (m_sweep.turns.completeRounds() != before && m_sweep.result.isSettled(m_sweep.figure, m_sweep.works))
        m_sweep.turns.stopAfterRound();
}

void SweepRun::dropCell()
{
    const std::optional<CellTurn> failed = current();
    if (!failed)
        return;
    m_sweep.result.fail(failed->cell, m_runner.failure());
    m_sweep.turns.failed();
    if (const Status written = m_file.addFailure(failed->cell, m_runner.failure()); !written.ok())
        m_trouble = written.error();
}

/// Not of the first round, whose frames are the first ones of the process.
bool SweepRun::keepsSample(const CellTurn &stretch) const
{
    return !m_sampled[stretch.cell] && (stretch.round > 0 || m_sweep.turns.rounds() == 1);
}

Status SweepRun::keepSample(std::size_t cell)
{
    m_sampled[cell] = true;
    TraceFileHeader header = m_sweep.header;
    header.origin.config = m_sweep.plan.cells[cell].config;
    JETSCOPE_TRY_ASSIGN(const std::vector<std::byte> capture, sampleCapture(header, m_runner.takeUpdates()));
    return m_file.addSample(cell, capture);
}

} // namespace jetscope
