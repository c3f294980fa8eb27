// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/method/distribution.h"

#include "core/measure/method/dip.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>

namespace jetscope {

namespace {

constexpr std::size_t kMinForModes = 20;
constexpr double kDipError = 0.01;
constexpr double kMinShareOfMode = 0.05;
constexpr double kMinApart = 0.02;
constexpr double kDeepestValley = 0.9;
constexpr double kTail = 0.02;
constexpr std::size_t kMinBins = 8;
constexpr std::size_t kDensityPoints = 512;
constexpr double kBandwidthStep = 0.85;

/// Without values whose differences could overflow: no time is that long.
std::vector<double> sortedFinite(std::span<const double> values)
{
    constexpr double kMax = 1e150;
    std::vector<double> sorted;
    sorted.reserve(values.size());
    std::copy_if(values.begin(), values.end(), std::back_inserter(sorted),
                 [](double value) { return std::abs(value) < kMax; });
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

/// Spreads equal values evenly over the smallest step between different values, or over 1 % of the median if that is
/// less: a coarser clock cannot tell modes from its steps. Stays sorted.
std::vector<double> withoutTies(std::vector<double> sorted)
{
    double step = kMinApart / 2 * std::abs(percentileOf(sorted, 0.5));
    for (std::size_t i = 1; i < sorted.size(); ++i)
        if (sorted[i] > sorted[i - 1])
            step = std::min(step, sorted[i] - sorted[i - 1]);
    for (std::size_t begin = 0; begin < sorted.size();) {
        std::size_t end = begin + 1;
        while (end < sorted.size() && sorted[end] == sorted[begin])
            ++end;
        const double count = static_cast<double>(end - begin);
        for (std::size_t i = begin; i < end && end - begin > 1; ++i)
            sorted[i] += step * ((static_cast<double>(i - begin) + 0.5) / count - 0.5);
        begin = end;
    }
    return sorted;
}

/// Values counted at points of equal distance, and estimates of their density there. Without the tails, which could
/// make the range many times larger; a mode of the least share still lies within.
class Density {
public:
    Density(std::span<const double> sorted)
        : m_from(percentileOf(sorted, kTail)),
          m_range(percentileOf(sorted, 1 - kTail) - m_from),
          m_counts(kDensityPoints)
    {
        for (const double value : sorted)
            if (const double place = (value - m_from) / m_range; place >= 0 && place <= 1)
                ++m_counts[indexOf(place)];
    }

    double range() const { return m_range; }
    double valueAt(std::size_t i) const
    {
        return m_from + m_range * static_cast<double>(i) / static_cast<double>(kDensityPoints - 1);
    }
    std::size_t indexAt(double value) const { return indexOf(std::clamp((value - m_from) / m_range, 0.0, 1.0)); }

    /// Gaussian kernel of this standard deviation, in the unit of the values.
    std::vector<double> estimate(double bandwidth) const
    {
        const double points = std::max(0.5, bandwidth / m_range * static_cast<double>(kDensityPoints - 1));
        const auto reach = static_cast<std::size_t>(std::ceil(3 * points));
        std::vector<double> kernel(reach + 1);
        for (std::size_t i = 0; i <= reach; ++i)
            kernel[i] = std::exp(-0.5 * std::pow(static_cast<double>(i) / points, 2));
        std::vector<double> density(kDensityPoints);
        for (std::size_t at = 0; at < kDensityPoints; ++at) {
            if (m_counts[at] == 0)
                continue;
            const std::size_t first = at > reach ? at - reach : 0;
            const std::size_t last = std::min(kDensityPoints - 1, at + reach);
            for (std::size_t i = first; i <= last; ++i)
                density[i] += m_counts[at] * kernel[i > at ? i - at : at - i];
        }
        return density;
    }

private:
    static std::size_t indexOf(double place)
    {
        return static_cast<std::size_t>(std::llround(place * static_cast<double>(kDensityPoints - 1)));
    }

    double m_from;
    double m_range;
    std::vector<double> m_counts;
};

/// The deepest minimum of a density between two maxima; `depth` is its density relative to the lower maximum.
struct Valley {
    std::size_t at = 0;
    double depth = 1;
};

Valley deepestValley(const std::vector<double> &density)
{
    std::vector<double> highestBehind(density.size());
    double highest = 0;
    for (std::size_t i = density.size(); i-- > 0;)
        highestBehind[i] = highest = std::max(highest, density[i]);
    Valley valley;
    highest = 0;
    for (std::size_t i = 0; i < density.size(); ++i) {
        highest = std::max(highest, density[i]);
        const double depth = density[i] / std::min(highest, highestBehind[i]);
        if (depth < valley.depth)
            valley = {i, depth};
    }
    return valley;
}

double shareBelow(std::span<const double> sorted, double boundary)
{
    const auto end = std::lower_bound(sorted.begin(), sorted.end(), boundary);
    return static_cast<double>(end - sorted.begin()) / static_cast<double>(sorted.size());
}

/// The values on both sides of a boundary as modes; empty if a side is too small or too near.
std::optional<std::array<FrameMode, 2>> modesAround(std::span<const double> sorted, double boundary)
{
    const double below = shareBelow(sorted, boundary);
    if (below < kMinShareOfMode || below > 1 - kMinShareOfMode)
        return std::nullopt;
    const std::array<FrameMode, 2> modes{
        {{percentileOf(sorted, below / 2), below}, {percentileOf(sorted, (1 + below) / 2), 1 - below}}};
    if (modes[1].at - modes[0].at < kMinApart * std::abs(modes[0].at))
        return std::nullopt;
    return modes;
}

/// The boundary at the largest bandwidth that shows two modes. A smaller bandwidth places the boundary more exactly.
std::optional<double> boundaryOf(std::span<const double> sorted)
{
    const Density density(sorted);
    if (!(density.range() > 0))
        return std::nullopt;
    const double smallest =
        0.4 * density.range() * std::pow(static_cast<double>(sorted.size()), -0.2) / 4; // About Silverman's rule.
    for (double bandwidth = density.range() / 4; bandwidth > smallest; bandwidth *= kBandwidthStep) {
        const Valley valley = deepestValley(density.estimate(bandwidth));
        if (valley.depth > kDeepestValley)
            continue;
        const auto modes = modesAround(sorted, density.valueAt(valley.at));
        if (!modes)
            continue;
        const std::vector<double> finer = density.estimate(std::max(smallest, bandwidth / 2));
        const auto begin = finer.begin() + static_cast<std::ptrdiff_t>(density.indexAt((*modes)[0].at));
        const auto end = finer.begin() + static_cast<std::ptrdiff_t>(density.indexAt((*modes)[1].at));
        if (begin == end)
            return density.valueAt(valley.at);
        // The middle of all lowest points: modes that are far apart have an empty range between them.
        const double lowest = *std::min_element(begin, end);
        const auto first = std::find(begin, end, lowest);
        const auto last = std::find_if(first, end, [&](double value) { return value > lowest; });
        return density.valueAt(static_cast<std::size_t>(first - finer.begin() + (last - first) / 2));
    }
    return std::nullopt;
}

std::size_t changesOf(std::span<const double> values, double boundary)
{
    std::size_t changes = 0;
    std::optional<bool> was;
    for (const double value : values) {
        if (!std::isfinite(value))
            continue;
        const bool is = value < boundary;
        changes += was && *was != is ? 1 : 0;
        was = is;
    }
    return changes;
}

Modality modalityOfSorted(std::span<const double> values, const std::vector<double> &sorted)
{
    Modality modality;
    if (sorted.empty())
        return modality;
    modality.modes = {{percentileOf(sorted, 0.5), 1}};
    if (sorted.size() < kMinForModes)
        return modality;
    modality.probability = dipProbability(dipOf(withoutTies(sorted)), sorted.size());
    if (modality.probability > kDipError)
        return modality;
    const std::optional<double> boundary = boundaryOf(sorted);
    const auto modes = boundary ? modesAround(sorted, *boundary) : std::nullopt;
    if (!modes)
        return modality;
    modality.modes.assign(modes->begin(), modes->end());
    modality.boundary = *boundary;
    modality.changes = changesOf(values, *boundary);
    return modality;
}

FrameHistogram histogramOf(const std::vector<double> &sorted, std::size_t mostBins)
{
    FrameHistogram histogram;
    if (sorted.empty())
        return histogram;
    double low = percentileOf(sorted, 0.005);
    double high = percentileOf(sorted, 0.995);
    const double margin = (high - low) * 0.05;
    low = std::max(sorted.front(), low - margin);
    high = std::min(sorted.back(), high + margin);
    histogram.from = low;
    if (!(high > low)) {
        histogram.counts = {0};
    } else {
        // Freedman and Diaconis.
        const double quartiles = percentileOf(sorted, 0.75) - percentileOf(sorted, 0.25);
        const double wanted = 2 * quartiles / std::cbrt(static_cast<double>(sorted.size()));
        const double most = static_cast<double>(std::max(kMinBins, mostBins));
        const double bins = wanted > 0 ? std::min(most, std::ceil((high - low) / wanted)) : most;
        histogram.counts.resize(std::max(kMinBins, static_cast<std::size_t>(bins)));
        histogram.width = (high - low) / static_cast<double>(histogram.counts.size());
    }
    for (const double value : sorted) {
        if (value < low || value > high) {
            ++(value < low ? histogram.below : histogram.above);
            continue;
        }
        const double place = histogram.width > 0 ? (value - low) / histogram.width : 0;
        ++histogram.counts[std::min(static_cast<std::size_t>(place), histogram.counts.size() - 1)];
    }
    return histogram;
}

std::string numberWords(const char *format, double value)
{
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), format, value);
    return text.data();
}

} // namespace

FrameDistribution distributionOf(std::span<const double> values, std::size_t mostBins)
{
    FrameDistribution distribution;
    const std::vector<double> sorted = sortedFinite(values);
    if (sorted.empty())
        return distribution;
    distribution.count = sorted.size();
    distribution.least = sorted.front();
    distribution.most = sorted.back();
    distribution.percentiles = {percentileOf(sorted, 0.50), percentileOf(sorted, 0.95), percentileOf(sorted, 0.99)};
    distribution.histogram = histogramOf(sorted, mostBins);
    distribution.modality = modalityOfSorted(values, sorted);
    return distribution;
}

Modality modalityOf(std::span<const double> values)
{
    return modalityOfSorted(values, sortedFinite(values));
}

std::string modalityWords(const Modality &modality, std::string_view unit)
{
    if (!modality.bimodal())
        return {};
    const auto words = [&](const FrameMode &mode, std::string_view of) {
        return numberWords("%.0f %%", mode.share * 100) + std::string(of) + " at " + numberWords("%.3g ", mode.at)
            + std::string(unit);
    };
    return "two modes: " + words(modality.modes[0], " of the frames") + " and " + words(modality.modes[1], "");
}

} // namespace jetscope
