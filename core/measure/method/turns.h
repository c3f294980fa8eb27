// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace jetscope {

/// Fewest rounds for a verdict (ComparisonMethod::fewest).
inline constexpr std::size_t kMinRounds = 4;

/// The turn of a cell in one round, such as a stretch of frames.
struct CellTurn {
    std::size_t cell = 0;
    std::size_t round = 0;

    bool operator==(const CellTurn &) const = default;
};

enum class TurnOrder : std::uint8_t {
    /// Shuffled anew for each round, so that drift within a round favours no cell. Depends on seed and number of the
    /// round only, so that a sweep can be resumed.
    Shuffled,
    /// Each round goes back the way of the one before, A B B A A B: a steady drift favours no cell, and a round begins
    /// with the cell that is in force.
    Mirrored,
};

struct TurnsMethod {
    std::uint64_t seed = 1;
    /// At most this many rounds.
    std::size_t rounds = 8;
    /// Time for all. There are as many rounds as fit by the time that turns took so far, between `fewest` and `rounds`;
    /// the limit on time does not count while there are fewer than `fewest`.
    std::optional<std::int64_t> budgetNs{};
    std::size_t fewest = kMinRounds;
    TurnOrder order = TurnOrder::Shuffled;
};

/// Whose turn it is where cells are measured by turns: rounds, each of which visits every cell once. Disturbances and
/// drift hit all cells alike, and the figures of a round can be compared in pairs. Shuffled cells of one group, such as
/// a size of the source, stay together in a round, because a change of group reopens the source; the groups are
/// shuffled, too. No clock, no threads: the owner measures `next` and reports what happened.
class Turns {
public:
    /// `groups[c]` is the group of cell c.
    Turns(std::vector<std::size_t> groups, const TurnsMethod &method);

    /// The next turn; empty when all rounds are complete.
    std::optional<CellTurn> next() const;
    /// `next` was measured and took this time, with the switch to it; 0 if unknown.
    void done(std::int64_t tookNs = 0);
    /// The cell is visited no more. Its finished rounds remain in the result. Unknown cells are ignored.
    void drop(std::size_t cell);
    /// The cell of `next` failed after this time: drops it.
    void failed(std::int64_t tookNs = 0);
    /// Before the first call of `next` or between turns: this one was measured earlier and is not repeated. Unknown
    /// cells are ignored.
    void resume(const CellTurn &measured, std::int64_t tookNs = 0);
    /// No further round begins; the present one is completed, so that all cells have the same rounds.
    void stopAfterRound();
    void stop() { m_rounds = m_mostRounds = 0; }

    std::size_t rounds() const { return m_rounds; } ///< Planned; may change while there is a budget.
    /// Rounds that every remaining cell has, from the first one on; if none remains, those that any has.
    std::size_t completeRounds() const;
    std::size_t remainingTurns() const;
    std::size_t remainingCells() const; ///< Neither failed nor dropped.
    bool isIn(std::size_t cell) const { return !m_out.at(cell); }

    /// Expected time to the end: for each cell the mean of its turns so far, for cells without any the mean of all.
    /// Empty before the first turn.
    std::optional<std::int64_t> remainingNs() const;
    std::int64_t elapsedNs() const { return m_elapsedNs; }
    double progress() const; ///< 0..1 by expected time.
    /// Expected time of `fewest` rounds, or of the present limit of rounds if that is lower. Empty before the first
    /// turn.
    std::optional<std::int64_t> leastNs() const;
    /// Whether `fewest` rounds are expected to take longer than the budget; they are measured all the same.
    bool exceedsBudget() const;

    /// The cells of a round in their order.
    std::vector<std::size_t> orderOf(std::size_t round) const;

private:
    std::size_t leftOf(std::size_t cell, std::size_t rounds) const;
    void advance();
    void planRounds();
    double meanNs() const;
    double remainingNs(std::size_t rounds) const;

    std::vector<std::size_t> m_groups;
    TurnsMethod m_method;
    std::size_t m_rounds;
    std::size_t m_mostRounds;
    std::vector<bool> m_out;               ///< Cells that are visited no more.
    std::vector<std::vector<bool>> m_done; ///< For each cell, by round.
    std::vector<double> m_tookNs;          ///< Sum for each cell.
    std::vector<std::size_t> m_timed;      ///< Turns in that sum.
    std::int64_t m_elapsedNs = 0;
    std::size_t m_round = 0;
    std::size_t m_place = 0; ///< In m_order.
    std::vector<std::size_t> m_order;
};

/// Numbers equal values alike, in the order of first appearance: the groups of cells from their sizes.
template <class T>
std::vector<std::size_t> groupsOf(std::span<const T> values)
{
    std::vector<T> seen;
    std::vector<std::size_t> groups;
    for (const T &value : values) {
        groups.push_back(static_cast<std::size_t>(std::find(seen.begin(), seen.end(), value) - seen.begin()));
        if (groups.back() == seen.size())
            seen.push_back(value);
    }
    return groups;
}

} // namespace jetscope
