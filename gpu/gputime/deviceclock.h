// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/base/kernelstamps.h"

#include <cstdint>
#include <deque>
#include <span>

namespace jetscope {

/// Maps a device's clock to the host's clock. Every sample bounds the difference of the two clocks from both sides.
/// Samples taken within a moment share one bound, and the drift follows from moments that are apart.
class DeviceClock {
public:
    /// Adds samples that were taken right after one another.
    void addMoment(std::span<const ClockSample> samples);

    /// Whether there is a sample.
    bool isSet() const { return !m_moments.empty(); }
    /// The host time of the newest moment.
    std::int64_t newestNs() const { return m_moments.empty() ? 0 : m_moments.back().hostNs; }

    /// Requires at least one sample.
    std::int64_t hostNs(std::uint64_t deviceNs) const;
    /// The maximum error of `hostNs` for times near the newest moment.
    std::int64_t uncertaintyNs() const;

private:
    /// Host time minus device time is between these.
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
