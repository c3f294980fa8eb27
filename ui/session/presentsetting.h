// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/statistics.h"
#include "gpu/pipeline/pipeline.h"

#include <cstdint>
#include <deque>
#include <span>

namespace jetscope {

/// Counts since the last change of settings, source or device.
struct SettingCounts {
    std::uint64_t frames = 0;
    std::uint64_t droppedBySource = 0;
    std::uint64_t droppedByView = 0;
    std::uint64_t emulationBytes = 0;

    std::uint64_t dropped() const { return droppedBySource + droppedByView; }
};

/// Figures of the present setting, from its frames of the last second or its last 120 frames, whichever is more. UI
/// thread.
class PresentSetting {
public:
    /// Starts over for a new pipeline.
    void restart() { *this = {}; }
    void add(std::span<const FrameFigures> figures);
    /// A change came into force at `frame`; `until` holds the counts at that time.
    void changed(std::uint32_t frame, const PipelineCounts &until);

    /// Computes the figures of the frames added so far.
    void update();
    const RunFigures &figures() const { return m_figures; }
    /// Sets the figures of a trace from a file.
    void setFigures(const RunFigures &figures);
    SettingCounts counts(const PipelineStatus &status) const;
    std::uint32_t firstFrame() const { return m_from; } ///< First frame of the present setting.

private:
    std::deque<FrameFigures> m_recent;
    std::uint32_t m_from = 0; ///< Earlier frames belong to an earlier setting.
    PipelineCounts m_until;
    RunFigures m_figures;
};

} // namespace jetscope
