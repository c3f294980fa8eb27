// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/method/comparison.h"
#include "core/measure/method/turns.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace jetscope {

/// How much the logarithm of a stretch's figure varies within a round; shared by all races of a search, so that a race
/// knows the noise from its second round on.
class StretchNoise {
public:
    void add(double sumOfSquares, double degrees);
    double variance() const;
    double degrees() const { return kPriorDegrees + m_degrees; }

private:
    static constexpr double kPriorDegrees = 3;
    static constexpr double kPriorVariance = 0.02 * 0.02;

    double m_sum = 0;
    double m_degrees = 0;
};

/// Mirrored turns of cells until all but one are shown to be worse, or the rounds are used up. After each round a cell
/// leaves if it is worse than the leader of the race by more than the noise; after the first round only if it is so by
/// far. Pure state.
class TunerRace {
public:
    struct Method {
        std::size_t mostRounds = 6;
        double error = 0.005;    ///< Of each decision to drop a cell.
        bool drops = true;       ///< False: every cell takes part to the end.
        bool leaderWins = false; ///< The leader of the race wins even if its lead is not shown.
        /// The race also ends when the leader is shown to be at most this much worse than any cell that is left.
        double closeEnough = 0;
        Direction direction = Direction::LowerIsBetter;
    };

    /// The first cell is the champion.
    TunerRace(std::vector<std::size_t> cells, const Method &method);

    std::optional<std::size_t> wanted() const; ///< The cell of the next stretch; empty when the race is over.
    bool isOver() const { return !m_turns.next(); }
    /// The figure of the stretch of `wanted`; must be positive and finite.
    void add(double figure, StretchNoise &noise);
    /// The cell of `wanted` cannot run.
    void failed();
    /// Ends the race; the present round counts for the cells that have it.
    void stop() { m_turns.stop(); }

    const std::vector<std::size_t> &cells() const { return m_cells; }
    bool isAlive(std::size_t place) const { return m_turns.isIn(place); }
    std::size_t aliveCells() const { return m_turns.remainingCells(); }
    /// Whether the leader is shown to be at most `closeEnough` worse than any cell that is left.
    bool isCloseEnough(const StretchNoise &noise) const;
    bool hasFailed(std::size_t place) const { return m_failed[place]; }
    std::size_t stretchesOf(std::size_t place) const { return m_figures[place].size(); }
    std::size_t rounds() const; ///< In which a cell was measured.
    /// Place of the winner: the leader if the champion failed or was dropped, or is worse by more than the noise and by
    /// `least` at least, or if the leader wins anyway; else the champion.
    std::size_t winner(const StretchNoise &noise, double least) const;
    /// A cell compared with another one over the rounds that both have.
    Difference compare(std::size_t from, std::size_t to, const ComparisonMethod &method) const;
    /// Mean logarithm of the ratio of `to` to `from` over the rounds that both have; NaN if none.
    double logRatio(std::size_t from, std::size_t to) const;

private:
    void endRound(StretchNoise &noise);
    void addNoise(StretchNoise &noise) const;
    std::size_t leader() const;
    double noiseBound(std::size_t a, std::size_t b, const StretchNoise &noise) const;
    std::size_t commonRounds(std::size_t a, std::size_t b) const;

    std::vector<std::size_t> m_cells;
    Method m_method;
    Turns m_turns;                              ///< Of places.
    std::vector<std::vector<double>> m_figures; ///< By place and round, up to the last one that the cell has.
    std::vector<bool> m_failed;
};

} // namespace jetscope
