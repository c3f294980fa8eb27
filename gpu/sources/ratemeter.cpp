// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/ratemeter.h"

#include <algorithm>
#include <cmath>

namespace jetscope {

double typicalPeriod(std::vector<std::int64_t> differences)
{
    std::erase_if(differences, [](std::int64_t difference) { return difference <= 0; });
    if (differences.empty())
        return 0;
    // Of several at a time, so that what jitter or a coarse clock takes from one and gives to the next does not count.
    constexpr std::size_t kMaxAtATime = 6;
    constexpr std::size_t kMinGroups = 4;
    std::size_t atATime = std::clamp(differences.size() / kMinGroups, std::size_t{1}, kMaxAtATime);
    atATime -= atATime > 1 ? atATime % 2 : 0; // Long and short ones often alternate.
    std::vector<double> sums;
    for (std::size_t i = 0; i + atATime <= differences.size(); ++i) {
        double sum = 0;
        for (std::size_t k = i; k < i + atATime; ++k)
            sum += static_cast<double>(differences[k]);
        sums.push_back(sum);
    }
    const auto middle = sums.begin() + static_cast<std::ptrdiff_t>(sums.size() / 2);
    std::nth_element(sums.begin(), middle, sums.end());
    return *middle / static_cast<double>(atATime);
}

void RateMeter::add(std::int64_t stampNs)
{
    if (m_known) {
        const std::int64_t difference = stampNs - m_last;
        if (m_differences.size() < kKept)
            m_differences.push_back(difference);
        else
            m_differences[m_at++ % kKept] = difference;
        // Sorting them for each frame would cost more than it tells.
        if (m_differences.size() >= kMin && (m_periodNs == 0 || ++m_sinceCount >= kMin)) {
            m_periodNs = std::llround(typicalPeriod(m_differences));
            m_sinceCount = 0;
        }
    }
    m_last = stampNs;
    m_known = true;
}

} // namespace jetscope
