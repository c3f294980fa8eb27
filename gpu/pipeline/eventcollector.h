// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/framemetricsbuilder.h"
#include "core/path/pathfollower.h"
#include "core/recording/tracecost.h"
#include "core/recording/tracer.h"
#include "gpu/pipeline/pipeline.h"

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

/// Gathers what the owner of a pipeline wants to know and hands it over by value. The pipeline thread reports; `take`
/// is for any one other thread.
class EventCollector {
public:
    explicit EventCollector(Tracer &tracer) : m_tracer(tracer) {}

    FrameMetricsBuilder &metrics() { return m_metrics; }
    TraceCostMeter &traceCost() { return m_traceCost; }

    /// Collects the rings. Everything that began before `resolvedNs` was recorded before this call.
    void collect(std::int64_t resolvedNs);
    /// A notice without a time of its own is of now.
    void report(PipelineNotice notice);
    /// The source's number of a frame that is about to be submitted; in order of frames.
    void addFrameNumber(const FrameNumber &number);
    void addAnswers(std::vector<CpuAnswer> answers);

    /// Counters of the machine have ids from here on, those of the pipeline lie before.
    static constexpr CounterId kFirstHostCounter = 1000;
    /// Adds a counter of the pipeline. Any thread.
    CounterId counter(std::string name, std::string unit, std::optional<LaneId> lane = {});
    /// Any thread, as long as ids differ.
    void addCounters(const std::vector<CounterInfo> &infos);
    /// Any thread; each counter's samples in order.
    void addSamples(const std::vector<CounterSample> &samples);

    /// Follows the critical paths on the way, on the thread that asks: the pipeline's own is not to pay for it.
    PipelineUpdate take();

private:
    Tracer &m_tracer;
    FrameMetricsBuilder m_metrics;
    TraceCostMeter m_traceCost;
    std::size_t m_lanesKnown = 0;
    std::vector<Span> m_scratch;
    std::mutex m_mutex;
    PipelineUpdate m_update;
    CounterId m_nextCounter = 0;
    std::uint64_t m_unfetched = 0; ///< Spans dropped because nobody took them.
    bool m_ended = false;          ///< Nothing more comes: what is there is all there is.
    PathFollower m_follower;       ///< Of the thread that takes.
    int m_quietTakes = 0;          ///< In a row, without a new frame.
};

} // namespace jetscope
