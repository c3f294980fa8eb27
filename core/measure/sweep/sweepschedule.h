// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace jetscope {

/// Fewest rounds for a verdict (ComparisonMethod::fewest).
inline constexpr std::size_t kFewestRounds = 4;

struct SweepScheduleMethod {
    std::uint64_t seed = 1;
    /// At most this many rounds.
    std::size_t rounds = 8;
    /// Time for the whole sweep. The schedule does as many rounds as fit by the time that stretches took so far,
    /// between kFewestRounds and `rounds`; the limit on time does not count while there are fewer than kFewestRounds.
    std::optional<std::int64_t> budgetNs;
};

/// A stretch of frames of one cell in one round.
struct SweepStretch {
    std::size_t cell = 0;
    std::size_t round = 0;

    bool operator==(const SweepStretch &) const = default;
};

/// The order in which a sweep measures its cells: rounds, each of which visits every cell once. Disturbances and drift
/// hit all cells alike, and the figures of a round can be compared in pairs. The order within a round is shuffled anew
/// for each round, so that drift within a round favours no cell. Cells of one group, such as a size of the source, stay
/// together in a round, because a change of group reopens the source; the groups are shuffled, too. The order depends
/// on seed and number of the round only, so that a sweep can be resumed. No clock, no threads: the owner measures
/// `next` and reports what happened.
class SweepSchedule {
public:
    /// `groups[c]` is the group of cell c.
    SweepSchedule(std::vector<std::size_t> groups, const SweepScheduleMethod &method);

    /// The next stretch; empty when all rounds are complete.
    std::optional<SweepStretch> next() const;
    /// `next` was measured and took this time, with the switch to it.
    void done(std::int64_t tookNs);
    /// The cell is visited no more. Its finished rounds remain in the result. Unknown cells are ignored.
    void drop(std::size_t cell);
    /// The cell of `next` failed: drops it.
    void failed();
    /// Before the first call of `next` or between stretches: this stretch was measured earlier and is not repeated.
    /// `tookNs` 0 if unknown. Unknown cells are ignored.
    void resume(const SweepStretch &measured, std::int64_t tookNs = 0);
    /// No further round begins; the present one is completed, so that all cells have the same rounds.
    void stopAfterRound();

    std::size_t rounds() const { return m_rounds; } ///< Planned; may change while there is a budget.
    std::size_t completeRounds() const;             ///< Rounds that every remaining cell has, from the first one on.
    std::size_t remainingStretches() const;
    std::size_t remainingCells() const; ///< Cells that did not fail.
    bool hasFailed(std::size_t cell) const { return m_failed.at(cell); }

    /// Expected time to the end: for each cell the mean of its stretches so far, for cells without any the mean of all.
    /// Empty before the first stretch.
    std::optional<std::int64_t> remainingNs() const;
    std::int64_t elapsedNs() const { return m_elapsedNs; }
    double progress() const; ///< 0..1 by expected time.
    /// Expected time of the whole sweep with kFewestRounds, or with the present limit of rounds if that is lower. Empty
    /// before the first stretch.
    std::optional<std::int64_t> leastNs() const;
    /// Whether kFewestRounds are expected to take longer than the budget; they are measured all the same.
    bool exceedsBudget() const;

    /// The cells of a round in their order.
    std::vector<std::size_t> orderOf(std::size_t round) const;

private:
    bool isDone(std::size_t cell, std::size_t round) const;
    void advance();
    void planRounds();
    double expectedNs(std::size_t cell) const;
    double meanNs() const;
    double remainingNs(std::size_t rounds) const;
    std::vector<std::size_t> shuffledGroups(std::size_t round) const;

    std::vector<std::size_t> m_groups;
    SweepScheduleMethod m_method;
    std::size_t m_rounds;
    std::size_t m_mostRounds;
    std::vector<bool> m_failed;
    std::vector<std::vector<bool>> m_done; ///< For each cell, by round.
    std::vector<double> m_tookNs;          ///< Sum for each cell.
    std::vector<std::size_t> m_timed;      ///< Stretches in that sum.
    std::int64_t m_elapsedNs = 0;
    std::size_t m_round = 0;
    std::size_t m_place = 0; ///< In m_order.
    std::vector<std::size_t> m_order;
};

/// Numbers equal values alike, in the order of first appearance: the groups of a schedule from the sizes of its cells.
template <class T>
std::vector<std::size_t> groupsOf(std::span<const T> values)
{
    std::vector<T> seen;
    std::vector<std::size_t> groups;
    for (const T &value : values) {
        std::size_t group = 0;
        while (group < seen.size() && !(seen[group] == value))
            ++group;
        if (group == seen.size())
            seen.push_back(value);
        groups.push_back(group);
    }
    return groups;
}

} // namespace jetscope
