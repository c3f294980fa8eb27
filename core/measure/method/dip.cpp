// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/method/dip.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace jetscope {

namespace {

using Indices = std::vector<std::size_t>;

/// State of the algorithm. Distances are counted in steps of the empirical distribution, that is, in units of 1 / n.
class DipSearch {
public:
    explicit DipSearch(std::span<const double> sorted)
        : m_x(sorted), m_before(sorted.size()), m_behind(sorted.size()), m_high(sorted.size() - 1)
    {
        findMinorant();
        findMajorant();
    }

    double dip()
    {
        double dip = 1;
        for (;;) {
            follow();
            if (farthest() < dip)
                break;
            dip = std::max({dip, distanceBelow(), distanceAbove()});
            if (m_low == m_minorant[m_atMinorant] && m_high == m_majorant[m_atMajorant])
                break;
            m_low = m_minorant[m_atMinorant];
            m_high = m_majorant[m_atMajorant];
        }
        return dip / (2 * static_cast<double>(m_x.size()));
    }

private:
    /// Whether the slope from `a` to `b` is less than that from `b` to `c` (steps for each unit of x).
    bool isConvex(std::size_t a, std::size_t b, std::size_t c) const
    {
        return (m_x[c] - m_x[b]) * steps(a, b) < (m_x[b] - m_x[a]) * steps(b, c);
    }

    static double steps(std::size_t from, std::size_t to)
    {
        return static_cast<double>(to) - static_cast<double>(from);
    }

    /// For each index the one before it on the greatest convex minorant of all values up to it.
    void findMinorant()
    {
        for (std::size_t j = 1; j < m_x.size(); ++j) {
            std::size_t before = j - 1;
            while (before != 0 && !isConvex(m_before[before], before, j))
                before = m_before[before];
            m_before[j] = before;
        }
    }

    /// For each index the one behind it on the least concave majorant of all values from it on.
    void findMajorant()
    {
        const std::size_t last = m_x.size() - 1;
        m_behind[last] = last;
        for (std::size_t k = last; k-- > 0;) {
            std::size_t behind = k + 1;
            while (behind != last
                   && !((m_x[k] - m_x[behind]) * steps(m_behind[behind], behind)
                        < (m_x[behind] - m_x[m_behind[behind]]) * steps(behind, k)))
                behind = m_behind[behind];
            m_behind[k] = behind;
        }
    }

    /// The points of both curves within the present interval: the minorant from its end, the majorant from its start.
    void follow()
    {
        m_minorant.assign(1, m_high);
        while (m_minorant.back() > m_low)
            m_minorant.push_back(m_before[m_minorant.back()]);
        m_majorant.assign(1, m_low);
        while (m_majorant.back() < m_high)
            m_majorant.push_back(m_behind[m_majorant.back()]);
    }

    /// The largest distance between both curves, and the points where it is.
    double farthest()
    {
        m_atMinorant = m_minorant.size() - 1;
        m_atMajorant = m_majorant.size() - 1;
        if (m_minorant.size() == 2 && m_majorant.size() == 2)
            return 1;
        double distance = 0;
        std::size_t ix = m_minorant.size() - 2;
        std::size_t iv = 1;
        do {
            const std::size_t g = m_minorant[ix];
            const std::size_t l = m_majorant[iv];
            if (g > l) {
                const std::size_t from = m_minorant[ix + 1];
                const double here = steps(from, l) + 1 - (m_x[l] - m_x[from]) * steps(from, g) / (m_x[g] - m_x[from]);
                ++iv;
                if (here >= distance) {
                    distance = here;
                    m_atMinorant = ix + 1;
                    m_atMajorant = iv - 1;
                }
            } else {
                const std::size_t from = m_majorant[iv - 1];
                const double here = (m_x[g] - m_x[from]) * steps(from, l) / (m_x[l] - m_x[from]) - steps(from, g) + 1;
                if (here >= distance) {
                    distance = here;
                    m_atMinorant = ix;
                    m_atMajorant = iv;
                }
                ix = ix > 0 ? ix - 1 : 0;
            }
            iv = std::min(iv, m_majorant.size() - 1);
        } while (m_minorant[ix] != m_majorant[iv]);
        return distance;
    }

    /// The largest distance of the empirical distribution from a chord of one of the curves, on its side (`sign`).
    double distanceFrom(std::size_t begin, std::size_t end, double sign) const
    {
        double distance = 1;
        if (end - begin < 2 || m_x[end] == m_x[begin])
            return distance;
        const double slope = steps(begin, end) / (m_x[end] - m_x[begin]);
        for (std::size_t i = begin; i <= end; ++i)
            distance = std::max(distance, sign * (steps(begin, i) - (m_x[i] - m_x[begin]) * slope) + 1);
        return distance;
    }

    double distanceBelow() const
    {
        double distance = 0;
        for (std::size_t j = m_atMinorant; j + 1 < m_minorant.size(); ++j)
            distance = std::max(distance, distanceFrom(m_minorant[j + 1], m_minorant[j], 1));
        return distance;
    }

    double distanceAbove() const
    {
        double distance = 0;
        for (std::size_t j = m_atMajorant; j + 1 < m_majorant.size(); ++j)
            distance = std::max(distance, distanceFrom(m_majorant[j], m_majorant[j + 1], -1));
        return distance;
    }

    std::span<const double> m_x;
    Indices m_before;
    Indices m_behind;
    std::size_t m_low = 0;
    std::size_t m_high;
    Indices m_minorant;
    Indices m_majorant;
    std::size_t m_atMinorant = 0;
    std::size_t m_atMajorant = 0;
};

constexpr std::array<double, 7> kTails = {0.99, 0.5, 0.1, 0.05, 0.01, 0.005, 0.001};
/// Quantiles of sqrt(n) * dip of uniform samples, made with dipOf. The last row is used for all larger samples.
struct DipRow {
    double count;
    std::array<double, 7> quantiles;
};
constexpr std::array<DipRow, 7> kDipRows = {{
    {20, {0.2117, 0.3282, 0.4341, 0.4691, 0.5404, 0.5672, 0.6207}},
    {50, {0.2223, 0.3452, 0.4593, 0.4982, 0.5764, 0.6052, 0.6680}},
    {100, {0.2279, 0.3550, 0.4717, 0.5116, 0.5902, 0.6215, 0.6792}},
    {200, {0.2335, 0.3621, 0.4806, 0.5201, 0.6017, 0.6310, 0.6995}},
    {500, {0.2387, 0.3681, 0.4899, 0.5303, 0.6175, 0.6469, 0.7113}},
    {1000, {0.2411, 0.3712, 0.4934, 0.5354, 0.6194, 0.6540, 0.7304}},
    {4000, {0.2437, 0.3754, 0.4991, 0.5397, 0.6235, 0.6511, 0.7197}},
}};

} // namespace

double dipOf(std::span<const double> sorted)
{
    if (sorted.size() < 2 || sorted.front() == sorted.back())
        return sorted.empty() ? 0 : 1 / (2 * static_cast<double>(sorted.size()));
    return DipSearch(sorted).dip();
}

double dipProbability(double dip, std::size_t count)
{
    const double n = std::max(kDipRows.front().count, static_cast<double>(count));
    const double scaled = dip * std::sqrt(static_cast<double>(count));
    const auto above =
        std::find_if(kDipRows.begin(), kDipRows.end(), [&](const DipRow &row) { return row.count >= n; });
    const DipRow &high = above == kDipRows.end() ? kDipRows.back() : *above;
    const DipRow &low = above == kDipRows.begin() || above == kDipRows.end() ? high : *(above - 1);
    const double part = high.count > low.count ? std::log(n / low.count) / std::log(high.count / low.count) : 1;
    const auto quantile = [&](std::size_t i) { return std::lerp(low.quantiles[i], high.quantiles[i], part); };
    if (scaled <= quantile(0))
        return 1;
    for (std::size_t i = 1; i < kTails.size(); ++i) {
        if (scaled > quantile(i))
            continue;
        const double within = (scaled - quantile(i - 1)) / (quantile(i) - quantile(i - 1));
        return std::exp(std::lerp(std::log(kTails[i - 1]), std::log(kTails[i]), within));
    }
    return kTails.back() / 2;
}

} // namespace jetscope
