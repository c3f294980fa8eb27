// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/tune/tunermodel.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace jetscope {

namespace {

// Prior variances before scaling: choices change a figure by about 15 % each, pairs of choices by about half as much.
// (An estimate of this share from the observations finds too few interactions: the first races vary one choice at a
// time.)
constexpr double kMainVariance = 0.15 * 0.15;
constexpr double kPairVariance = 0.09 * 0.09;
constexpr double kRestVariance = 0.02 * 0.02;
/// The level of all figures is unknown.
constexpr double kLevelVariance = 1;
/// Weight of the prior scale, in observations.
constexpr double kScaleWeight = 6;

} // namespace

double TunerModel::covariance(std::size_t a, std::size_t b) const
{
    const std::vector<std::size_t> &x = m_cells[a];
    const std::vector<std::size_t> &y = m_cells[b];
    double same = 0;
    for (std::size_t axis = 0; axis < x.size(); ++axis)
        same += x[axis] == y[axis] ? 1 : 0;
    return kLevelVariance + kMainVariance * same + kPairVariance * same * (same - 1) / 2 + (a == b ? kRestVariance : 0);
}

void TunerModel::fit(std::span<const Observation> observations)
{
    m_observations.assign(observations.begin(), observations.end());
    const std::size_t n = m_observations.size();
    m_mean = 0;
    for (const Observation &one : m_observations)
        m_mean += one.value / static_cast<double>(n);
    m_factor.assign(n * n, 0);
    for (std::size_t row = 0; row < n; ++row) {
        for (std::size_t column = 0; column <= row; ++column) {
            double sum = covariance(m_observations[row].cell, m_observations[column].cell);
            sum += row == column ? m_observations[row].variance + 1e-9 : 0;
            for (std::size_t k = 0; k < column; ++k)
                sum -= m_factor[row * n + k] * m_factor[column * n + k];
            m_factor[row * n + column] =
                row == column ? std::sqrt(std::max(1e-12, sum)) : sum / m_factor[column * n + column];
        }
    }
    std::vector<double> values;
    for (const Observation &one : m_observations)
        values.push_back(one.value - m_mean);
    m_weights = solve(values);
    double fitted = kScaleWeight;
    for (std::size_t i = 0; i < n; ++i)
        fitted += values[i] * m_weights[i];
    m_scale = std::sqrt(fitted / (kScaleWeight + static_cast<double>(n)));
}

std::vector<double> TunerModel::solve(std::vector<double> right) const
{
    const std::size_t n = m_observations.size();
    for (std::size_t row = 0; row < n; ++row) {
        for (std::size_t k = 0; k < row; ++k)
            right[row] -= m_factor[row * n + k] * right[k];
        right[row] /= m_factor[row * n + row];
    }
    for (std::size_t row = n; row-- > 0;) {
        for (std::size_t k = row + 1; k < n; ++k)
            right[row] -= m_factor[k * n + row] * right[k];
        right[row] /= m_factor[row * n + row];
    }
    return right;
}

TunerModel::Prediction TunerModel::predict(std::size_t cell) const
{
    std::vector<double> with;
    for (const Observation &one : m_observations)
        with.push_back(covariance(cell, one.cell));
    Prediction prediction{m_mean, covariance(cell, cell)};
    const std::vector<double> solved = solve(with);
    for (std::size_t i = 0; i < with.size(); ++i) {
        prediction.mean += with[i] * m_weights[i];
        prediction.deviation -= with[i] * solved[i];
    }
    prediction.deviation = m_scale * std::sqrt(std::max(0.0, prediction.deviation));
    return prediction;
}

double TunerModel::expectedImprovement(std::size_t cell, double best) const
{
    const Prediction prediction = predict(cell);
    const double gain = best - prediction.mean;
    if (!(prediction.deviation > 0))
        return std::max(0.0, gain);
    const double z = gain / prediction.deviation;
    const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    const double below = std::erfc(-z / std::numbers::sqrt2) / 2;
    return gain * below + prediction.deviation * density;
}

} // namespace jetscope
