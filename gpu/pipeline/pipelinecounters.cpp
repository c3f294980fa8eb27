// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/pipeline/pipelinecounters.h"

#include "core/figures/headroom.h"
#include "core/time/clock.h"

#include <cmath>
#include <limits>

namespace jetscope {

PipelineCounters::PipelineCounters(PipelineChannel &channel)
    : m_channel(channel),
      m_inFlight(channel.addCounter("frames in flight", "frames")),
      m_captured(channel.addCounter("captured frames waiting", "frames")),
      m_sourcePeriod(channel.addCounter(std::string(kSourcePeriodCounter), "ms"))
{
}

void PipelineCounters::note(std::size_t framesInFlight, std::size_t framesCaptured, std::int64_t sourcePeriodNs,
                            const GpuTimer &timer)
{
    const std::int64_t ns = nowNs();
    put(m_inFlight, static_cast<double>(framesInFlight), ns);
    put(m_captured, static_cast<double>(framesCaptured), ns);
    const bool measured = sourcePeriodNs != kSourcePeriodUnknown;
    put(m_sourcePeriod, measured ? static_cast<double>(sourcePeriodNs) / 1e6 : std::numeric_limits<double>::quiet_NaN(),
        ns);
    timer.forEachLane([&](LaneId lane) {
        const auto known = m_uncertainty.find(lane);
        const CounterId counter =
            known != m_uncertainty.end() ? known->second : m_channel.addCounter("clock uncertainty", "ns", lane);
        m_uncertainty[lane] = counter;
        put(counter, static_cast<double>(timer.uncertaintyNs()), ns);
    });
    if (m_changed.empty())
        return;
    m_channel.addSamples(m_changed);
    m_changed.clear();
}

void PipelineCounters::put(CounterId counter, double value, std::int64_t ns)
{
    const auto [last, isNew] = m_last.try_emplace(counter, value);
    if (!isNew && (last->second == value || (std::isnan(last->second) && std::isnan(value))))
        return;
    last->second = value;
    m_changed.push_back({ns, value, counter});
}

} // namespace jetscope
