// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/stampsampler.h"

#include <cstdint>
#include <optional>
#include <string>

namespace jetscope {

/// Finds out of which clock stamps are whose source does not say it, and turns them into times of nowNs(). One thread.
class StampDating {
public:
    void add(const StampedFrame &frame) { m_sampler.add(frame); }
    /// By our clock; none while the clock is not known, or if it is none of this machine.
    std::optional<std::int64_t> ourNs(std::int64_t stampNs);
    /// "CLOCK_REALTIME"; empty while it is not known.
    std::string clock() const;

private:
    static constexpr std::size_t kFramesToTell = 30;

    std::optional<SystemClock> system() const
    {
        return m_sampler.finding() ? m_sampler.finding()->system : std::nullopt;
    }

    StampSampler m_sampler{kFramesToTell};
    std::int64_t m_aheadNs = 0;
    std::int64_t m_readNs = 0; ///< When the clock was read last: others than ours are set while they run.
};

} // namespace jetscope
