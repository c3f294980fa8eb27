// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/pipelineconfig.h"
#include "gpu/gl/glqueue.h"
#include "gpu/pipeline/capturethread.h"
#include "gpu/pipeline/cpustagethread.h"
#include "gpu/pipeline/eventcollector.h"
#include "gpu/pipeline/framesink.h"
#include "gpu/pipeline/pipeline.h"
#include "gpu/pipeline/pipelineresources.h"
#include "gpu/pipeline/wakeevent.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace jetscope {

/// Takes frames through the resources: submits their device work, makes the hand-overs, gives memory back. Knows
/// nothing of commands, sources or switches beyond exchanging the resources when nothing is in flight. Pipeline thread.
class FrameRunner {
public:
    /// All references outlive the runner.
    FrameRunner(GlQueue &queue, FrameSink &sink, CpuStageThread *cpuStage, EventCollector &events,
                WakeEvent &wakeEvent);

    /// Nothing is in flight. Returns the former resources.
    std::unique_ptr<PipelineResources> exchangeResources(std::unique_ptr<PipelineResources> resources,
                                                         const PipelineConfig &config);
    /// Takes settings over that need no new resources.
    void setConfig(const PipelineConfig &config);
    PipelineResources &resources() { return *m_resources; }
    const PipelineConfig &config() const { return m_config; }

    std::uint32_t nextFrame() const { return m_nextFrame; }
    /// A frame is in flight from its submission until its output is complete in GL.
    std::size_t framesInFlight() const;

    /// Whether a frame can be processed now: one that was captured before a switch cannot come out of the source's
    /// buffer, nor into one.
    bool canTake(const InputFrame &captured) const
    {
        const FramePool &from = *captured.pool();
        const FramePool &to = *m_resources->pool();
        return &from == &to
            || (!from.presentedTo() && !to.presentedTo() && from.takesExternalBuffers() == to.takesExternalBuffers());
    }
    /// Submits one captured frame. Waits for a slot where all are taken. `traced`: all of its spans are recorded.
    Status submit(InputFrame captured, bool traced);
    /// Gives back what is done and collects the times of GPU work, without waiting.
    Status service();
    /// Whether frames wait for a hand-over that this mode makes by waiting.
    bool handOverPending() const { return firstNotHandedOver() != m_inFlight.end(); }
    bool handOverPolls() { return m_resources->sync().polls(); }
    bool handOverWakes() { return m_resources->sync().wakes(); }
    /// Makes the oldest hand-over that is due, waiting as the mode does.
    Status handOverOldest();
    /// Whether the oldest pending hand-over would not wait.
    Result<bool> handOverReady();
    /// Hands everything over and waits until nothing is in flight anywhere.
    Status drain();

    /// Spans up to here are complete once the rings are collected.
    std::int64_t resolvedNs();

    /// The source's index of an output frame among the last few; none when it is older.
    std::optional<std::uint64_t> sourceIndexOf(std::uint32_t frame) const;

private:
    struct InFlight {
        FrameWork work;
        std::shared_ptr<InputFrame> input;
        FrameSlot *slot = nullptr;
        OutputSlot output;
        bool handedOver = false;
        std::uint64_t number = 0; ///< The source's.
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
    Status launchChain(InFlight &entry);
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
    NameId m_chainName = 0;    ///< Of the chain as one device span.
    InFlightFrames m_inFlight; ///< Oldest first.
    std::uint32_t m_nextFrame = 0;
    std::deque<std::int64_t> m_cpuJobTimes; ///< When the jobs were posted that may still run, oldest first.
    mutable std::mutex m_indexMutex;
    std::deque<std::pair<std::uint32_t, std::uint64_t>> m_sourceIndices; ///< (frame, source index) of the last few.
};

} // namespace jetscope
