// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/fleetmethod.h"

#include "core/figures/averages.h"
#include "core/measure/method/studentt.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace jetscope {

namespace {

/// Logarithm of the probability of exactly k of n by fair coins.
double logFair(std::size_t n, std::size_t k)
{
    const auto count = static_cast<double>(n);
    const auto hits = static_cast<double>(k);
    return std::lgamma(count + 1) - std::lgamma(hits + 1) - std::lgamma(count - hits + 1) - count * std::log(2.0);
}

/// The probability of at most k of n by fair coins.
double fairAtMost(std::size_t n, std::size_t k)
{
    double sum = 0;
    for (std::size_t i = 0; i <= k; ++i)
        sum += std::exp(logFair(n, i));
    return std::min(1.0, sum);
}

double medianDeviation(std::span<const double> values, double centre)
{
    std::vector<double> distances;
    distances.reserve(values.size());
    for (const double value : values)
        distances.push_back(std::abs(value - centre));
    return medianOf(std::move(distances));
}

double meanDeviation(std::span<const double> values, double centre)
{
    double sum = 0;
    for (const double value : values)
        sum += std::abs(value - centre);
    return sum / static_cast<double>(values.size());
}

} // namespace

std::optional<OrderInterval> medianInterval(std::vector<double> values, double probability)
{
    const std::size_t n = values.size();
    const double tail = (1 - probability) / 2;
    std::size_t outside = 0; // How many values lie beyond each end.
    while (outside < n / 2 && fairAtMost(n, outside) <= tail)
        ++outside;
    if (outside == 0)
        return std::nullopt;
    std::sort(values.begin(), values.end());
    return OrderInterval{values[outside - 1], values[n - outside]};
}

double signTest(std::span<const double> changes)
{
    const auto up =
        static_cast<std::size_t>(std::count_if(changes.begin(), changes.end(), [](double c) { return c > 0; }));
    const auto down =
        static_cast<std::size_t>(std::count_if(changes.begin(), changes.end(), [](double c) { return c < 0; }));
    if (up + down == 0)
        return 1;
    return std::min(1.0, 2 * fairAtMost(up + down, std::min(up, down)));
}

std::vector<double> falseDiscoveryRates(std::span<const double> probabilities)
{
    std::vector<std::size_t> order(probabilities.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t i, std::size_t k) { return probabilities[i] < probabilities[k]; });
    std::vector<double> rates(probabilities.size(), 1);
    double least = 1;
    for (std::size_t rank = order.size(); rank > 0; --rank) {
        const std::size_t at = order[rank - 1];
        least = std::min(least, probabilities[at] * static_cast<double>(order.size()) / static_cast<double>(rank));
        rates[at] = least;
    }
    return rates;
}

std::vector<double> robustZ(std::span<const double> values)
{
    // Both make the deviation of a normal distribution comparable with its standard deviation.
    constexpr double kOfMedian = 1.4826;
    constexpr double kOfMean = 1.2533;
    std::vector<double> z(values.size(), 0);
    if (values.empty())
        return z;
    const double centre = medianOf({values.begin(), values.end()});
    double scale = kOfMedian * medianDeviation(values, centre);
    if (scale == 0)
        scale = kOfMean * meanDeviation(values, centre);
    if (scale > 0)
        for (std::size_t i = 0; i < values.size(); ++i)
            z[i] = (values[i] - centre) / scale;
    return z;
}

double probabilityOfZ(double z, std::size_t values)
{
    constexpr double kEfficiency = 0.37;
    return 2 * studentTail(std::abs(z), kEfficiency * (static_cast<double>(values) - 1));
}

} // namespace jetscope
