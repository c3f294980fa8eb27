// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/method/celltable.h"

#include "core/figures/averages.h"

#include "core/figures/statistics.h"
#include "core/measure/method/studentt.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace jetscope {

namespace {

/// Fewer cells say too little about a common noise.
constexpr std::size_t kMinCells = 4;
constexpr int kPolishSteps = 10;
constexpr int kLevelSteps = 10;
/// Tukey's bisquare: 95 % efficient with normal noise.
constexpr double kBisquare = 4.685;
/// A cell keeps its own variance if noise like that of the others would be above it in so few cases. Where the cells
/// clearly differ in noise, sooner.
constexpr double kRareNoise = 0.003;
constexpr double kRareAmongUnlike = 0.05;

/// Derivative of the logarithm of the gamma function, for x > 0.
double digamma(double x)
{
    double shift = 0;
    for (; x < 8; ++x)
        shift -= 1 / x;
    const double y = 1 / (x * x);
    return shift + std::log(x) - 0.5 / x - y * (1.0 / 12 - y * (1.0 / 120 - y / 252));
}

double trigamma(double x)
{
    double shift = 0;
    for (; x < 8; ++x)
        shift += 1 / (x * x);
    const double y = 1 / (x * x);
    return shift + 1 / x + y / 2 + y / x * (1.0 / 6 - y * (1.0 / 30 - y / 42));
}

/// The x with trigamma(x) = `value` > 0.
double inverseTrigamma(double value)
{
    double low = 1e-3;
    double high = 1e6;
    for (int step = 0; step < 80; ++step) {
        const double middle = std::sqrt(low * high);
        (trigamma(middle) > value ? low : high) = middle;
    }
    return low;
}

/// The x with P(X > x) = `upperTail` for a chi-square divided by its degrees (Wilson and Hilferty 1931).
double chiSquareRatio(double upperTail, double degrees)
{
    const double z = studentQuantile(upperTail, 1e6);
    const double part = 2 / (9 * degrees);
    return std::pow(1 - part + z * std::sqrt(part), 3);
}

} // namespace

CellTable::CellTable(std::span<const std::vector<double>> cells, bool logs) : m_logs(logs)
{
    fillRows(cells);
    if (m_rows.size() < kMinCells)
        return;
    polish();
    m_commonNoise = roughNoise();
    for (Row &row : m_rows)
        row.scale = m_commonNoise;
    // The second pass judges outliers by the noise that the first one found.
    for (int pass = 0; pass < 2; ++pass) {
        if (!(m_commonNoise > 0))
            return;
        estimateLevels();
        estimateOwnVariances();
        if (!estimateCommonVariance())
            return;
        moderate();
    }
    m_usable = true;
}

void CellTable::fillRows(std::span<const std::vector<double>> cells)
{
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
        Row row;
        row.cell = cell;
        std::size_t known = 0;
        bool fits = true;
        for (double figure : cells[cell]) {
            if (std::isfinite(figure)) {
                ++known;
                fits = fits && (!m_logs || figure > 0);
                figure = m_logs && figure > 0 ? std::log(figure) : figure;
            }
            row.figures.push_back(figure);
        }
        if (!fits || known < 2)
            continue;
        row.degrees = static_cast<double>(known - 1);
        m_rounds.resize(std::max(m_rounds.size(), row.figures.size()));
        m_rows.push_back(std::move(row));
    }
}

/// Tukey's median polish: effects of rounds, and levels to start from.
void CellTable::polish()
{
    std::vector<double> values;
    for (int step = 0; step < kPolishSteps; ++step) {
        for (Row &row : m_rows) {
            values.clear();
            for (std::size_t round = 0; round < row.figures.size(); ++round)
                if (std::isfinite(row.figures[round]))
                    values.push_back(row.figures[round] - m_rounds[round]);
            row.level = medianOf(values);
        }
        for (std::size_t round = 0; round < m_rounds.size(); ++round) {
            values.clear();
            for (const Row &row : m_rows)
                if (round < row.figures.size() && std::isfinite(row.figures[round]))
                    values.push_back(row.figures[round] - row.level);
            m_rounds[round] = medianOf(values);
        }
    }
}

/// A first guess of the common noise, which half of the figures could not spoil.
double CellTable::roughNoise() const
{
    std::vector<double> sizes;
    for (const Row &row : m_rows)
        for (std::size_t round = 0; round < row.figures.size(); ++round)
            if (std::isfinite(row.figures[round]))
                sizes.push_back(std::abs(row.figures[round] - m_rounds[round] - row.level));
    // The levels took a degree of freedom of each row.
    constexpr double kOfNormal = 0.6745 * 0.8;
    return medianOf(std::move(sizes)) / kOfNormal;
}

void CellTable::estimateLevels()
{
    for (Row &row : m_rows) {
        const double reach = kBisquare * row.scale;
        for (int step = 0; step < kLevelSteps; ++step) {
            double sum = 0;
            row.weight = 0;
            for (std::size_t round = 0; round < row.figures.size(); ++round) {
                const double value = row.figures[round] - m_rounds[round];
                const double share = (value - row.level) / reach;
                if (!(std::abs(share) < 1)) // Beyond the reach, or missing.
                    continue;
                const double weight = (1 - share * share) * (1 - share * share);
                sum += weight * value;
                row.weight += weight;
            }
            if (row.weight > 0)
                row.level = sum / row.weight;
        }
        // Two figures that contradict each other: the level is that of neither.
        row.weight = std::max(row.weight, 1.0);
    }
}

void CellTable::estimateOwnVariances()
{
    const double cells = static_cast<double>(m_rows.size());
    for (Row &row : m_rows) {
        // Outliers included: a cell with a disturbed round is less certain, and with 4 or 5 rounds a disturbance cannot
        // be told from noise.
        double sum = 0;
        for (std::size_t round = 0; round < row.figures.size(); ++round)
            if (std::isfinite(row.figures[round])) {
                const double residual = row.figures[round] - m_rounds[round] - row.level;
                sum += residual * residual;
            }
        row.own = sum / (row.degrees * (1 - 1 / cells));
    }
}

/// False if the noise of half of the cells is zero: such figures are exact.
bool CellTable::estimateCommonVariance()
{
    std::vector<double> variances;
    for (const Row &row : m_rows)
        variances.push_back(row.own);
    // Few figures may agree by chance or by rounding; their logarithm must not count more than that.
    const double least = 0.01 * medianOf(variances);
    if (!(least > 0))
        return false;
    std::vector<double> logs;
    double expected = 0;
    for (const Row &row : m_rows) {
        const double half = row.degrees / 2;
        logs.push_back(std::log(std::max(row.own, least)) - digamma(half) + std::log(half));
        expected += trigamma(half) / static_cast<double>(m_rows.size());
    }
    const double mean = meanOf(logs);
    double spread = 0;
    for (const double value : logs)
        spread += (value - mean) * (value - mean) / static_cast<double>(logs.size() - 1);
    m_commonDegrees = std::numeric_limits<double>::infinity();
    double common = mean;
    if (spread > expected) {
        const double half = inverseTrigamma(spread - expected);
        m_commonDegrees = 2 * half;
        common += digamma(half) - std::log(half);
    }
    m_commonNoise = std::exp(common / 2);
    return m_commonNoise > 0 && std::isfinite(m_commonNoise);
}

bool CellTable::isUnlike() const
{
    constexpr double kFewDegrees = 8;
    return m_commonDegrees < kFewDegrees;
}

void CellTable::moderate()
{
    double all = 0;
    for (const Row &row : m_rows)
        all += row.degrees;
    const double common = m_commonNoise * m_commonNoise;
    const double worth = std::min(m_commonDegrees, all);
    const double rare = isUnlike() ? kRareAmongUnlike : kRareNoise;
    for (Row &row : m_rows) {
        row.variance = (worth * common + row.degrees * row.own) / (worth + row.degrees);
        row.total = std::min(worth + row.degrees, all);
        if (row.own > common * chiSquareRatio(rare, row.degrees) && row.own > row.variance) {
            row.variance = row.own;
            // Only a variance that is high got here, so among like cells it is rarely too low.
            row.total = isUnlike() ? row.degrees : 2 * row.degrees;
        }
        row.scale = std::sqrt(std::max(row.variance, common));
    }
}

std::optional<CellLevel> CellTable::levelOf(std::size_t cell) const
{
    const auto row = std::lower_bound(m_rows.begin(), m_rows.end(), cell,
                                      [](const Row &each, std::size_t wanted) { return each.cell < wanted; });
    if (!m_usable || row == m_rows.end() || row->cell != cell)
        return std::nullopt;
    return CellLevel{row->level, row->variance / row->weight, row->total, static_cast<std::size_t>(row->degrees) + 1};
}

} // namespace jetscope
