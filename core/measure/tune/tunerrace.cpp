// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/tune/tunerrace.h"

#include "core/measure/method/studentt.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace jetscope {

namespace {

/// After a single round a cell is dropped only if it is worse by this much and by far more than the noise.
constexpr double kHopeless = 0.10;
constexpr double kHopelessNoise = 2;

} // namespace

void StretchNoise::add(double sumOfSquares, double degrees)
{
    // A single disturbed stretch must not hide differences for the rest of the search.
    m_sum += std::min(sumOfSquares, 9 * variance() * degrees);
    m_degrees += degrees;
}

double StretchNoise::variance() const
{
    return (kPriorDegrees * kPriorVariance + m_sum) / (kPriorDegrees + m_degrees);
}

TunerRace::TunerRace(std::vector<std::size_t> cells, const Method &method)
    : m_cells(std::move(cells)),
      m_method(method),
      m_turns(std::vector<std::size_t>(m_cells.size()), {.rounds = method.mostRounds, .order = TurnOrder::Mirrored}),
      m_figures(m_cells.size()),
      m_failed(m_cells.size())
{
}

std::optional<std::size_t> TunerRace::wanted() const
{
    const std::optional<CellTurn> turn = m_turns.next();
    return turn ? std::optional(m_cells[turn->cell]) : std::nullopt;
}

void TunerRace::add(double figure, StretchNoise &noise)
{
    const std::optional<CellTurn> turn = m_turns.next();
    if (!turn)
        return;
    m_figures[turn->cell].push_back(figure);
    m_turns.done();
    if (m_turns.completeRounds() > turn->round)
        endRound(noise);
}

void TunerRace::failed()
{
    const std::optional<CellTurn> turn = m_turns.next();
    if (!turn)
        return;
    m_failed[turn->cell] = true;
    m_turns.failed(); // The noise of a round that ends with it is not needed.
    if (aliveCells() < 2)
        stop();
}

std::size_t TunerRace::rounds() const
{
    return std::max_element(m_figures.begin(), m_figures.end(),
                            [](const auto &a, const auto &b) { return a.size() < b.size(); })
        ->size();
}

std::size_t TunerRace::commonRounds(std::size_t a, std::size_t b) const
{
    return std::min(m_figures[a].size(), m_figures[b].size());
}

double TunerRace::logRatio(std::size_t from, std::size_t to) const
{
    const std::size_t common = commonRounds(from, to);
    double sum = 0;
    for (std::size_t round = 0; round < common; ++round)
        sum += std::log(m_figures[to][round] / m_figures[from][round]);
    return common > 0 ? sum / static_cast<double>(common) : std::numeric_limits<double>::quiet_NaN();
}

std::size_t TunerRace::leader() const
{
    const double sign = m_method.direction == Direction::LowerIsBetter ? 1 : -1;
    std::size_t best = m_cells.size();
    for (std::size_t place = 0; place < m_cells.size(); ++place)
        if (isAlive(place) && (best == m_cells.size() || sign * logRatio(best, place) < 0))
            best = place;
    return best == m_cells.size() ? 0 : best;
}

/// Of the last round, against the mean of the rounds before it: what neither the cell nor the round explains.
void TunerRace::addNoise(StretchNoise &noise) const
{
    const std::size_t last = rounds() - 1;
    if (last == 0)
        return;
    std::vector<double> rests;
    for (std::size_t place = 0; place < m_cells.size(); ++place) {
        if (!isAlive(place))
            continue;
        double before = 0;
        for (std::size_t round = 0; round < last; ++round)
            before += std::log(m_figures[place][round]) / static_cast<double>(last);
        rests.push_back(std::log(m_figures[place][last]) - before);
    }
    double mean = 0;
    for (const double rest : rests)
        mean += rest / static_cast<double>(rests.size());
    double sum = 0;
    for (const double rest : rests)
        sum += (rest - mean) * (rest - mean);
    const double rounds = static_cast<double>(last);
    if (std::isfinite(sum))
        noise.add(sum * rounds / (rounds + 1), static_cast<double>(rests.size()) - 1);
}

/// What the mean logarithm of the ratio of two equal cells does not exceed, but for the error.
double TunerRace::noiseBound(std::size_t a, std::size_t b, const StretchNoise &noise) const
{
    const double common = static_cast<double>(commonRounds(a, b));
    return studentQuantile(m_method.error, noise.degrees()) * std::sqrt(2 * noise.variance() / common);
}

void TunerRace::endRound(StretchNoise &noise)
{
    addNoise(noise);
    const std::size_t best = leader();
    const double sign = m_method.direction == Direction::LowerIsBetter ? 1 : -1;
    for (std::size_t place = 0; place < m_cells.size() && m_method.drops; ++place) {
        if (!isAlive(place) || place == best)
            continue;
        double needed = noiseBound(best, place, noise);
        if (commonRounds(best, place) < 2)
            needed = std::max(kHopeless, kHopelessNoise * needed);
        if (sign * logRatio(best, place) > needed)
            m_turns.drop(place);
    }
    if (aliveCells() < 2 || isCloseEnough(noise))
        stop();
}

bool TunerRace::isCloseEnough(const StretchNoise &noise) const
{
    if (m_method.closeEnough <= 0 || rounds() < 2)
        return false;
    const std::size_t best = leader();
    const double sign = m_method.direction == Direction::LowerIsBetter ? 1 : -1;
    for (std::size_t place = 0; place < m_cells.size(); ++place)
        if (isAlive(place) && place != best
            && noiseBound(best, place, noise) - sign * logRatio(best, place) > m_method.closeEnough)
            return false;
    return true;
}

std::size_t TunerRace::winner(const StretchNoise &noise, double least) const
{
    const std::size_t best = leader();
    if (best == 0 || m_failed[0] || !isAlive(0))
        return best;
    // After a single round only what is far better would be believed; races of so little time decide nothing.
    if (commonRounds(0, best) < 2)
        return 0;
    const bool isShown =
        m_method.leaderWins || std::abs(logRatio(0, best)) > std::max(std::log1p(least), noiseBound(0, best, noise));
    return isShown ? best : 0;
}

Difference TunerRace::compare(std::size_t from, std::size_t to, const ComparisonMethod &method) const
{
    return comparePaired(m_figures[from], m_figures[to], method);
}

} // namespace jetscope
