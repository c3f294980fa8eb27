// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/statistics.h"
#include "core/measure/method/celltable.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace jetscope {

// Comparison of measured figures. There is one method for sweep, tune, A/B and compare:
//
// - The unit is one *round* of an interleaved schedule (paired) or a piece of a capture (unpaired). Its figure is the
//   median of the trimmed batch means (centralFigure), so a few delayed frames do not change it.
// - Paired: the statistic is the logarithm of b / a of each round. Disturbances and drift that affect both sides of a
//   round cancel. The order of the two sides must change from round to round, otherwise drift within a round does not.
// - Unpaired, one capture a side: each capture is cut into about 12 consecutive pieces. Their lag-1 correlation widens
//   the interval. The noise *between* captures is unknown: a difference may be one of the day, not of the choice.
// - Unpaired, several captures a side: the unit is a capture, so the interval contains the noise from run to run. It is
//   never narrower than the noise within the captures.
// - The interval is that of a trimmed mean with winsorised variance and Student's t (Tukey and McLaughlin 1963; for two
//   samples Yuen 1974); 20 % are trimmed at each end from 6 units on.
// - Many cells of a sweep: CellComparison, which also takes the noise of the other cells into account.
// - Verdict: Better or Worse if the interval at 1 - `error` excludes "no difference", and the difference is at least
//   `least`. Otherwise Unchanged, which means "not shown to differ"; the interval says how large a difference may be
//   hidden.
// - Everything is deterministic and free of random numbers.

struct ComparisonMethod {
    Direction direction = Direction::LowerIsBetter;
    Scale scale = Scale::Ratio;
    double error = 0.01;    ///< Probability that equal sides are reported as different.
    double least = 0.01;    ///< Least difference that counts, as a share of the larger central figure.
    double leastInUnit = 0; ///< The same in the unit of the figure; both must be reached.
    std::size_t fewest = 4; ///< Rounds (or pieces of a capture) without which there is no verdict.
};

/// "better", "worse" or "unchanged".
std::string_view verdictName(Comparison verdict);

/// Of this figure, by its row.
ComparisonMethod methodOf(Figure figure);

/// A value and its interval at 1 - error. NaN if undefined, infinite bounds if unknown.
struct Estimate {
    double value = std::numeric_limits<double>::quiet_NaN();
    double atLeast = -std::numeric_limits<double>::infinity();
    double atMost = std::numeric_limits<double>::infinity();

    double halfWidth() const { return (atMost - atLeast) / 2; }
};

/// The median of repeated measurements, and the interval that contains their level: that of the trimmed mean, widened
/// to contain the median. Values that are not finite are ignored.
Estimate estimateOf(std::span<const double> values, double error = 0.01);

/// The result of a comparison of b with a.
struct Difference {
    Comparison verdict = Comparison::Unchanged; ///< Of b: Better means that b is better than a.
    Estimate ratio;                             ///< b / a; NaN if a is not positive.
    Estimate difference;                        ///< b - a in the unit of the figure.
    std::size_t units = 0; ///< Rounds that both sides have (of a sweep: the fewer of the two); or pieces or captures of
                           ///< the side that has fewer.
    bool enough = false;   ///< False: too few units for a verdict.
    bool betweenRuns = false; ///< The interval contains the noise from run to run.
};

/// The figure of one round or capture: the median of the trimmed batch means. `batches` are batch figures; NaN if none
/// is finite.
double figureOfBatches(std::span<const double> batches);

/// Paired by round: `a[r]` and `b[r]` are figures of round r; NaN where a side lacks the round. The longer span's rest
/// is ignored.
Difference comparePaired(std::span<const double> a, std::span<const double> b, const ComparisonMethod &method = {});

/// Batch figures of one capture in the order of time.
using CaptureBatches = std::vector<double>;

/// Unpaired: one or several captures a side. Captures without a finite batch are ignored.
Difference compareUnpaired(std::span<const CaptureBatches> a, std::span<const CaptureBatches> b,
                           const ComparisonMethod &method = {});

/// The best of many cells and its ties.
struct Ranking {
    std::size_t best = 0;              ///< The cell with the best level.
    std::vector<std::size_t> ties;     ///< In the order of the cells, with the best.
    std::vector<std::size_t> unranked; ///< Cells with too few rounds.
};

/// The comparison of the cells of one sweep, `cells[c][r]`, which know more of the noise together than alone: effects
/// of rounds and moderated variances are those of CellTable. With fewer than 4 cells, with exact figures, and for
/// cells whose figures have no logarithm, it is that of comparePaired. The cells must outlive the object.
class CellComparison {
public:
    explicit CellComparison(std::span<const std::vector<double>> cells, const ComparisonMethod &method = {});

    /// Cell b compared with cell a. The rounds that count are those of the cell that has fewer.
    Difference compare(std::size_t a, std::size_t b) const { return compare(a, b, m_method.error); }

    /// A cell is a tie unless it is shown to be worse than the best one, or than the one that is surely good (the best
    /// may be the noisier of the two). Each of m one-sided comparisons has the error `method.error` / m (Bonferroni),
    /// so the ties contain the true best with a probability of at least 1 - `method.error`. At first m is the number of
    /// cells less one; then the ties are compared once more among themselves, because cells that are far worse cannot
    /// win by chance. Empty ties if no cell has enough rounds.
    Ranking ranking() const { return ranking(m_method.error); }
    Ranking ranking(double error) const;

    const CellTable &table() const { return m_table; }

private:
    Difference compare(std::size_t a, std::size_t b, double error) const;
    double figureOf(std::size_t cell) const;
    std::size_t surelyGood(std::span<const std::size_t> cells) const;

    std::span<const std::vector<double>> m_cells;
    ComparisonMethod m_method;
    CellTable m_table;
};

/// CellComparison::ranking.
Ranking rankCells(std::span<const std::vector<double>> cells, const ComparisonMethod &method = {});

} // namespace jetscope
