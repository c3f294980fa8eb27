// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/glqueue_inline.h"

#include "core/tracer.h"
#include "gpu/egl/api.h"

namespace jetscope {

InlineGlQueue::InlineGlQueue(std::unique_ptr<EglContext> context) :
    GlQueue(context->display()), m_context(std::move(context))
{
}

Result<std::unique_ptr<GlQueue>> InlineGlQueue::create(std::shared_ptr<EglDisplay> display, void *shareContext,
                                                       Tracer &tracer)
{
    Result<std::unique_ptr<EglContext>> context = EglContext::create(std::move(display), shareContext);
    if (!context.ok())
        return context.error();
    JETSCOPE_TRY(context.value()->makeCurrent());
    std::unique_ptr<InlineGlQueue> queue(new InlineGlQueue(std::move(context).value()));
    queue->m_timeline = GlTimeline::create(tracer);
    return std::unique_ptr<GlQueue>(std::move(queue));
}

void InlineGlQueue::submit(Command command)
{
    note(command());
}

void InlineGlQueue::submitTimed(NameId name, std::uint32_t frame, Command command)
{
    // What the CPU pays for the submission; the GPU's own time comes from timer queries where the driver has them.
    const SpanScope span(submitName(name), frame);
    if (m_timeline)
        m_timeline->begin(name, frame);
    note(command());
    if (m_timeline)
        m_timeline->end();
}

NameId InlineGlQueue::submitName(NameId name)
{
    const auto [known, isNew] = m_submitNames.try_emplace(name);
    if (isNew)
        known->second = internName("submit " + spanName(name), Category::Submit);
    return known->second;
}

void InlineGlQueue::collect()
{
    if (m_timeline)
        m_timeline->collect();
}

Status InlineGlQueue::run(Command command)
{
    return command();
}

GlFence InlineGlQueue::fence()
{
    Result<GlFence> fence = GlFence::insert(display());
    if (fence.ok())
        return std::move(fence).value();
    note(fence.error());
    return {};
}

void InlineGlQueue::wait(std::unique_ptr<GlWait> deviceEvent, std::uint32_t)
{
    note(deviceEvent->serverWait());
}

Status InlineGlQueue::finish()
{
    glFinish();
    return glStatus("glFinish");
}

} // namespace jetscope
