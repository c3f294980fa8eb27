// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/figures/laneload.h"

#include <algorithm>
#include <utility>

namespace jetscope {

void LaneLoad::add(const Span &span)
{
    if (span.depth >= kDepths)
        return;
    const Level within = std::exchange(m_levels[span.depth + std::size_t{1}], {});
    const Category category = spanCategory(span.name);
    Level level = within;
    if (isWait(category))
        level = {0, span.durationNs};
    else if (category != Category::Tool)
        level.busyNs = std::max<std::int64_t>(0, span.durationNs - within.waitedNs);
    if (span.depth == 0) {
        m_busyNs += level.busyNs;
        return;
    }
    m_levels[span.depth].busyNs += level.busyNs;
    m_levels[span.depth].waitedNs += level.waitedNs;
}

std::int64_t LaneLoad::take(std::int64_t mostNs)
{
    const std::int64_t taken = std::clamp<std::int64_t>(m_busyNs, 0, std::max<std::int64_t>(0, mostNs));
    m_busyNs -= taken;
    return taken;
}

} // namespace jetscope
