// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/gputime/gputimer.h"
#include "gpu/pipeline/pipelinechannel.h"

#include <cstddef>
#include <cstdint>
#include <map>

namespace jetscope {

/// The pipeline's own counters: the depths of its queues and the uncertainty of device times. Only changes are
/// reported. Pipeline thread.
class PipelineCounters {
public:
    explicit PipelineCounters(PipelineChannel &channel);

    /// `sourcePeriodNs`: see SourcePeriod.
    void note(std::size_t framesInFlight, std::size_t framesCaptured, std::int64_t sourcePeriodNs,
              const GpuTimer &timer);

private:
    void put(CounterId counter, double value, std::int64_t ns);

    PipelineChannel &m_channel;
    CounterId m_inFlight;
    CounterId m_captured;
    CounterId m_sourcePeriod;
    std::map<LaneId, CounterId> m_uncertainty;
    std::map<CounterId, double> m_last;
    std::vector<CounterSample> m_changed;
};

} // namespace jetscope
