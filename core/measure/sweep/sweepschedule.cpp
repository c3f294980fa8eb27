// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/sweep/sweepschedule.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>

namespace jetscope {

namespace {

/// std::shuffle differs between standard libraries; a sweep must resume with any build.
void shuffle(std::vector<std::size_t> &values, std::mt19937_64 &random)
{
    for (std::size_t left = values.size(); left > 1; --left)
        std::swap(values[left - 1], values[random() % left]);
}

std::mt19937_64 randomOf(std::uint64_t seed, std::uint64_t round, std::uint64_t purpose)
{
    return std::mt19937_64(seed * 0x9e3779b97f4a7c15u + round * 0xbf58476d1ce4e5b9u + purpose);
}

} // namespace

SweepSchedule::SweepSchedule(std::vector<std::size_t> groups, const SweepScheduleMethod &method)
    : m_groups(std::move(groups)),
      m_method(method),
      m_rounds(std::max<std::size_t>(1, method.rounds)),
      m_mostRounds(m_rounds),
      m_failed(m_groups.size()),
      m_done(m_groups.size()),
      m_tookNs(m_groups.size()),
      m_timed(m_groups.size()),
      m_order(orderOf(0))
{
    advance();
}

std::vector<std::size_t> SweepSchedule::shuffledGroups(std::size_t round) const
{
    std::vector<std::size_t> groups = m_groups;
    std::sort(groups.begin(), groups.end());
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    std::mt19937_64 random = randomOf(m_method.seed, round, 1);
    shuffle(groups, random);
    return groups;
}

std::vector<std::size_t> SweepSchedule::orderOf(std::size_t round) const
{
    std::vector<std::size_t> cells(m_groups.size());
    std::iota(cells.begin(), cells.end(), std::size_t{0});
    std::mt19937_64 random = randomOf(m_method.seed, round, 0);
    shuffle(cells, random);
    const std::vector<std::size_t> groups = shuffledGroups(round);
    std::vector<std::size_t> order;
    for (const std::size_t group : groups)
        std::copy_if(cells.begin(), cells.end(), std::back_inserter(order),
                     [&](std::size_t cell) { return m_groups[cell] == group; });
    return order;
}

bool SweepSchedule::isDone(std::size_t cell, std::size_t round) const
{
    return round < m_done[cell].size() && m_done[cell][round];
}

/// To the first stretch from the present place on that is still to be measured.
void SweepSchedule::advance()
{
    while (m_round < m_rounds) {
        for (; m_place < m_order.size(); ++m_place)
            if (const std::size_t cell = m_order[m_place]; !m_failed[cell] && !isDone(cell, m_round))
                return;
        ++m_round;
        m_place = 0;
        planRounds();
        m_order = orderOf(m_round);
    }
}

std::optional<SweepStretch> SweepSchedule::next() const
{
    if (m_round >= m_rounds || m_place >= m_order.size())
        return std::nullopt;
    return SweepStretch{m_order[m_place], m_round};
}

void SweepSchedule::done(std::int64_t tookNs)
{
    if (const std::optional<SweepStretch> stretch = next())
        resume(*stretch, tookNs);
}

void SweepSchedule::drop(std::size_t cell)
{
    if (cell >= m_failed.size())
        return;
    m_failed[cell] = true;
    advance();
}

void SweepSchedule::failed()
{
    if (const std::optional<SweepStretch> stretch = next())
        drop(stretch->cell);
}

void SweepSchedule::resume(const SweepStretch &measured, std::int64_t tookNs)
{
    // A damaged file must not cost memory, and its times must not overflow.
    constexpr std::size_t kMostRounds = 100'000;
    constexpr std::int64_t kLongestNs = 1'000'000'000'000;
    if (measured.cell >= m_groups.size() || measured.round >= kMostRounds || isDone(measured.cell, measured.round))
        return;
    std::vector<bool> &rounds = m_done[measured.cell];
    rounds.resize(std::max(rounds.size(), measured.round + 1));
    rounds[measured.round] = true;
    if (tookNs > 0) {
        tookNs = std::min(tookNs, kLongestNs);
        m_tookNs[measured.cell] += static_cast<double>(tookNs);
        ++m_timed[measured.cell];
        m_elapsedNs += tookNs;
    }
    advance();
}

void SweepSchedule::stopAfterRound()
{
    m_mostRounds = m_rounds = std::min(m_rounds, m_place == 0 ? m_round : m_round + 1);
}

/// At the end of a round: how many rounds fit into the budget.
void SweepSchedule::planRounds()
{
    if (!m_method.budgetNs || meanNs() <= 0)
        return;
    m_rounds = m_mostRounds;
    const std::size_t fewest = std::min(std::max(kFewestRounds, m_round), m_mostRounds);
    while (m_rounds > fewest
           && static_cast<double>(m_elapsedNs) + remainingNs(m_rounds) > static_cast<double>(*m_method.budgetNs))
        --m_rounds;
}

// --- time

double SweepSchedule::meanNs() const
{
    const std::size_t timed = std::accumulate(m_timed.begin(), m_timed.end(), std::size_t{0});
    return timed > 0 ? std::accumulate(m_tookNs.begin(), m_tookNs.end(), 0.0) / static_cast<double>(timed) : 0;
}

double SweepSchedule::expectedNs(std::size_t cell) const
{
    return m_timed[cell] > 0 ? m_tookNs[cell] / static_cast<double>(m_timed[cell]) : meanNs();
}

double SweepSchedule::remainingNs(std::size_t rounds) const
{
    const double mean = meanNs();
    double sum = 0;
    for (std::size_t cell = 0; cell < m_groups.size(); ++cell) {
        if (m_failed[cell])
            continue;
        std::size_t left = 0;
        for (std::size_t round = 0; round < rounds; ++round)
            left += isDone(cell, round) ? 0 : 1;
        sum += static_cast<double>(left) * (m_timed[cell] > 0 ? expectedNs(cell) : mean);
    }
    return sum;
}

std::optional<std::int64_t> SweepSchedule::remainingNs() const
{
    if (meanNs() <= 0)
        return remainingStretches() == 0 ? std::optional<std::int64_t>(0) : std::nullopt;
    return std::llround(remainingNs(m_rounds));
}

double SweepSchedule::progress() const
{
    if (!next())
        return 1;
    const double elapsed = static_cast<double>(m_elapsedNs);
    return elapsed > 0 ? std::clamp(elapsed / (elapsed + remainingNs(m_rounds)), 0.0, 1.0) : 0;
}

std::optional<std::int64_t> SweepSchedule::leastNs() const
{
    if (meanNs() <= 0)
        return std::nullopt;
    return m_elapsedNs + std::llround(remainingNs(std::min(kFewestRounds, m_mostRounds)));
}

bool SweepSchedule::exceedsBudget() const
{
    return m_method.budgetNs && leastNs().value_or(0) > *m_method.budgetNs;
}

std::size_t SweepSchedule::completeRounds() const
{
    for (std::size_t round = 0; round < m_rounds; ++round)
        for (std::size_t cell = 0; cell < m_groups.size(); ++cell)
            if (!m_failed[cell] && !isDone(cell, round))
                return round;
    return m_rounds;
}

std::size_t SweepSchedule::remainingStretches() const
{
    std::size_t left = 0;
    for (std::size_t cell = 0; cell < m_groups.size(); ++cell)
        for (std::size_t round = 0; round < m_rounds && !m_failed[cell]; ++round)
            left += isDone(cell, round) ? 0 : 1;
    return left;
}

std::size_t SweepSchedule::remainingCells() const
{
    return static_cast<std::size_t>(std::count(m_failed.begin(), m_failed.end(), false));
}

} // namespace jetscope
