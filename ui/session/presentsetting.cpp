// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/session/presentsetting.h"

#include <vector>

namespace jetscope {

namespace {

constexpr std::int64_t kShownNs = 1'000'000'000;
constexpr std::size_t kMinFrames = 120;
constexpr std::size_t kMaxFrames = 1000; ///< Figures are computed four times a second.

/// Clamped at 0: a status snapshot may be slightly older than the counts at the change.
std::uint64_t since(std::uint64_t now, std::uint64_t then)
{
    return now > then ? now - then : 0;
}

} // namespace

void PresentSetting::add(std::span<const FrameFigures> figures)
{
    for (const FrameFigures &frame : figures)
        if (frame.frame >= m_from)
            m_recent.push_back(frame);
    const auto isOld = [this] {
        return m_recent.size() > kMaxFrames
            || (m_recent.size() > kMinFrames && m_recent.back().startNs - m_recent.front().startNs > kShownNs);
    };
    while (isOld())
        m_recent.pop_front();
}

void PresentSetting::changed(std::uint32_t frame, const PipelineCounts &until)
{
    m_from = frame;
    m_until = until;
    while (!m_recent.empty() && m_recent.front().frame < frame)
        m_recent.pop_front();
}

void PresentSetting::update()
{
    const std::vector<FrameFigures> frames(m_recent.begin(), m_recent.end());
    m_figures = summariseFrames(frames);
}

void PresentSetting::setFigures(const RunFigures &figures)
{
    m_figures = figures;
}

SettingCounts PresentSetting::counts(const PipelineStatus &status) const
{
    return {since(status.frames, m_until.frames), since(status.droppedBySource, m_until.dropped),
            since(status.droppedByView, m_until.droppedByView), since(status.emulationBytes, m_until.emulationBytes)};
}

} // namespace jetscope
