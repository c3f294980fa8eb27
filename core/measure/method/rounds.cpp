// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/method/rounds.h"

#include "core/time/clock.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace jetscope {

std::size_t RoundSeries::count() const
{
    return static_cast<std::size_t>(
        std::count_if(rounds.begin(), rounds.end(), [](double value) { return std::isfinite(value); }));
}

Rounds::Rounds(std::vector<RoundStep> steps, RoundsMethod method)
    : m_steps(std::move(steps)), m_method(std::move(method)), m_random(m_method.seed * 2 + 1)
{
    for (const RoundStep &step : m_steps)
        for (const std::string &key : step.keys)
            m_series[key];
    m_beginNs = now();
    m_over = m_steps.empty();
    beginRound();
}

std::int64_t Rounds::now() const
{
    return m_method.clock ? m_method.clock() : nowNs();
}

void Rounds::beginRound()
{
    m_roundNs = now();
    m_order.resize(m_steps.size());
    std::iota(m_order.begin(), m_order.end(), std::size_t{0});
    for (std::size_t i = m_order.size(); i > 1; --i) {
        m_random = m_random * 1664525U + 1013904223U;
        std::swap(m_order[i - 1], m_order[(m_random >> 8U) % i]);
    }
}

void Rounds::step()
{
    if (m_over)
        return;
    RoundStep &step = m_steps[m_order.back()];
    m_order.pop_back();
    m_lastError.reset();
    RoundFigures figures;
    if (step.run) {
        if (const Status done = step.run(figures); !done.ok()) {
            m_lastError = done.error();
            step.run = nullptr;
            for (const std::string &key : step.keys)
                m_series[key].failure = done.error().message();
        }
    }
    if (m_round > 0)
        for (const auto &[key, value] : figures) {
            std::vector<double> &rounds = m_series[key].rounds;
            rounds.resize(m_round - 1, std::numeric_limits<double>::quiet_NaN());
            rounds.push_back(value);
        }
    if (m_order.empty())
        endRound();
}

void Rounds::endRound()
{
    m_longestNs = std::max(m_longestNs, now() - m_roundNs);
    m_complete = m_round++;
    const bool anyLeft = std::any_of(m_steps.begin(), m_steps.end(), [](const RoundStep &step) { return !!step.run; });
    m_over = !anyLeft || m_complete >= m_method.most || elapsedNs() + m_longestNs > m_method.budgetNs;
    if (!m_over)
        beginRound();
}

void Rounds::stop(const std::string &reason)
{
    m_over = true;
    for (auto &[key, series] : m_series)
        if (series.count() < m_method.fewest && series.failure.empty())
            series.failure = reason;
}

std::int64_t Rounds::elapsedNs() const
{
    return now() - m_beginNs;
}

std::int64_t Rounds::expectedNs() const
{
    const auto rounds = static_cast<std::int64_t>(m_method.most + 1);
    return m_longestNs > 0 ? std::min(m_method.budgetNs, m_longestNs * rounds) : m_method.budgetNs;
}

double Rounds::progress() const
{
    if (m_over)
        return 1;
    const double share =
        static_cast<double>(elapsedNs()) / static_cast<double>(std::max<std::int64_t>(1, expectedNs()));
    return std::clamp(share, 0.0, 1.0);
}

std::optional<std::int64_t> Rounds::remainingNs() const
{
    if (m_longestNs == 0)
        return std::nullopt;
    return std::max<std::int64_t>(0, expectedNs() - elapsedNs());
}

const RoundSeries *Rounds::find(const std::string &key) const
{
    const auto found = m_series.find(key);
    return found == m_series.end() ? nullptr : &found->second;
}

} // namespace jetscope
