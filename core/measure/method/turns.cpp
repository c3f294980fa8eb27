// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/method/turns.h"

#include <cmath>
#include <numeric>
#include <random>
#include <utility>

namespace jetscope {

namespace {

/// std::shuffle differs between standard libraries; a sweep must resume with any build.
void shuffle(std::vector<std::size_t> &values, std::uint64_t seed, std::uint64_t round, std::uint64_t purpose)
{
    std::mt19937_64 random(seed * 0x9e3779b97f4a7c15u + round * 0xbf58476d1ce4e5b9u + purpose);
    for (std::size_t left = values.size(); left > 1; --left)
        std::swap(values[left - 1], values[random() % left]);
}

} // namespace

Turns::Turns(std::vector<std::size_t> groups, const TurnsMethod &method)
    : m_groups(std::move(groups)),
      m_method(method),
      m_rounds(std::max<std::size_t>(1, method.rounds)),
      m_mostRounds(m_rounds),
      m_out(m_groups.size()),
      m_done(m_groups.size()),
      m_tookNs(m_groups.size()),
      m_timed(m_groups.size()),
      m_order(orderOf(0))
{
    advance();
}

std::vector<std::size_t> Turns::orderOf(std::size_t round) const
{
    std::vector<std::size_t> cells(m_groups.size());
    std::iota(cells.begin(), cells.end(), std::size_t{0});
    if (m_method.order == TurnOrder::Mirrored) {
        if (round % 2 == 1)
            std::reverse(cells.begin(), cells.end());
        return cells;
    }
    shuffle(cells, m_method.seed, round, 0);
    std::vector<std::size_t> groups = m_groups;
    std::sort(groups.begin(), groups.end());
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    shuffle(groups, m_method.seed, round, 1);
    std::vector<std::size_t> order;
    for (const std::size_t group : groups)
        std::copy_if(cells.begin(), cells.end(), std::back_inserter(order),
                     [&](std::size_t cell) { return m_groups[cell] == group; });
    return order;
}

/// Of the first `rounds`, those that the cell lacks.
std::size_t Turns::leftOf(std::size_t cell, std::size_t rounds) const
{
    const std::vector<bool> &done = m_done[cell];
    const auto end = done.begin() + static_cast<std::ptrdiff_t>(std::min(rounds, done.size()));
    return m_out[cell] ? 0 : rounds - static_cast<std::size_t>(std::count(done.begin(), end, true));
}

/// To the first turn from the present place on that is still to be taken.
void Turns::advance()
{
    while (m_round < m_rounds) {
        for (; m_place < m_order.size(); ++m_place) {
            const std::size_t cell = m_order[m_place];
            if (!m_out[cell] && !(m_round < m_done[cell].size() && m_done[cell][m_round]))
                return;
        }
        ++m_round;
        m_place = 0;
        planRounds();
        m_order = orderOf(m_round);
    }
}

std::optional<CellTurn> Turns::next() const
{
    if (m_round >= m_rounds || m_place >= m_order.size())
        return std::nullopt;
    return CellTurn{m_order[m_place], m_round};
}

void Turns::done(std::int64_t tookNs)
{
    const std::optional<CellTurn> turn = next();
    if (!turn)
        return;
    resume(*turn, tookNs);
    if (m_round == 0) // Later rounds go on with what the end of the one before has planned.
        planRounds();
}

void Turns::drop(std::size_t cell)
{
    if (cell >= m_out.size())
        return;
    m_out[cell] = true;
    advance();
}

void Turns::failed(std::int64_t tookNs)
{
    m_elapsedNs += tookNs;
    if (const std::optional<CellTurn> turn = next())
        drop(turn->cell);
}

void Turns::resume(const CellTurn &measured, std::int64_t tookNs)
{
    // A damaged file must not cost memory, and its times must not overflow.
    constexpr std::size_t kMaxRounds = 100'000;
    constexpr std::int64_t kLongestNs = 1'000'000'000'000;
    if (measured.cell >= m_groups.size() || measured.round >= kMaxRounds)
        return;
    std::vector<bool> &rounds = m_done[measured.cell];
    rounds.resize(std::max(rounds.size(), measured.round + 1));
    if (rounds[measured.round])
        return;
    rounds[measured.round] = true;
    if (tookNs > 0) {
        tookNs = std::min(tookNs, kLongestNs);
        m_tookNs[measured.cell] += static_cast<double>(tookNs);
        ++m_timed[measured.cell];
        m_elapsedNs += tookNs;
    }
    advance();
}

void Turns::stopAfterRound()
{
    m_mostRounds = m_rounds = std::min(m_rounds, m_place == 0 ? m_round : m_round + 1);
}

/// How many rounds fit into the budget.
void Turns::planRounds()
{
    if (!m_method.budgetNs || meanNs() <= 0)
        return;
    m_rounds = m_mostRounds;
    const std::size_t fewest = std::min(std::max({m_method.fewest, m_round, std::size_t{1}}), m_mostRounds);
    while (m_rounds > fewest
           && static_cast<double>(m_elapsedNs) + remainingNs(m_rounds) > static_cast<double>(*m_method.budgetNs))
        --m_rounds;
}

// --- time

double Turns::meanNs() const
{
    const std::size_t timed = std::accumulate(m_timed.begin(), m_timed.end(), std::size_t{0});
    return timed > 0 ? std::accumulate(m_tookNs.begin(), m_tookNs.end(), 0.0) / static_cast<double>(timed) : 0;
}

double Turns::remainingNs(std::size_t rounds) const
{
    const double mean = meanNs();
    double sum = 0;
    for (std::size_t cell = 0; cell < m_groups.size(); ++cell)
        sum += static_cast<double>(leftOf(cell, rounds))
            * (m_timed[cell] > 0 ? m_tookNs[cell] / static_cast<double>(m_timed[cell]) : mean);
    return sum;
}

std::optional<std::int64_t> Turns::remainingNs() const
{
    if (meanNs() <= 0)
        return remainingTurns() == 0 ? std::optional<std::int64_t>(0) : std::nullopt;
    return std::llround(remainingNs(m_rounds));
}

double Turns::progress() const
{
    if (!next())
        return 1;
    const double elapsed = static_cast<double>(m_elapsedNs);
    return elapsed > 0 ? std::clamp(elapsed / (elapsed + remainingNs(m_rounds)), 0.0, 1.0) : 0;
}

std::optional<std::int64_t> Turns::leastNs() const
{
    if (meanNs() <= 0)
        return std::nullopt;
    return m_elapsedNs + std::llround(remainingNs(std::min(m_method.fewest, m_mostRounds)));
}

bool Turns::exceedsBudget() const
{
    return m_method.budgetNs && leastNs().value_or(0) > *m_method.budgetNs;
}

std::size_t Turns::completeRounds() const
{
    std::optional<std::size_t> fewest;
    std::size_t most = 0;
    for (std::size_t cell = 0; cell < m_groups.size(); ++cell) {
        const std::vector<bool> &done = m_done[cell];
        const auto rounds = static_cast<std::size_t>(std::find(done.begin(), done.end(), false) - done.begin());
        most = std::max(most, rounds);
        if (!m_out[cell])
            fewest = std::min(fewest.value_or(rounds), rounds);
    }
    return fewest.value_or(most);
}

std::size_t Turns::remainingTurns() const
{
    std::size_t left = 0;
    for (std::size_t cell = 0; cell < m_groups.size(); ++cell)
        left += leftOf(cell, m_rounds);
    return left;
}

std::size_t Turns::remainingCells() const
{
    return static_cast<std::size_t>(std::count(m_out.begin(), m_out.end(), false));
}

} // namespace jetscope
