// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/framemetricsbuilder.h"
#include "core/figures/tracecost.h"
#include "core/recording/tracer.h"
#include "gpu/pipeline/pipelinechannel.h"

#include <cstdint>

namespace jetscope {

/// Collects what the threads recorded, makes the figures of frames of it, and sends both through the channel. Pipeline
/// thread. Tracer and channel outlive it.
class EventCollector {
public:
    EventCollector(Tracer &tracer, PipelineChannel &channel) : m_tracer(tracer), m_channel(channel) {}

    PipelineChannel &channel() { return m_channel; }
    FrameMetricsBuilder &metrics() { return m_metrics; }
    TraceCostMeter &traceCost() { return m_traceCost; }

    /// Collects the ring buffers of the threads. Everything that began before `resolvedNs` was recorded before this
    /// call.
    void collect(std::int64_t resolvedNs);

private:
    Tracer &m_tracer;
    PipelineChannel &m_channel;
    FrameMetricsBuilder m_metrics;
    TraceCostMeter m_traceCost;
    std::size_t m_lanesKnown = 0;
};

} // namespace jetscope
