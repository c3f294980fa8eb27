// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/record/pathpart.h"

#include "core/path/pathfollower.h"

#include <algorithm>
#include <iterator>

namespace jetscope {

namespace {

constexpr std::uint64_t kFollowedCallsASecond = 12'500;
constexpr std::uint64_t kManyCallsASecond = 2 * kFollowedCallsASecond;
constexpr std::int64_t kMeasureNs = 250'000'000;
constexpr std::uint32_t kGroup = PathFollower::kFramesAtOnce;

} // namespace

void PathPart::count(std::uint64_t calls, std::int64_t endNs)
{
    m_calls += calls;
    if (m_sinceNs == 0)
        m_sinceNs = endNs;
    const std::int64_t ns = endNs - m_sinceNs;
    if (ns < kMeasureNs)
        return;
    const std::uint64_t perSecond = m_calls * 1'000'000 / static_cast<std::uint64_t>(ns / 1000);
    m_oneOf = perSecond <= kManyCallsASecond
        ? 1
        : static_cast<std::uint32_t>((perSecond + kFollowedCallsASecond - 1) / kFollowedCallsASecond);
    m_calls = 0;
    m_sinceNs = endNs;
}

void PathPart::choose(std::vector<FrameFigures> &frames)
{
    for (FrameFigures &frame : frames) {
        if (m_frame == 0 && m_group == 0) {
            m_groupOneOf = m_oneOf;
            if (m_weights.empty() || m_weights.back().second != m_groupOneOf)
                m_weights.emplace_back(frame.frame, m_groupOneOf);
        }
        m_chosenEnd = frame.frame + 1;
        if (m_group > 0)
            frame.traced = false;
        if (++m_frame < kGroup)
            continue;
        m_frame = 0;
        m_group = (m_group + 1) % m_groupOneOf;
    }
}

std::uint32_t PathPart::weightOf(std::uint32_t frame) const
{
    const auto after = std::upper_bound(m_weights.begin(), m_weights.end(), frame,
                                        [](std::uint32_t number, const auto &from) { return number < from.first; });
    return frame >= m_chosenEnd || after == m_weights.begin() ? 1 : std::prev(after)->second;
}

} // namespace jetscope
