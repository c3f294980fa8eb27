// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/statistics.h"
#include "gpu/pipeline/pipeline.h"

#include <cstdint>
#include <deque>
#include <span>

namespace jetscope {

/// What was counted since the choices, the source or the device last changed.
struct SettingCounts {
    std::uint64_t frames = 0;
    std::uint64_t droppedBySource = 0;
    std::uint64_t droppedByView = 0;
    std::uint64_t emulationBytes = 0;

    std::uint64_t dropped() const { return droppedBySource + droppedByView; }
};

/// The figures of the present setting: of its frames of the last second, or of the last 120 where that is more. UI
/// thread.
class PresentSetting {
public:
    /// Another pipeline: nothing has been seen of it.
    void restart() { *this = {}; }
    void add(std::span<const FrameFigures> figures);
    /// A change came into force at `frame`; `until` is what had been counted by then.
    void changed(std::uint32_t frame, const PipelineCounts &until);

    /// Makes figures of what there is now.
    void update();
    const RunFigures &figures() const { return m_figures; }
    const RunNoise &noise() const { return m_noise; }
    /// In place of one's own, those of a trace from a file.
    void setFigures(const RunFigures &figures);
    SettingCounts counts(const PipelineStatus &status) const;
    std::uint32_t firstFrame() const { return m_from; } ///< Of the present setting.

private:
    std::deque<FrameFigures> m_recent;
    std::uint32_t m_from = 0; ///< Frames before belong to an earlier setting.
    PipelineCounts m_until;
    RunFigures m_figures;
    RunNoise m_noise;
};

} // namespace jetscope
