// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sync/framesync.h"

#include "core/recording/tracer.h"
#include "gpu/sync/syncmodes.h"

namespace jetscope {

void HostSignal::raise()
{
    {
        const std::lock_guard lock(m_mutex);
        m_raised.store(true, std::memory_order_release);
    }
    m_condition.notify_all();
}

bool HostSignal::waitFor(std::chrono::milliseconds time) const
{
    std::unique_lock lock(m_mutex);
    return m_condition.wait_for(lock, time, [this] { return raised(); });
}

Status FrameSync::clientWait(const GlFence &glUse, std::uint32_t frame)
{
    static const NameId kWait = internName("eglClientWaitSync", Category::WaitSync, Purpose::GlDone);
    const SpanScope span(kWait, frame);
    return m_context.device.clientWait(glUse);
}

Status FrameSync::synchronizeEvent(const FrameWork &work)
{
    static const NameId kWait = internName("cudaEventSynchronize", Category::WaitSync, Purpose::DeviceFrame);
    const SpanScope span(kWait, work.frame);
    return m_context.device.synchronize(*work.done);
}

std::unique_ptr<FrameSync> createFrameSync(SyncMode mode, SyncContext context)
{
    switch (mode) {
    case SyncMode::Finish:
        return std::make_unique<FinishSync>(std::move(context));
    case SyncMode::Stream:
        return std::make_unique<StreamSync>(std::move(context));
    case SyncMode::Event:
        return std::make_unique<EventSync>(std::move(context));
    case SyncMode::Poll:
        return std::make_unique<PollSync>(std::move(context));
    case SyncMode::Callback:
        return std::make_unique<CallbackSync>(std::move(context));
    case SyncMode::EglSync:
        return std::make_unique<EglSyncSync>(std::move(context));
    case SyncMode::Implicit:
        return std::make_unique<ImplicitSync>(std::move(context));
    case SyncMode::None:
        break;
    }
    return std::make_unique<NoSync>(std::move(context));
}

} // namespace jetscope
