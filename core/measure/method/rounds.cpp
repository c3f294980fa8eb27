// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/method/rounds.h"

#include "core/time/clock.h"

#include <cmath>
#include <limits>

namespace jetscope {

namespace {

constexpr const char *kNoValue = "No round gave a value of it.";

TurnsMethod turnsOf(const RoundsMethod &method)
{
    return {.seed = method.seed,
            .rounds = method.most + 1,
            .budgetNs = method.budgetNs,
            .fewest = std::min(method.fewest, method.most) + 1};
}

} // namespace

std::size_t RoundSeries::count() const
{
    return static_cast<std::size_t>(
        std::count_if(rounds.begin(), rounds.end(), [](double value) { return std::isfinite(value); }));
}

Rounds::Rounds(std::vector<RoundStep> steps, RoundsMethod method)
    : m_steps(std::move(steps)),
      m_method(std::move(method)),
      m_turns(std::vector<std::size_t>(m_steps.size()), turnsOf(m_method))
{
    for (const RoundStep &step : m_steps)
        for (const std::string &key : step.keys)
            m_series[key];
}

void Rounds::step()
{
    const std::optional<CellTurn> turn = m_turns.next();
    if (!turn)
        return;
    const auto now = [this] { return m_method.clock ? m_method.clock() : nowNs(); };
    const RoundStep &step = m_steps[turn->cell];
    const std::int64_t beginNs = now();
    RoundFigures figures;
    const Status done = step.run(figures);
    m_lastError = done.ok() ? std::nullopt : std::optional(done.error());
    for (const std::string &key : step.keys)
        if (m_lastError)
            m_series[key].failure = m_lastError->message();
    if (turn->round > 0)
        for (const auto &[key, value] : figures) {
            RoundSeries &series = m_series[key];
            series.rounds.resize(turn->round - 1, std::numeric_limits<double>::quiet_NaN());
            series.rounds.push_back(value);
            if (series.failure == kNoValue)
                series.failure.clear();
        }
    for (const std::string &key : step.keys)
        if (RoundSeries &series = m_series[key]; series.count() == 0 && series.failure.empty())
            series.failure = kNoValue;
    if (m_lastError)
        m_turns.failed(now() - beginNs);
    else
        m_turns.done(now() - beginNs);
}

std::optional<std::int64_t> Rounds::longerNs() const
{
    return m_turns.completeRounds() > 0 && m_turns.exceedsBudget() ? m_turns.leastNs() : std::nullopt;
}

void Rounds::stop(const std::string &reason)
{
    m_turns.stop();
    m_stopReason = reason;
    for (auto &[key, series] : m_series)
        if (series.count() < m_method.fewest && series.failure.empty())
            series.failure = reason;
}

const RoundSeries *Rounds::find(const std::string &key) const
{
    const auto found = m_series.find(key);
    return found == m_series.end() ? nullptr : &found->second;
}

} // namespace jetscope
