// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/pipeline/sourceperiod.h"

#include "core/figures/headroom.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace jetscope {

SourcePeriod::SourcePeriod(const SourceInfo &info)
    : m_hasPeriod(info.live || info.pacedFps > 0),
      m_pacedNs(info.pacedFps > 0 ? std::llround(1e9 / info.pacedFps) : 0),
      m_ns(m_hasPeriod ? kSourcePeriodUnknown : kNoSourcePeriod)
{
}

void SourcePeriod::add(const CapturedFrame &frame)
{
    if (!m_hasPeriod)
        return;
    const bool follows = m_lastNs != 0 && frame.gaps.empty() && frame.index > m_lastIndex && frame.captureNs > m_lastNs;
    if (follows) {
        // Includes frames that the source captured but that were not read.
        m_latest[m_count % kKept] = (frame.captureNs - m_lastNs) / static_cast<std::int64_t>(frame.index - m_lastIndex);
        ++m_count;
    }
    m_lastNs = frame.captureNs;
    m_lastIndex = frame.index;
    if (!follows || m_count < kMin)
        return;
    // A late reader delays a paced source, which otherwise keeps its rate.
    const std::int64_t measured = m_pacedNs > 0 ? std::min(median(), m_pacedNs) : median();
    if (m_ns <= 0 || std::abs(measured - m_ns) * 100 >= m_ns)
        m_ns = measured;
}

std::int64_t SourcePeriod::median() const
{
    std::array<std::int64_t, kKept> sorted = m_latest;
    const auto end = sorted.begin() + static_cast<std::ptrdiff_t>(std::min(m_count, kKept));
    const auto middle = sorted.begin() + (end - sorted.begin()) / 2;
    std::nth_element(sorted.begin(), middle, end);
    return *middle;
}

} // namespace jetscope
