// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/kernelstamps.h"

#include <cstdint>
#include <deque>
#include <span>

namespace jetscope {

/// Maps the clock of a device to the host's. Every sample bounds the difference of the two clocks from both sides;
/// samples taken within a moment share one bound, and the drift of the clocks follows from moments that lie apart.
class DeviceClock {
public:
    /// Samples that were taken one right after the other.
    void addMoment(std::span<const ClockSample> samples);

    /// Whether there is anything to map by.
    bool isSet() const { return !m_moments.empty(); }
    /// When the newest moment was, on the host's clock.
    std::int64_t newestNs() const { return m_moments.empty() ? 0 : m_moments.back().hostNs; }

    /// Needs at least one sample.
    std::int64_t hostNs(std::uint64_t deviceNs) const;
    /// How far `hostNs` may be off for times around the newest moment.
    std::int64_t uncertaintyNs() const;

private:
    /// Host time minus device time lies between these.
    struct Moment {
        std::uint64_t deviceNs = 0;
        std::int64_t hostNs = 0;
        std::int64_t leastNs = 0;
        std::int64_t mostNs = 0;

        std::int64_t offsetNs() const { return leastNs + (mostNs - leastNs) / 2; }
    };

    static double driftBetween(const Moment &from, const Moment &to);

    std::deque<Moment> m_moments; ///< Oldest first.
};

} // namespace jetscope
