// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/run/runpaths.h"

#include "core/figures/statistics.h"

#include <algorithm>

namespace jetscope {

RunPaths::RunPaths(std::span<const Segment> segments)
{
    for (const Segment &segment : segments)
        m_stretches.emplace_back().firstFrame = segment.firstFrame;
    if (m_stretches.empty())
        m_stretches.emplace_back();
}

RunPaths::Stretch &RunPaths::stretchOf(std::uint32_t frame)
{
    const auto after = std::partition_point(m_stretches.begin(), m_stretches.end(),
                                            [frame](const Stretch &stretch) { return stretch.firstFrame <= frame; });
    return after == m_stretches.begin() ? m_stretches.front() : *(after - 1);
}

void RunPaths::add(const PipelineUpdate &update)
{
    constexpr std::size_t kWarmUp = StatisticsMethod().warmUp;
    m_head.add(update);
    for (const PathPiece &piece : update.path) {
        Stretch &stretch = stretchOf(piece.frame);
        (piece.frame < stretch.firstFrame + kWarmUp ? stretch.warmUp : stretch.sums).add(piece);
    }
    for (const PathGain &gain : update.pathGains) {
        Stretch &stretch = stretchOf(gain.firstFrame);
        if (gain.firstFrame >= stretch.firstFrame + kWarmUp && &stretch == &stretchOf(gain.lastFrame))
            stretch.sums.add(gain);
    }
}

PathSummary RunPaths::of(std::uint64_t first, std::uint64_t end) const
{
    PathSums all;
    PathSums warmUp;
    for (const Stretch &stretch : m_stretches) {
        if (stretch.firstFrame < first || stretch.firstFrame >= end)
            continue;
        all.add(stretch.sums);
        warmUp.add(stretch.warmUp);
    }
    const PathSums &sums = all.frames() > 0 ? all : warmUp;
    return sums.summary([this](std::uint32_t name) { return m_head.name(name); },
                        [this](LaneId id) { return m_head.lane(id); });
}

} // namespace jetscope
