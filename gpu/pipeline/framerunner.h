// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/pipelineconfig.h"
#include "gpu/glqueue/glqueue.h"
#include "gpu/pipeline/capturethread.h"
#include "gpu/pipeline/cpustagethread.h"
#include "gpu/pipeline/eventcollector.h"
#include "gpu/pipeline/framesink.h"
#include "gpu/pipeline/pipelineresources.h"
#include "gpu/pipeline/wakeevent.h"

#include <cstdint>
#include <deque>
#include <memory>

namespace jetscope {

/// Processes frames with the current resources: submits their device work, makes the hand-overs, releases memory. Does
/// not handle commands, sources or switches, except exchanging the resources when nothing is in flight. Pipeline
/// thread.
class FrameRunner {
public:
    /// All references must outlive the runner.
    FrameRunner(GlQueue &queue, FrameSink &sink, CpuStageThread *cpuStage, EventCollector &events,
                WakeEvent &wakeEvent);

    /// Requires that nothing is in flight. Returns the previous resources.
    std::unique_ptr<PipelineResources> exchangeResources(std::unique_ptr<PipelineResources> resources,
                                                         const PipelineConfig &config);
    /// Applies settings that need no new resources.
    void setConfig(const PipelineConfig &config);
    PipelineResources &resources() { return *m_resources; }
    const PipelineConfig &config() const { return m_config; }

    std::uint32_t nextFrame() const { return m_nextFrame; }
    /// A frame is in flight from its submission until its output is complete in GL.
    std::size_t framesInFlight() const;

    /// Whether a frame can be processed now: a frame captured before a switch can be moved neither out of the source's
    /// own buffer nor into one.
    bool canTake(const InputFrame &captured) const
    {
        const FramePool &from = *captured.pool();
        const FramePool &to = *m_resources->pool();
        return &from == &to
            || (!from.presentedTo() && !to.presentedTo() && from.takesExternalBuffers() == to.takesExternalBuffers());
    }
    /// Submits one captured frame. Waits for a slot if all are in use. `traced`: all of its spans are recorded.
    Status submit(InputFrame captured, bool traced);
    /// Gives back what is done and collects the times of GPU work, without waiting.
    Status service();
    /// Whether frames wait for a hand-over for which this mode waits.
    bool handOverPending() const { return firstNotHandedOver() != m_inFlight.end(); }
    bool handOverPolls() { return m_resources->sync().polls(); }
    bool handOverWakes() { return m_resources->sync().wakes(); }
    /// Makes the oldest hand-over that is due, waiting as the mode does.
    Status handOverOldest();
    /// Whether the oldest pending hand-over would return without waiting.
    Result<bool> handOverReady();
    /// Makes all hand-overs and waits until nothing is in flight.
    Status drain();

    /// Spans before this time are complete once the ring buffers are collected.
    std::int64_t resolvedNs();

    /// The source's index of an output frame among the last few; none if it is older.
    std::optional<std::uint64_t> sourceIndexOf(std::uint32_t frame) const;

private:
    struct InFlight {
        FrameWork work;
        std::shared_ptr<InputFrame> input;
        FrameSlot *slot = nullptr;
        OutputSlot output;
        std::shared_ptr<StagePoints> points; ///< For the CPU stage.
        bool handedOver = false;
        std::uint64_t number = 0; ///< The source's frame number.
        std::int64_t captureNs = 0;
    };
    using InFlightFrames = std::deque<InFlight>;

    std::size_t depth() const;
    bool handsOverAtOnce() const;
    bool cpuCarriesPixels() const;
    InFlightFrames::iterator firstNotHandedOver();
    InFlightFrames::const_iterator firstNotHandedOver() const;
    bool slotFree(std::uint32_t frame);
    Status waitForSlot(std::uint32_t frame);
    Status waitForOldestFrame();
    Status adopt(InputFrame &captured, std::uint32_t frame);
    Status enqueueDeviceWork(InFlight &entry);
    Status enqueueRepeatable(InFlight &entry, ChainLaunch &launch);
    Status launchChain(InFlight &entry, ChainLaunch &launch);
    WorkKey keyOf(const InFlight &entry, const ChainLaunch &launch) const;
    Status handOver(InFlight &entry);
    Status retire();
    Status giveBack();
    void postInputJob(const InFlight &entry);
    Status postResultJob(const InFlight &entry);
    CpuJob jobFor(const InFlight &entry);

    GlQueue &m_queue;
    FrameSink &m_sink;
    CpuStageThread *m_cpuStage;
    EventCollector &m_events;
    WakeEvent &m_wakeEvent;
    std::unique_ptr<PipelineResources> m_resources;
    PipelineConfig m_config;
    NameId m_chainName = 0;    ///< Name of the whole chain as one device span.
    InFlightFrames m_inFlight; ///< Oldest first.
    std::uint32_t m_nextFrame = 0;
    std::deque<std::int64_t> m_cpuJobTimes; ///< Post times of the jobs that may still run, oldest first.
    mutable std::mutex m_indexMutex;
    /// (frame, source index) of the last few frames.
    std::deque<std::pair<std::uint32_t, std::uint64_t>> m_sourceIndices;
};

} // namespace jetscope
