// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/options.h"
#include "core/time/clock.h"

#include <algorithm>
#include <cstdint>

namespace jetscope {

/// What ends a measurement of the latency, from now on: --frames, --time, or whichever of both comes first; without
/// either as many frames as a run has.
class LatencyLimit {
public:
    explicit LatencyLimit(const Options &options)
        : m_frames(options.frames.value_or(options.seconds ? UINT32_MAX : kDefaultRunFrames)),
          m_seconds(static_cast<double>(options.seconds.value_or(0)))
    {
    }

    std::uint64_t frames() const { return m_frames; }
    bool isTimeOver() const { return m_seconds > 0 && partOfTime() >= 1; }
    /// From 0 to 1.
    double progress(std::uint64_t frames) const
    {
        return std::min(1.0, std::max(static_cast<double>(frames) / static_cast<double>(m_frames), partOfTime()));
    }

private:
    double partOfTime() const { return m_seconds > 0 ? static_cast<double>(nowNs() - m_startNs) / 1e9 / m_seconds : 0; }

    std::uint64_t m_frames;
    double m_seconds; ///< 0 without a limit.
    std::int64_t m_startNs = nowNs();
};

} // namespace jetscope
