// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/nsystimes.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr std::size_t kMostSampledTimes = 8192;
constexpr std::int64_t kFarOffSpans = 100; ///< Half of all events lie within one span.
constexpr std::int64_t kFarOffNs = 86'400'000'000'000;
constexpr std::int64_t kFarFromZeroNs = 60'000'000'000;

} // namespace

void NsysTimes::add(std::int64_t startNs, std::int64_t endNs)
{
    m_leastNs = m_rows == 0 ? startNs : std::min(m_leastNs, startNs);
    m_mostNs = m_rows == 0 ? endNs : std::max(m_mostNs, endNs);
    ++m_rows;
    if (m_samples.size() < kMostSampledTimes) {
        m_samples.push_back({startNs, endNs});
        return;
    }
    m_random = m_random * 6364136223846793005U + 1442695040888963407U;
    const std::uint64_t place = (m_random >> 16U) % m_rows;
    if (place < m_samples.size())
        m_samples[place] = {startNs, endNs};
}

void NsysTimes::settle()
{
    if (m_samples.empty())
        return;
    std::sort(m_samples.begin(), m_samples.end(),
              [](const Sample &a, const Sample &b) { return a.startNs < b.startNs; });
    m_lowNs = m_samples[m_samples.size() / 4].startNs;
    m_highNs = m_samples[m_samples.size() * 3 / 4].startNs;
    m_firstNs = m_highNs;
    m_lastNs = m_lowNs;
    for (const Sample &sample : m_samples)
        if (canBegin(sample.startNs)) {
            m_firstNs = std::min(m_firstNs, sample.startNs);
            m_lastNs = std::max(m_lastNs, canBegin(sample.endNs) ? sample.endNs : sample.startNs);
        }
    if (canBegin(m_leastNs))
        m_firstNs = m_leastNs;
    if (canBegin(m_mostNs))
        m_lastNs = m_mostNs;
}

bool NsysTimes::canBegin(std::int64_t startNs) const
{
    const std::int64_t spanNs = m_highNs - m_lowNs;
    const std::int64_t farNs =
        spanNs > kFarOffNs ? spanNs : std::max(spanNs * kFarOffSpans, startNs == 0 ? kFarFromZeroNs : kFarOffNs);
    return startNs >= m_lowNs ? startNs <= m_highNs || startNs - m_highNs <= farNs : m_lowNs - startNs <= farNs;
}

} // namespace jetscope
