// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/pipeline/framesink.h"

#include "core/recording/tracer.h"
#include "gpu/gl/api.h"

namespace jetscope {

FrameSink::FrameSink(GlQueue &queue, EventCollector &events, Setup setup)
    : m_queue(queue), m_events(events), m_setup(std::move(setup)), m_screen(queue)
{
}

void FrameSink::emit(const Frame &frame, PipelineResources &resources, OutputSlot output)
{
    PendingOutput pending;
    pending.frame = frame.frame;
    pending.captureNs = frame.captureNs;
    pending.emittedNs = nowNs();
    pending.completeNs = std::make_shared<std::atomic<std::int64_t>>(0);
    if (m_setup.tap)
        tap(frame.frame, resources, output.index());
    if (!m_setup.forWindow)
        draw(frame.frame, resources, output.index());
    pending.fence = m_queue.fence(resources.device());
    if (m_queue.isThreaded()) {
        m_queue.submit([stamp = pending.completeNs] {
            stamp->store(nowNs(), std::memory_order_release);
            stamp->notify_one();
            return Status();
        });
    }
    if (m_setup.forWindow) {
        ViewFrame view;
        view.frame = frame.frame;
        view.number = frame.number;
        view.captureNs = frame.captureNs;
        const GlUse use = resources.output().glUse(output.index(), Access::Read);
        view.texture = use.texture;
        view.width = resources.pool()->layout().width;
        view.height = resources.pool()->layout().height;
        view.ready = pending.fence;
        view.generation = resources.generation();
        view.slot = output.passToView();
        m_queue.submit([this, view, device = &resources.device(), use]() -> Status {
            m_mailbox.publish(view, device, use);
            return {};
        });
    } else {
        output.setLastUse(pending.fence);
        m_screen.drawn(frame.frame, frame.number, pending.fence);
    }
    m_pending.push_back(std::move(pending));
}

void FrameSink::draw(std::uint32_t frame, PipelineResources &resources, std::size_t output)
{
    static const NameId kDraw = internName("draw", Category::Draw);
    const GlFramebuffer *from = &resources.output().framebuffer(output);
    const GlUses uses(resources.device(), resources.output().glUse(output, Access::Read),
                      {m_screen.present()->texture->id(), nullptr, Access::Write});
    m_queue.submitTimed(kDraw, frame, uses, [from, screen = m_screen.present()]() -> Status {
        const int width = screen->texture->width();
        const int height = screen->texture->height();
        from->bind();
        screen->framebuffer->bindForDrawing();
        glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
        return glStatus("glBlitFramebuffer");
    });
}

void FrameSink::tap(std::uint32_t frame, PipelineResources &resources, std::size_t output)
{
    static const NameId kTap = internName("read output", Category::Tool);
    const GlFramebuffer *from = &resources.output().framebuffer(output);
    m_queue.submit({resources.device(), resources.output().glUse(output, Access::Read)},
                   [this, frame, from]() -> Status {
                       const SpanScope span(kTap, frame);
                       const auto pitch = static_cast<std::size_t>(from->width()) * 4;
                       m_tapPixels.resize(pitch * static_cast<std::size_t>(from->height()));
                       JETSCOPE_TRY(from->read(m_tapPixels.data(), pitch));
                       m_setup.tap(frame, m_tapPixels.data(), from->width(), from->height());
                       return {};
                   });
}

Status FrameSink::waitForOldest(Device &device) const
{
    if (m_pending.empty())
        return {};
    const PendingOutput &oldest = m_pending.front();
    if (!m_queue.isThreaded())
        return device.clientWait(oldest.fence);
    // The fence signals before the queue's thread has stamped the frame, and only the stamp counts.
    oldest.completeNs->wait(0, std::memory_order_acquire);
    return {};
}

void FrameSink::service(PipelineResources &resources)
{
    while (!m_pending.empty()) {
        const PendingOutput &output = m_pending.front();
        std::int64_t completeNs = output.completeNs->load(std::memory_order_acquire);
        if (completeNs == 0 && !m_queue.isThreaded() && resources.device().signalled(output.fence))
            completeNs = nowNs();
        if (completeNs == 0)
            break;
        noteComplete(output, completeNs);
        m_pending.pop_front();
    }
    if (!m_setup.forWindow)
        return m_screen.service();
    notePresented();
    for (ViewMailbox::Release &release : m_mailbox.takeReleased())
        m_returning.push_back(std::move(release));
    returnOutputsTo(resources);
}

void FrameSink::returnOutputsTo(PipelineResources &resources)
{
    std::erase_if(m_returning, [&](const ViewMailbox::Release &release) {
        if (release.generation != resources.generation() || !resources.device().signalled(release.afterSampling))
            return false;
        resources.outputs().returnFromView(release.slot, release.afterSampling);
        return true;
    });
}

void FrameSink::noteComplete(const PendingOutput &output, std::int64_t completeNs)
{
    m_framesComplete.fetch_add(1, std::memory_order_relaxed);
    m_queue.completed(output.frame, completeNs);
    if (m_setup.forWindow)
        m_unpresented[output.frame] = {completeNs, output.captureNs};
    else
        m_events.metrics().outputComplete(output.frame, completeNs, output.captureNs);
}

void FrameSink::notePresented()
{
    // In a window the latency ends with the buffer swap. A frame that was replaced in the mailbox was never shown and
    // has no latency.
    for (const ViewMailbox::Presented &presented : m_mailbox.takePresented()) {
        while (!m_unpresented.empty() && m_unpresented.begin()->first < presented.frame) {
            m_events.metrics().outputComplete(m_unpresented.begin()->first, m_unpresented.begin()->second.completeNs,
                                              0);
            m_unpresented.erase(m_unpresented.begin());
        }
        const auto found = m_unpresented.find(presented.frame);
        if (found == m_unpresented.end())
            continue;
        m_events.metrics().presented(presented.frame, presented.presentedNs, presented.captureNs);
        m_events.metrics().outputComplete(presented.frame, found->second.completeNs, 0);
        m_unpresented.erase(found);
    }
    // A hidden window shows no frames; limits the number of unfinished entries.
    constexpr std::size_t kUnpresented = 12;
    while (m_unpresented.size() > kUnpresented) {
        m_events.metrics().outputComplete(m_unpresented.begin()->first, m_unpresented.begin()->second.completeNs, 0);
        m_unpresented.erase(m_unpresented.begin());
    }
}

std::int64_t FrameSink::resolvedNs() const
{
    return m_pending.empty() ? nowNs() : m_pending.front().emittedNs;
}

} // namespace jetscope
