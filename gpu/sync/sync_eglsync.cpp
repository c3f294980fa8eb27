// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/recording/tracer.h"
#include "gpu/glqueue/glqueue.h"
#include "gpu/sync/framesync.h"

namespace jetscope {

namespace {

/// EGLSync in both directions: the GPU waits, the CPU threads do not (EGL_NV_cuda_event).
class EglSyncSync final : public FrameSync {
public:
    explicit EglSyncSync(SyncContext context) : FrameSync(std::move(context)) {}

    Status glToDevice(const GlFence &glUse, Stream &stream, std::uint32_t frame) override
    {
        static const NameId kWait = internName("cudaStreamWaitEvent", Category::WaitSync, Purpose::QueueOrder);
        const SpanScope span(kWait, frame);
        JETSCOPE_TRY_ASSIGN(std::unique_ptr<Event> event, m_context.device.eventFromFence(glUse));
        return m_context.device.wait(stream, *event);
    }

    bool handsOverAtOnce() const override { return true; }
    Result<bool> ready(const FrameWork &) override { return true; }

    Status deviceToGl(FrameWork &work) override
    {
        static const NameId kCreate = internName("eglCreateSync", Category::WaitSync, Purpose::QueueOrder);
        const SpanScope span(kCreate, work.frame);
        JETSCOPE_TRY_ASSIGN(std::unique_ptr<GlWait> wait, m_context.device.glWaitFor(*work.done));
        m_context.queue.wait(m_context.device, std::move(wait), work.frame);
        return {};
    }

    Status deviceToCpu(const FrameWork &work) override { return synchronizeEvent(work); }
};

} // namespace

std::unique_ptr<FrameSync> newEglSyncSync(SyncContext context)
{
    return std::make_unique<EglSyncSync>(std::move(context));
}

} // namespace jetscope
