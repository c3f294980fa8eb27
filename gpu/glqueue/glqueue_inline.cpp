// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/glqueue/glqueue_inline.h"

#include "core/recording/tracer.h"
#include "gpu/gl/api.h"

namespace jetscope {

InlineGlQueue::InlineGlQueue(std::unique_ptr<EglContext> context, Tracer &tracer)
    : GlQueue(context->display()), m_context(std::move(context)), m_timer(tracer)
{
}

Result<std::unique_ptr<GlQueue>> InlineGlQueue::create(std::shared_ptr<EglDisplay> display, void *shareContext,
                                                       Tracer &tracer)
{
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<EglContext> context, EglContext::create(std::move(display), shareContext));
    JETSCOPE_TRY(context->makeCurrent());
    return std::unique_ptr<GlQueue>(new InlineGlQueue(std::move(context), tracer));
}

void InlineGlQueue::append(const Turn &turn, Command command)
{
    begin(turn);
    note(command());
}

void InlineGlQueue::appendTimed(NameId name, std::uint32_t frame, const Turn &turn, Command command)
{
    begin(turn);
    const SpanScope span(submitName(name), frame); // What the CPU pays for the submission.
    m_timer.begin(name, frame);
    note(command());
    m_timer.end();
}

NameId InlineGlQueue::submitName(NameId name)
{
    const auto [known, isNew] = m_submitNames.try_emplace(name);
    if (isNew)
        known->second = internName("submit " + spanName(name), Category::Submit, internedName(name).purpose);
    return known->second;
}

Status InlineGlQueue::run(Command command)
{
    return command();
}

GlFence InlineGlQueue::appendFence()
{
    // If GL and the device share a GPU, this is the most expensive call of many frames, so it has its own name.
    static const NameId kFence = internName("eglCreateSync, glFlush", Category::Submit, Purpose::GlFence);
    const SpanScope span(kFence);
    Result<GlFence> fence = GlFence::insert(display());
    if (fence.ok())
        return std::move(fence).value();
    note(fence.error());
    return {};
}

void InlineGlQueue::appendWait(Device &device, std::unique_ptr<GlWait> deviceEvent, std::uint32_t)
{
    note(device.glWait(*deviceEvent));
}

Status InlineGlQueue::finishAll()
{
    glFinish();
    return glStatus("glFinish");
}

} // namespace jetscope
