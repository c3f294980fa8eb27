// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/gl/glqueue.h"
#include "gpu/paths/outputpath.h"
#include "gpu/pipeline/eventcollector.h"
#include "gpu/pipeline/pipeline.h"
#include "gpu/pipeline/pipelineresources.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>

namespace jetscope {

/// The GL end of the pipeline: draws finished frames off-screen, or publishes them to the view, and learns when each
/// output was complete and which textures are free again. Pipeline thread.
class FrameSink {
public:
    struct Setup {
        bool forWindow = false;
        OutputTap tap;
    };
    FrameSink(GlQueue &queue, EventCollector &update, Setup setup);
    ~FrameSink();

    /// Makes the off-screen target for frames of this size; nothing in a window.
    Status resize(int width, int height);

    struct Frame {
        std::uint32_t frame = 0;
        std::uint64_t number = 0; ///< The source's.
        std::int64_t captureNs = 0;
    };
    /// GL may read the output's texture from here on (behind the hand-over).
    void emit(const Frame &frame, PipelineResources &resources, std::size_t output);

    /// Frames whose output is not complete yet.
    std::size_t pending() const { return m_pending.size(); }
    /// Waits until GL is through with the oldest of them.
    Status waitForOldest(Device &device) const;

    /// Looks for outputs that became complete and textures that came back; never waits.
    void service(PipelineResources &resources);
    /// As `service`, for resources that were exchanged while the view held their textures.
    void giveBackTo(PipelineResources &resources);

    /// Spans of GL work that ended before this time are recorded.
    std::int64_t resolvedNs() const;
    std::uint64_t framesComplete() const { return m_framesComplete.load(std::memory_order_relaxed); }
    ViewMailbox &mailbox() { return m_mailbox; }

private:
    struct PendingOutput {
        std::uint32_t frame = 0;
        std::int64_t captureNs = 0;
        std::int64_t emittedNs = 0;
        GlFence fence;
        /// Stamped by a threaded queue; an inline one is seen complete by its fence.
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
    std::unique_ptr<GlTexture> m_screenTexture;
    std::unique_ptr<GlFramebuffer> m_screen;
    int m_width = 0;
    int m_height = 0;
    std::vector<std::byte> m_tapPixels; ///< Used on the GL queue only.
    std::deque<PendingOutput> m_pending;
    std::map<std::uint32_t, CompleteOutput> m_unpresented; ///< Complete, but not yet shown by the view.
    std::vector<ViewMailbox::Release> m_returning;         ///< Came back, fence not signalled yet.
    std::atomic<std::uint64_t> m_framesComplete{0};
};

} // namespace jetscope
