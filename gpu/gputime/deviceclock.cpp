// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/gputime/deviceclock.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace jetscope {

namespace {

/// Results come at most a few seconds late, so that older moments map nothing any more.
constexpr std::size_t kMomentsKept = 8;
/// Two moments that lie closer together tell more about their own errors than about the drift of the clocks.
constexpr double kShortestBaseNs = 5e8;

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
            // Bounds that contradict each other are those of a clock that jumped: the newer one holds.
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
    const Moment *from = &m_moments.back();
    const Moment *to = from;
    // The two moments around the time, or the last two before it.
    for (std::size_t i = m_moments.size(); i-- > 1;) {
        from = &m_moments[i - 1];
        to = &m_moments[i];
        if (from->deviceNs <= deviceNs)
            break;
    }
    const auto device = static_cast<std::int64_t>(deviceNs);
    const auto sinceTo = static_cast<double>(device - static_cast<std::int64_t>(to->deviceNs));
    const auto base = static_cast<double>(to->deviceNs - from->deviceNs);
    // Whole nanoseconds until the end: the difference of the clocks may be years, more than a double can tell apart.
    const double drift = base < kShortestBaseNs ? 0 : static_cast<double>(to->offsetNs() - from->offsetNs()) / base;
    return device + to->offsetNs() + std::llround(drift * sinceTo);
}

std::int64_t DeviceClock::uncertaintyNs() const
{
    if (m_moments.empty())
        return 0;
    const Moment &newest = m_moments.back();
    return (newest.mostNs - newest.leastNs + 1) / 2;
}

} // namespace jetscope
