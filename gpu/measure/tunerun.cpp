// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/measure/tunerun.h"

namespace jetscope {

namespace {

/// Shorter than those of a sweep: where stretches of one cell differ by more than their frames explain, many short ones
/// by turns show more in the same time than few long ones.
StretchLimits shortStretches()
{
    StretchLimits limits;
    limits.ns = 100'000'000;
    return limits;
}

} // namespace

TuneRun::TuneRun(PipelineControl &pipeline, Tuner &tuner, Figure metric)
    : m_tuner(tuner),
      m_metric(metric),
      m_runner(
          pipeline, [](SweepSize) -> Result<std::string> { return sentence("a search has one size of frames"); },
          shortStretches())
{
}

void TuneRun::take(const PipelineUpdate &update, std::int64_t ns)
{
    if (isOver() || !m_runner.take(update, ns))
        return;
    const double seconds = static_cast<double>(ns - m_beginNs) / 1e9;
    if (lost())
        return m_tuner.stop("the pipeline stopped: " + m_runner.failure());
    if (m_runner.state() == StretchRunner::State::Done)
        m_tuner.add(m_runner.taken().figures.batches[static_cast<std::size_t>(m_metric)], seconds);
    else if (m_runner.state() == StretchRunner::State::Failed)
        m_tuner.failed(m_runner.failure(), seconds);
    begin(ns);
}

void TuneRun::begin(std::int64_t ns)
{
    m_beginNs = ns;
    if (const std::optional<std::size_t> wanted = m_tuner.wanted())
        m_runner.begin({*wanted, m_stretches++}, m_tuner.cells()[*wanted], false, ns);
}

} // namespace jetscope
