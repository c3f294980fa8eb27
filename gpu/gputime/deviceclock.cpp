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
    // Between two moments their own difference decides; behind the newest the drift over the longest base that there
    // is.
    const Moment *from = &m_moments.front();
    const Moment *to = &m_moments.back();
    for (std::size_t i = 1; i < m_moments.size(); ++i)
        if (m_moments[i - 1].deviceNs <= deviceNs && deviceNs < m_moments[i].deviceNs) {
            from = &m_moments[i - 1];
            to = &m_moments[i];
        }
    const auto device = static_cast<std::int64_t>(deviceNs);
    const auto sinceTo = static_cast<double>(device - static_cast<std::int64_t>(to->deviceNs));
    // Whole nanoseconds until the end: the difference of the clocks may be years, more than a double can tell apart.
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
