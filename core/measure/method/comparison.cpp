// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/method/comparison.h"

#include "core/figures/averages.h"

#include "core/measure/method/studentt.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace jetscope {

namespace {

constexpr double kNotKnown = std::numeric_limits<double>::infinity();
constexpr double kTrimShare = 0.2;
constexpr std::size_t kTrimFrom = 6;
constexpr std::size_t kPiecesOfCapture = 12;
/// A correlation that is estimated from 12 pieces says no more than "high" above this.
constexpr double kMaxCorrelation = 0.8;

/// Location with its squared standard error and degrees of freedom.
struct Location {
    double centre = 0;
    double variance = kNotKnown;
    double degrees = 0;
};

double sumOfSquares(std::span<const double> values, double mean)
{
    double sum = 0;
    for (const double value : values)
        sum += (value - mean) * (value - mean);
    return sum;
}

/// Trimmed mean with winsorised variance. `values` must not be empty.
Location locate(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    const std::size_t cut =
        n < kTrimFrom ? 0 : std::max<std::size_t>(1, static_cast<std::size_t>(kTrimShare * static_cast<double>(n)));
    Location location;
    location.centre = meanOf(std::span(values).subspan(cut, n - 2 * cut));
    if (n < 2)
        return location;
    std::fill_n(values.begin(), cut, values[cut]);
    std::fill_n(values.end() - static_cast<std::ptrdiff_t>(cut), cut, values[n - 1 - cut]);
    const double kept = static_cast<double>(n - 2 * cut);
    location.degrees = kept - 1;
    location.variance = sumOfSquares(values, meanOf(values)) / (kept * (kept - 1));
    return location;
}

/// How much the positive correlation of neighbours widens the variance of their mean.
double correlationFactor(std::span<const double> values)
{
    if (values.size() < 4)
        return 1;
    // Ranks would be more robust, but clamping to the quartiles is enough for single outliers.
    std::vector<double> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    const double spread = percentileOf(sorted, 0.75) - percentileOf(sorted, 0.25);
    const double low = percentileOf(sorted, 0.25) - 1.5 * spread;
    const double high = percentileOf(sorted, 0.75) + 1.5 * spread;
    std::vector<double> clamped;
    for (const double value : values)
        clamped.push_back(std::clamp(value, low, high));
    const double mean = meanOf(clamped);
    const double all = sumOfSquares(clamped, mean);
    if (!(all > 0))
        return 1;
    double lagged = 0;
    for (std::size_t i = 1; i < clamped.size(); ++i)
        lagged += (clamped[i] - mean) * (clamped[i - 1] - mean);
    const double n = static_cast<double>(clamped.size());
    // The estimate of n values is too low by about (1 + 3 r) / n (Kendall 1954).
    const double correlation = (lagged / all + 1 / n) / (1 - 3 / n);
    const double used = std::clamp(correlation, 0.0, kMaxCorrelation);
    return (1 + used) / (1 - used);
}

bool isPositive(double value)
{
    return value > 0;
}

/// The median of figures, which must not be empty.
double criticalOf(double error, double degrees)
{
    return studentQuantile(std::clamp(error, 1e-9, 1.0) / 2, degrees);
}

bool isMuch(const Difference &result, double a, double b, const ComparisonMethod &method)
{
    const double size = std::abs(result.difference.value);
    // A ratio of exactly 1.01 must count although its product with `a` is rounded.
    constexpr double kRounding = 1 - 1e-9;
    return size > 0 && size >= kRounding * method.least * std::max(std::abs(a), std::abs(b))
        && size >= kRounding * method.leastInUnit;
}

/// Readers see the central figures; means of logarithms or of pieces may differ from them a little.
void contain(Estimate &interval, double value)
{
    if (!std::isfinite(value))
        return;
    interval.atLeast = std::min(interval.atLeast, value);
    interval.atMost = std::max(interval.atMost, value);
}

/// Completes the result from the location of the differences: of logarithms if `logs`, else of figures. `a` and `b` are
/// the central figures of the sides.
void conclude(Difference &result, const Location &located, bool logs, double a, double b,
              const ComparisonMethod &method)
{
    const double critical = criticalOf(method.error, located.degrees);
    const double half = located.variance > 0 ? critical * std::sqrt(located.variance) : 0;
    if (logs) {
        result.ratio = {std::exp(located.centre), std::exp(located.centre - half), std::exp(located.centre + half)};
        result.difference = {(result.ratio.value - 1) * a, (result.ratio.atLeast - 1) * a,
                             (result.ratio.atMost - 1) * a};
    } else {
        result.difference = {located.centre, located.centre - half, located.centre + half};
        if (a > 0)
            result.ratio = {1 + located.centre / a, 1 + result.difference.atLeast / a,
                            1 + result.difference.atMost / a};
    }
    const bool higher = result.difference.atLeast > 0;
    const bool lower = result.difference.atMost < 0;
    contain(result.difference, b - a);
    if (a > 0)
        contain(result.ratio, b / a);
    // Exact figures, such as bytes, have an interval of no width.
    if (!result.enough || !(higher || lower) || !isMuch(result, a, b, method))
        return;
    const bool better = method.direction == Direction::LowerIsBetter ? lower : higher;
    result.verdict = better ? Comparison::Better : Comparison::Worse;
}

/// One side of an unpaired comparison: the figures of its units, in order.
struct Side {
    std::vector<double> pieces;   ///< Of all captures, one after the other.
    std::vector<double> captures; ///< The figure of each capture.
    double within = 0;            ///< Variance of the mean of all captures from the noise within them.
    double withinDegrees = 0;
};

std::vector<double> piecesOf(std::span<const double> batches)
{
    const std::size_t length = std::max<std::size_t>(1, batches.size() / kPiecesOfCapture);
    std::vector<double> pieces;
    for (std::size_t at = 0; at + length <= batches.size(); at += length)
        pieces.push_back(figureOfBatches(batches.subspan(at, length)));
    return pieces;
}

std::vector<double> finiteFigures(std::span<const double> batches)
{
    std::vector<double> finite;
    std::copy_if(batches.begin(), batches.end(), std::back_inserter(finite),
                 [](double value) { return std::isfinite(value); });
    return finite;
}

/// Location of the pieces of one capture, with their correlation.
Location locateCapture(std::vector<double> pieces)
{
    const double factor = correlationFactor(pieces);
    Location location = locate(std::move(pieces));
    location.variance *= factor;
    return location;
}

Side sideOf(std::span<const CaptureBatches> captures, bool logs)
{
    Side side;
    for (const CaptureBatches &capture : captures) {
        std::vector<double> pieces = piecesOf(finiteFigures(capture));
        if (pieces.empty())
            continue;
        if (logs)
            std::transform(pieces.begin(), pieces.end(), pieces.begin(), [](double value) { return std::log(value); });
        side.pieces.insert(side.pieces.end(), pieces.begin(), pieces.end());
        const Location location = locateCapture(std::move(pieces));
        side.captures.push_back(location.centre);
        side.within += location.variance;
        side.withinDegrees += location.degrees;
    }
    const double count = static_cast<double>(side.captures.size());
    side.within /= std::max(1.0, count * count);
    return side;
}

double varianceBetween(const Side &side)
{
    return sumOfSquares(side.captures, meanOf(side.captures)) / static_cast<double>(side.captures.size() - 1);
}

/// Welch and Satterthwaite: the difference of two independent locations.
Location differenceOf(double centre, double varianceA, double degreesA, double varianceB, double degreesB)
{
    Location location{centre, varianceA + varianceB, 0};
    const double parts = varianceA * varianceA / degreesA + varianceB * varianceB / degreesB;
    location.degrees = parts > 0 ? location.variance * location.variance / parts : degreesA + degreesB;
    return location;
}

Location locateWithin(const Side &a, const Side &b)
{
    return differenceOf(meanOf(b.captures) - meanOf(a.captures), a.within, a.withinDegrees, b.within, b.withinDegrees);
}

/// A side with a single capture is assumed to vary from run to run as the other one does.
Location locateBetween(const Side &a, const Side &b)
{
    const double countA = static_cast<double>(a.captures.size());
    const double countB = static_cast<double>(b.captures.size());
    const double centre = meanOf(b.captures) - meanOf(a.captures);
    if (countA < 2 || countB < 2) {
        const double variance = varianceBetween(countA < 2 ? b : a);
        return {centre, variance * (1 / countA + 1 / countB), std::max(countA, countB) - 1};
    }
    return differenceOf(centre, varianceBetween(a) / countA, countA - 1, varianceBetween(b) / countB, countB - 1);
}

bool allPositive(std::span<const CaptureBatches> captures)
{
    return std::all_of(captures.begin(), captures.end(), [](const CaptureBatches &capture) {
        return std::all_of(capture.begin(), capture.end(),
                           [](double value) { return !std::isfinite(value) || value > 0; });
    });
}

double centralOfCaptures(std::span<const CaptureBatches> captures)
{
    std::vector<double> figures;
    for (const CaptureBatches &capture : captures)
        if (const double figure = figureOfBatches(capture); std::isfinite(figure))
            figures.push_back(figure);
    return medianOf(std::move(figures));
}

} // namespace

double figureOfBatches(std::span<const double> batches)
{
    StatisticsMethod each; // Every value is the figure of a batch already.
    each.warmUp = 0;
    each.batch = 1;
    return centralFigure(batches, each).value_or(std::numeric_limits<double>::quiet_NaN());
}

std::string_view verdictName(Comparison verdict)
{
    return verdict == Comparison::Better ? "better" : verdict == Comparison::Worse ? "worse" : "unchanged";
}

ComparisonMethod methodOf(Figure figure)
{
    const FigureRow &row = rowOf(figure);
    return {.direction = row.direction, .scale = row.scale, .leastInUnit = row.leastInUnit};
}

Estimate estimateOf(std::span<const double> values, double error)
{
    const std::vector<double> finite = finiteFigures(values);
    if (finite.empty())
        return {};
    const double median = medianOf(finite);
    const Location located = locate(finite);
    if (!(located.degrees > 0))
        return {median};
    const double half = located.variance > 0 ? criticalOf(error, located.degrees) * std::sqrt(located.variance) : 0;
    return {median, std::min(median, located.centre - half), std::max(median, located.centre + half)};
}

Difference comparePaired(std::span<const double> a, std::span<const double> b, const ComparisonMethod &method)
{
    std::vector<double> usedA;
    std::vector<double> usedB;
    for (std::size_t round = 0; round < std::min(a.size(), b.size()); ++round) {
        if (!std::isfinite(a[round]) || !std::isfinite(b[round]))
            continue;
        usedA.push_back(a[round]);
        usedB.push_back(b[round]);
    }
    Difference result;
    result.units = usedA.size();
    result.enough = result.units >= std::max<std::size_t>(2, method.fewest);
    if (usedA.empty())
        return result;
    const bool logs = method.scale == Scale::Ratio && std::all_of(usedA.begin(), usedA.end(), isPositive)
        && std::all_of(usedB.begin(), usedB.end(), isPositive);
    std::vector<double> differences;
    for (std::size_t i = 0; i < usedA.size(); ++i)
        differences.push_back(logs ? std::log(usedB[i] / usedA[i]) : usedB[i] - usedA[i]);
    conclude(result, locate(std::move(differences)), logs, medianOf(std::move(usedA)), medianOf(std::move(usedB)),
             method);
    return result;
}

Difference compareUnpaired(std::span<const CaptureBatches> a, std::span<const CaptureBatches> b,
                           const ComparisonMethod &method)
{
    const bool logs = method.scale == Scale::Ratio && allPositive(a) && allPositive(b);
    const Side sideA = sideOf(a, logs);
    const Side sideB = sideOf(b, logs);
    Difference result;
    if (sideA.captures.empty() || sideB.captures.empty())
        return result;
    result.betweenRuns = sideA.captures.size() > 1 || sideB.captures.size() > 1;
    result.units = result.betweenRuns ? std::min(sideA.captures.size(), sideB.captures.size())
                                      : std::min(sideA.pieces.size(), sideB.pieces.size());
    result.enough = std::min(sideA.pieces.size(), sideB.pieces.size()) >= std::max<std::size_t>(2, method.fewest);
    Location located = locateWithin(sideA, sideB);
    if (result.betweenRuns) {
        const Location between = locateBetween(sideA, sideB);
        // Few captures may agree by chance; their mean is never more certain than the frames within them.
        if (!(located.variance > between.variance) || !std::isfinite(located.variance))
            located = between;
        else
            located.degrees = std::max(located.degrees, between.degrees);
    }
    conclude(result, located, logs, centralOfCaptures(a), centralOfCaptures(b), method);
    return result;
}

CellComparison::CellComparison(std::span<const std::vector<double>> cells, const ComparisonMethod &method)
    : m_cells(cells), m_method(method), m_table(cells, method.scale == Scale::Ratio)
{
}

Difference CellComparison::compare(std::size_t a, std::size_t b, double error) const
{
    ComparisonMethod method = m_method;
    method.error = error;
    const std::optional<CellLevel> levelA = m_table.levelOf(a);
    const std::optional<CellLevel> levelB = m_table.levelOf(b);
    if (!levelA || !levelB || a == b)
        return comparePaired(m_cells[a], m_cells[b], method);
    Difference result;
    result.units = std::min(levelA->rounds, levelB->rounds);
    result.enough = result.units >= std::max<std::size_t>(2, method.fewest);
    const Location located = differenceOf(levelB->level - levelA->level, levelA->variance, levelA->degrees,
                                          levelB->variance, levelB->degrees);
    conclude(result, located, m_table.logs(), figureOf(a), figureOf(b), method);
    return result;
}

/// The level of a cell in the unit of the figure; NaN if the cell has too few rounds.
double CellComparison::figureOf(std::size_t cell) const
{
    std::vector<double> finite = finiteFigures(m_cells[cell]);
    if (finite.size() < std::max<std::size_t>(2, m_method.fewest))
        return std::numeric_limits<double>::quiet_NaN();
    if (const std::optional<CellLevel> level = m_table.levelOf(cell))
        return m_table.logs() ? std::exp(level->level) : level->level;
    return medianOf(std::move(finite));
}

/// The cell whose level is good even if its noise was in its favour.
std::size_t CellComparison::surelyGood(std::span<const std::size_t> cells) const
{
    constexpr double kDeviations = 3;
    const double sign = m_method.direction == Direction::LowerIsBetter ? 1 : -1;
    std::size_t good = cells.front();
    double least = kNotKnown;
    for (const std::size_t cell : cells)
        if (const std::optional<CellLevel> level = m_table.levelOf(cell))
            if (const double bound = sign * level->level + kDeviations * std::sqrt(level->variance); bound < least) {
                least = bound;
                good = cell;
            }
    return std::isfinite(least) ? good : cells.front();
}

Ranking CellComparison::ranking(double error) const
{
    Ranking ranking;
    std::vector<double> figures;
    for (std::size_t cell = 0; cell < m_cells.size(); ++cell) {
        figures.push_back(figureOf(cell));
        (std::isnan(figures.back()) ? ranking.unranked : ranking.ties).push_back(cell);
    }
    if (ranking.ties.empty())
        return ranking;
    const auto isBetter = [&](std::size_t x, std::size_t y) {
        return m_method.direction == Direction::LowerIsBetter ? figures[x] < figures[y] : figures[x] > figures[y];
    };
    ranking.best = *std::min_element(ranking.ties.begin(), ranking.ties.end(), isBetter);
    for (std::size_t before = 0; before != ranking.ties.size() && ranking.ties.size() > 1;) {
        before = ranking.ties.size();
        // Only one of the two sides of an interval is an error. Variances of unlike cells are less certain than t says.
        const double each = (m_table.isUnlike() ? 1 : 2) * error / static_cast<double>(before - 1);
        const std::size_t good = m_table.levelOf(ranking.best) ? surelyGood(ranking.ties) : ranking.best;
        const auto isWorse = [&](std::size_t cell) {
            return cell != ranking.best
                && (compare(ranking.best, cell, each).verdict == Comparison::Worse
                    || (cell != good && compare(good, cell, each).verdict == Comparison::Worse));
        };
        std::erase_if(ranking.ties, isWorse);
    }
    return ranking;
}

Ranking rankCells(std::span<const std::vector<double>> cells, const ComparisonMethod &method)
{
    return CellComparison(cells, method).ranking();
}

} // namespace jetscope
