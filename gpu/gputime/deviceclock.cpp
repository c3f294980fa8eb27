// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/gputime/deviceclock.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace jetscope {

namespace {

/// Results arrive at most a few seconds late, so older moments are not needed.
constexpr std::size_t kMomentsKept = 8;
/// For moments closer together, the measurement error exceeds the drift of the clocks.
constexpr double kShortestBaseNs = 1e8;

} // namespace

void DeviceClock::addMoment(std::span<const ClockSample> samples)
{
    std::optional<Moment> moment;
    for (const ClockSample &sample : samples) {
        const auto device = static_cast<std::int64_t>(sample.deviceNs);
        Moment seen{sample.deviceNs, sample.afterNs, sample.beforeNs - device, sample.afterNs - device};
        if (moment) {
            const std::int64_t least = std::max(moment->leastNs, seen.leastNs);
            const std::int64_t most = std::min(moment->mostNs, seen.mostNs);
            // Contradictory bounds mean that a clock jumped: use the newer one.
            if (least <= most) {
                seen.leastNs = least;
                seen.mostNs = most;
            }
        }
        moment = seen;
    }
    if (!moment)
        return;
    m_moments.push_back(*moment);
    if (m_moments.size() > kMomentsKept)
        m_moments.pop_front();
}

std::int64_t DeviceClock::hostNs(std::uint64_t deviceNs) const
{
    // Between two moments, use their own drift; after the newest, use the drift over the longest available interval.
    const Moment *from = &m_moments.front();
    const Moment *to = &m_moments.back();
    for (std::size_t i = 1; i < m_moments.size(); ++i)
        if (m_moments[i - 1].deviceNs <= deviceNs && deviceNs < m_moments[i].deviceNs) {
            from = &m_moments[i - 1];
            to = &m_moments[i];
        }
    const auto device = static_cast<std::int64_t>(deviceNs);
    const auto sinceTo = static_cast<double>(device - static_cast<std::int64_t>(to->deviceNs));
    // Keep whole nanoseconds until the end: the clocks may differ by years, which exceeds the precision of a double.
    return device + to->offsetNs() + std::llround(driftBetween(*from, *to) * sinceTo);
}

double DeviceClock::driftBetween(const Moment &from, const Moment &to)
{
    const auto base = static_cast<double>(to.deviceNs - from.deviceNs);
    return base < kShortestBaseNs ? 0 : static_cast<double>(to.offsetNs() - from.offsetNs()) / base;
}

std::int64_t DeviceClock::uncertaintyNs() const
{
    if (m_moments.empty())
        return 0;
    const Moment &newest = m_moments.back();
    return (newest.mostNs - newest.leastNs + 1) / 2;
}

} // namespace jetscope
