// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/lab/exposurefit.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace jetscope {

namespace {

constexpr double kNsInMs = 1e6;
constexpr double kCoarseMs = 4;
constexpr std::array kCoarseLengths{6.0, 12.0, 20.0, 33.0, 50.0}; ///< In milliseconds.
constexpr double kLongestExposure = 100;
constexpr double kLongestSkew = 30;
constexpr double kGoodError = 0.02;  ///< Mean square of what the fit leaves of a cell.
constexpr double kOtherError = 0.12; ///< Any other stretch leaves more.
constexpr double kElsewhereMs = 25;  ///< Fits that are farther apart are of other stretches.
constexpr double kLeastGain = 0.5;   ///< Of a cell's range against that of the marks, which blur makes smaller.
constexpr double kMostGain = 1.2;
constexpr double kDoubt = 0.01; ///< A fit that leaves so much more may be the right one.

/// An exposure in milliseconds from the first stretch on. The check bits, which lie below, are exposed later by the
/// skew of a rolling shutter.
struct Exposure {
    double from = 0;
    double length = 0;
    double skew = 0;

    double middle() const { return from + skew / 2 + length / 2; }
};

/// Means of the cells over any stretch.
class ShownSums {
public:
    explicit ShownSums(std::span<const ShownStretch> shown)
    {
        std::array<double, 2 * kClockBits> sum{};
        m_at.push_back(0);
        m_sums.push_back(sum);
        for (const ShownStretch &stretch : shown) {
            const double length = static_cast<double>(stretch.untilNs - stretch.fromNs) / kNsInMs;
            if (stretch.ms >= 0) {
                const ClockCode code = clockCode(stretch.ms);
                for (std::size_t bit = 0; bit < kClockBits; ++bit) {
                    sum[bit] += (code.data >> bit & 1 ? 1 : -1) * length;
                    sum[kClockBits + bit] += (code.check >> bit & 1 ? 1 : -1) * length;
                }
            }
            m_at.push_back(m_at.back() + length);
            m_sums.push_back(sum);
        }
    }

    double end() const { return m_at.back(); }

    /// What the fit leaves of the cells; infinite if it cannot be the exposure.
    double error(const ClockCells &cells, const Exposure &exposure) const
    {
        const double first = std::min(exposure.from, exposure.from + exposure.skew);
        const double last = std::max(exposure.from, exposure.from + exposure.skew) + exposure.length;
        if (first < 0 || last > end() || exposure.length < 1 || exposure.length > kLongestExposure
            || std::abs(exposure.skew) > kLongestSkew)
            return HUGE_VAL;
        std::array<double, 2 * kClockBits> model{};
        addMean(model, 0, exposure.from, exposure.length);
        addMean(model, kClockBits, exposure.from + exposure.skew, exposure.length);
        double both = 0;
        double own = 0;
        for (std::size_t i = 0; i < model.size(); ++i) {
            both += model[i] * static_cast<double>(cells[i]);
            own += model[i] * model[i];
        }
        const double gain = own > 0 ? both / own : 0;
        if (gain < kLeastGain || gain > kMostGain)
            return HUGE_VAL;
        double left = 0;
        for (std::size_t i = 0; i < model.size(); ++i)
            left += std::pow(static_cast<double>(cells[i]) - gain * model[i], 2);
        return left / static_cast<double>(model.size());
    }

private:
    void addMean(std::array<double, 2 * kClockBits> &model, std::size_t first, double from, double length) const
    {
        const auto weigh = [&](double at, double sign) {
            const auto after = std::upper_bound(m_at.begin() + 1, m_at.end() - 1, at);
            const auto i = static_cast<std::size_t>(after - m_at.begin());
            const double part = (at - m_at[i - 1]) / (m_at[i] - m_at[i - 1]);
            for (std::size_t bit = first; bit < first + kClockBits; ++bit)
                model[bit] += sign * (m_sums[i - 1][bit] + part * (m_sums[i][bit] - m_sums[i - 1][bit])) / length;
        };
        weigh(from + length, 1);
        weigh(from, -1);
    }

    std::vector<double> m_at; ///< Where stretches begin and end.
    std::vector<std::array<double, 2 * kClockBits>> m_sums;
};

/// The best exposure near one, by ever smaller steps.
Exposure refined(const ShownSums &sums, const ClockCells &cells, Exposure best)
{
    constexpr double kFinest = 0.2;
    double error = sums.error(cells, best);
    for (double step = kCoarseMs; step > kFinest;) {
        Exposure next = best;
        double nextError = error;
        for (const double sign : {-1.0, 1.0})
            for (const Exposure &tried : {Exposure{best.from + sign * step, best.length, best.skew},
                                          Exposure{best.from, best.length + sign * step, best.skew},
                                          Exposure{best.from - sign * step, best.length + sign * step, best.skew},
                                          Exposure{best.from - sign * step, best.length, best.skew + sign * 2 * step},
                                          Exposure{best.from, best.length, best.skew + sign * step}})
                if (const double triedError = sums.error(cells, tried); triedError < nextError) {
                    next = tried;
                    nextError = triedError;
                }
        if (nextError < error) {
            best = next;
            error = nextError;
        } else {
            step /= 2;
        }
    }
    return best;
}

/// How far the middle may move until every fit there is clearly worse.
double boundOf(const ShownSums &sums, const ClockCells &cells, const Exposure &best)
{
    constexpr double kStep = 0.5;
    constexpr std::array kOthers{-8.0, -4.0, 0.0, 4.0, 8.0}; ///< By which length and skew may be wrong.
    const double limit = sums.error(cells, best) + kDoubt;
    const auto mayBe = [&](double moved) {
        for (const double length : kOthers)
            for (const double skew : kOthers)
                if (sums.error(cells,
                               {best.from + moved - length / 2 - skew / 2, best.length + length, best.skew + skew})
                    < limit)
                    return true;
        return false;
    };
    double bound = kStep;
    for (const double sign : {-1.0, 1.0}) {
        double moved = kStep;
        while (moved < kElsewhereMs && mayBe(sign * moved))
            moved += kStep;
        bound = std::max(bound, moved);
    }
    return bound;
}

} // namespace

std::optional<FittedExposure> fitExposure(const ClockCells &cells, std::span<const ShownStretch> shown)
{
    if (shown.empty())
        return std::nullopt;
    const ShownSums sums(shown);
    struct Candidate {
        Exposure exposure;
        double error = 0;
    };
    std::vector<Candidate> coarse;
    for (double from = 0; from < sums.end(); from += kCoarseMs)
        for (const double length : kCoarseLengths)
            if (const double error = sums.error(cells, {from, length, 0}); error < 1)
                coarse.push_back({{from, length, 0}, error});
    const auto isBetter = [](const Candidate &a, const Candidate &b) { return a.error < b.error; };
    constexpr std::size_t kRefined = 12;
    const std::size_t count = std::min(kRefined, coarse.size());
    std::partial_sort(coarse.begin(), coarse.begin() + static_cast<std::ptrdiff_t>(count), coarse.end(), isBetter);
    coarse.resize(count);
    for (Candidate &candidate : coarse) {
        candidate.exposure = refined(sums, cells, candidate.exposure);
        candidate.error = sums.error(cells, candidate.exposure);
    }
    const auto best = std::min_element(coarse.begin(), coarse.end(), isBetter);
    if (best == coarse.end() || best->error > kGoodError)
        return std::nullopt;
    for (const Candidate &other : coarse)
        if (std::abs(other.exposure.middle() - best->exposure.middle()) > kElsewhereMs && other.error < kOtherError)
            return std::nullopt;
    const auto ns = [](double ms) { return static_cast<std::int64_t>(ms * kNsInMs); };
    return FittedExposure{shown.front().fromNs + ns(best->exposure.middle()), ns(best->exposure.length),
                          ns(boundOf(sums, cells, best->exposure))};
}

} // namespace jetscope
