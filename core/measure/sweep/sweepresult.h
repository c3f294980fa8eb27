// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/statistics.h"
#include "core/measure/method/comparison.h"
#include "core/measure/method/distribution.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace jetscope {

/// The figures of one stretch: frames of one cell in one round.
struct StretchFigures {
    /// By figure, of those that sweeps measure or captures are compared by: batch figures; empty if unknown. Means and
    /// medians have one for each batch, others one for the whole stretch.
    std::array<std::vector<double>, kFigures> batches;
    std::vector<float> frameMs;   ///< Of all frames after warm-up, untrimmed, in order.
    std::vector<float> latencyMs; ///< The same; frames with a known latency only.
    Overlap pooled;               ///< Sums of the frames with all their spans.
};

/// What frames do not tell.
struct StretchExtras {
    std::optional<double> cpuUse;   ///< CPU time of the process divided by the time of the stretch; 1 is one core.
    std::optional<double> energyMj; ///< Per frame.
};

/// `frames` are of one stretch, in order; the first `method.warmUp` are left out.
StretchFigures figuresOfStretch(std::span<const FrameFigures> frames, const StretchExtras &extras = {},
                                const StatisticsMethod &method = {});

/// Everything that a sweep measured, by cell. About 8 bytes a frame. Not thread-safe.
class SweepResult {
public:
    explicit SweepResult(std::size_t cells) : m_cells(cells) {}

    /// A stretch of a round that the cell has already replaces the earlier one. Unknown cells are ignored.
    void add(std::size_t cell, std::size_t round, StretchFigures figures);
    /// The cell is not ranked any more; what was measured remains.
    void fail(std::size_t cell, std::string reason);

    std::size_t cells() const { return m_cells.size(); }
    std::size_t roundsOf(std::size_t cell) const; ///< Rounds with a stretch.
    std::size_t completeRounds() const;           ///< Rounds that all cells have that did not fail.
    const std::string &failureOf(std::size_t cell) const { return m_cells.at(cell).failure; } ///< Empty: none.

    /// One figure for each round (figureOfBatches); NaN where the cell lacks it.
    std::vector<double> roundFigures(std::size_t cell, Figure metric) const;
    /// Central figure and noise over the rounds. Percentiles of frame times and latency are those of all untrimmed
    /// frames, those of other metrics of all batches. Empty if nothing is known.
    std::optional<Summary> summary(std::size_t cell, Figure metric) const;
    /// The value that tables show and rank by.
    std::optional<double> central(std::size_t cell, Figure metric) const;
    FrameDistribution distribution(std::size_t cell) const; ///< Of untrimmed frame times.
    Overlap pooledOverlap(std::size_t cell) const;          ///< Sums over all rounds.

    /// Cell b compared with cell a, paired by round.
    Difference compare(std::size_t a, std::size_t b, Figure metric) const;
    /// The best cell and its ties, with the treatment of many comparisons described at rankCells.
    Ranking ranking(Figure metric) const;
    /// Stop rule, to be asked after each complete round: every cell is shown to be worse than the best or to be within
    /// 3 % of it. Looking after each round would raise the error, so it answers at rounds 4, 6, 8, 12, 16, 24, … only
    /// (otherwise false), and the n-th look has the n-th part 2^-n of the error. `works[c]` is the work of cell c:
    /// those of each are settled among themselves. Empty: all do the same.
    bool isSettled(Figure metric, std::span<const std::size_t> works = {}) const;

private:
    static bool isSettled(const std::vector<std::vector<double>> &figures, Figure metric, int look);

    struct Stretch {
        bool known = false;
        StretchFigures figures;
    };
    struct Cell {
        std::vector<Stretch> rounds;
        std::string failure;
    };

    std::vector<double> framesOf(std::size_t cell, std::vector<float> StretchFigures::*values) const;
    std::vector<std::vector<double>> rankedFigures(Figure metric) const;

    std::vector<Cell> m_cells;
};

} // namespace jetscope
