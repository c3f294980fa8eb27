// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace jetscope {

/// The level of one cell and what is known about its noise.
struct CellLevel {
    double level = 0;    ///< Without the effects of the rounds; logarithmic if the figures are.
    double variance = 0; ///< Of `level`.
    double degrees = 0;  ///< Of freedom of `variance`.
    std::size_t rounds = 0;
};

/// Two-way layout of a sweep: figure = level of the cell + effect of the round + residual.
///
/// - The effect of a round is the median over all cells. It removes drift also from cells that lack a round.
/// - The level is an M-estimate (Tukey's bisquare), so that a disturbed round counts little.
/// - A variance from 4 or 5 rounds of one cell is worth little, and many cells have similar noise. Each cell's variance
///   is therefore moved towards the common one, the more the less the cells differ in noise (Smyth 2004, the moderated
///   t of "limma"). A cell whose noise is clearly above that of the others keeps its own variance.
class CellTable {
public:
    /// `cells[c][r]`; NaN where a round is missing. Cells with fewer than 2 finite figures are left out; `logs` uses
    /// logarithms and leaves out cells with a figure that is not positive.
    CellTable(std::span<const std::vector<double>> cells, bool logs);

    /// Empty if the cell was left out, or if the table has too few cells or too little noise for a common variance.
    std::optional<CellLevel> levelOf(std::size_t cell) const;

    bool logs() const { return m_logs; }
    /// Standard deviation of a single figure that the cells have in common.
    double commonNoise() const { return m_commonNoise; }
    /// The cells clearly differ in noise, or single rounds are disturbed.
    bool isUnlike() const;

private:
    struct Row {
        std::size_t cell = 0;
        std::vector<double> figures;
        double level = 0;
        double scale = 0;    ///< Standard deviation of a figure, to judge outliers by.
        double own = 0;      ///< Variance of a figure from this row alone.
        double degrees = 0;  ///< Of `own`.
        double weight = 0;   ///< Figures that count, after the weights of outliers.
        double variance = 0; ///< Of a figure, after moderation.
        double total = 0;    ///< Degrees of freedom of `variance`.
    };

    void fillRows(std::span<const std::vector<double>> cells);
    void polish();
    double roughNoise() const;
    void estimateLevels();
    void estimateOwnVariances();
    bool estimateCommonVariance();
    void moderate();

    std::vector<Row> m_rows;
    std::vector<double> m_rounds; ///< Effects.
    bool m_logs = false;
    bool m_usable = false;
    double m_commonNoise = 0;
    /// How many degrees of freedom the common variance is worth beside a cell's own; infinite if cells do not differ.
    double m_commonDegrees = 0;
};

} // namespace jetscope
