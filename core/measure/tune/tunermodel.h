// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace jetscope {

/// Predicts the figure of a cell that was not measured from those that were: a Gaussian process over the choices. The
/// logarithm of a figure is a sum of an effect of each choice, an effect of each pair of choices, and a rest, all
/// normal and independent a priori; their common scale follows from the observations. Cells are rows of levels, one for
/// each choice. Time O(n^3) for n observations. Deterministic.
class TunerModel {
public:
    explicit TunerModel(std::vector<std::vector<std::size_t>> cells) : m_cells(std::move(cells)) {}

    struct Observation {
        std::size_t cell = 0;
        double value = 0;    ///< Logarithm of the figure relative to any fixed one.
        double variance = 0; ///< Of `value`.
    };
    /// Replaces all observations; there must be at least one.
    void fit(std::span<const Observation> observations);

    struct Prediction {
        double mean = 0;
        double deviation = 0;
    };
    Prediction predict(std::size_t cell) const;
    /// Expected amount by which the cell's value is below `best`: 0 if it is certain not to be.
    double expectedImprovement(std::size_t cell, double best) const;

private:
    double covariance(std::size_t a, std::size_t b) const;
    std::vector<double> solve(std::vector<double> right) const;

    std::vector<std::vector<std::size_t>> m_cells;
    std::vector<Observation> m_observations;
    std::vector<double> m_factor; ///< Lower Cholesky factor, row by row.
    std::vector<double> m_weights;
    double m_mean = 0;
    double m_scale = 1; ///< Of all standard deviations.
};

} // namespace jetscope
