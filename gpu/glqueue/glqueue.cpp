// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/glqueue/glqueue.h"

#include "gpu/glqueue/glqueue_inline.h"
#include "gpu/glqueue/glqueue_threaded.h"

namespace jetscope {

Result<std::unique_ptr<GlQueue>> GlQueue::create(std::shared_ptr<EglDisplay> display, Execution execution,
                                                 void *shareContext, Tracer &tracer)
{
    if (execution == Execution::Inline)
        return InlineGlQueue::create(std::move(display), shareContext, tracer);
    return ThreadedGlQueue::create(std::move(display), shareContext, tracer);
}

GlFence GlQueue::fence(Device &device)
{
    GlFence fence = appendFence();
    device.tell(&DeviceObserver::glFenced, *this, fence);
    return fence;
}

void GlQueue::wait(Device &device, std::unique_ptr<GlWait> deviceEvent, std::uint32_t frame)
{
    device.tell(&DeviceObserver::glWillWait, *this, *deviceEvent);
    appendWait(device, std::move(deviceEvent), frame);
}

Status GlQueue::finish(Device &device)
{
    JETSCOPE_TRY(finishAll());
    device.tell(&DeviceObserver::glFinished, *this);
    return {};
}

GlQueue::Turn GlQueue::announce(const GlUses &uses)
{
    const Turn turn{&uses.device(), ++m_commands};
    turn.device->tell(&DeviceObserver::glWill, *this, turn.command, uses.uses());
    return turn;
}

void GlQueue::note(const Status &status)
{
    if (status.ok())
        return;
    const std::lock_guard lock(m_errorMutex);
    if (!m_error)
        m_error = status.error();
}

std::optional<Error> GlQueue::takeError()
{
    const std::lock_guard lock(m_errorMutex);
    return std::exchange(m_error, std::nullopt);
}

} // namespace jetscope
