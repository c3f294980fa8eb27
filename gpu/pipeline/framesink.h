// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/glqueue/glqueue.h"
#include "gpu/paths/outputpath.h"
#include "gpu/pipeline/eventcollector.h"
#include "gpu/pipeline/pipeline.h"
#include "gpu/pipeline/pipelineresources.h"
#include "gpu/pipeline/screentargets.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>

namespace jetscope {

/// The GL end of the pipeline: draws finished frames off-screen, or publishes them to the view, and determines when
/// each output was complete and which textures are free again. Pipeline thread.
class FrameSink {
public:
    struct Setup {
        bool forWindow = false;
        OutputTap tap;
    };
    FrameSink(GlQueue &queue, EventCollector &events, Setup setup);

    /// Creates the off-screen target for frames of this size; has no effect in a window.
    Status resize(int width, int height) { return m_setup.forWindow ? Status() : m_screen.resize(width, height); }

    struct Frame {
        std::uint32_t frame = 0;
        std::uint64_t number = 0; ///< The source's frame number.
        std::int64_t captureNs = 0;
    };
    /// Call after the hand-over: GL may read the output's texture from now on.
    void emit(const Frame &frame, PipelineResources &resources, OutputSlot output);

    /// The number of frames whose output is not complete yet.
    std::size_t pending() const { return m_pending.size(); }
    /// Waits until GL is through with the oldest of them.
    Status waitForOldest(Device &device) const;

    /// Detects completed outputs and returned textures; never waits.
    void service(PipelineResources &resources);
    /// Like `service`, for resources that were replaced while the view held their textures.
    void returnOutputsTo(PipelineResources &resources);

    /// Spans of GL work that ended before this time are recorded.
    std::int64_t resolvedNs() const;
    std::uint64_t framesComplete() const { return m_framesComplete.load(std::memory_order_relaxed); }
    ViewMailbox &mailbox() { return m_mailbox; }
    /// Null in a window, which has the mailbox.
    FrameLender *lender() { return m_setup.forWindow ? nullptr : &m_screen.lender(); }

private:
    struct PendingOutput {
        std::uint32_t frame = 0;
        std::int64_t captureNs = 0;
        std::int64_t emittedNs = 0;
        GlFence fence;
        /// Stamped by a threaded queue; on an inline queue the fence shows the completion.
        std::shared_ptr<std::atomic<std::int64_t>> completeNs;
    };
    struct CompleteOutput {
        std::int64_t completeNs = 0;
        std::int64_t captureNs = 0;
    };
    void draw(std::uint32_t frame, PipelineResources &resources, std::size_t output);
    void tap(std::uint32_t frame, PipelineResources &resources, std::size_t output);
    void noteComplete(const PendingOutput &output, std::int64_t completeNs);
    void notePresented();

    GlQueue &m_queue;
    EventCollector &m_events;
    const Setup m_setup;
    ViewMailbox m_mailbox;
    ScreenTargets m_screen;
    std::vector<std::byte> m_tapPixels; ///< Used only on the GL queue.
    std::deque<PendingOutput> m_pending;
    std::map<std::uint32_t, CompleteOutput> m_unpresented; ///< Complete, but not yet shown by the view.
    std::vector<ViewMailbox::Release> m_returning;         ///< Returned by the view, fence not signalled yet.
    std::atomic<std::uint64_t> m_framesComplete{0};
};

} // namespace jetscope
