// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sync/framesync.h"

#include "core/recording/tracer.h"
#include "gpu/glqueue/glqueue.h"

#include <thread>

namespace jetscope {

namespace {

/// glFinish and cudaDeviceSynchronize: waits for all work, as naive code does.
class FinishSync final : public FrameSync {
public:
    explicit FinishSync(SyncContext context) : FrameSync(std::move(context)) {}

    Status glToDevice(const GlFence &, Stream &, std::uint32_t frame) override
    {
        static const NameId kFinish = internName("glFinish", Category::WaitSync, Purpose::GlDone);
        const SpanScope span(kFinish, frame);
        return m_context.queue.finish(m_context.device);
    }

    Result<bool> ready(const FrameWork &work) override { return m_context.device.query(*work.done); }

    Status deviceToGl(FrameWork &work) override { return deviceToCpu(work); }

    Status deviceToCpu(const FrameWork &work) override
    {
        static const NameId kSynchronize = internName("cudaDeviceSynchronize", Category::WaitSync, Purpose::DeviceAll);
        const SpanScope span(kSynchronize, work.frame);
        return m_context.device.synchronize();
    }

    bool cpuWaitsOnPipelineThread() const override { return true; }
};

/// cudaStreamSynchronize: waits for one stream.
class StreamSync final : public FrameSync {
public:
    explicit StreamSync(SyncContext context) : FrameSync(std::move(context)) {}
    Status glToDevice(const GlFence &glUse, Stream &, std::uint32_t frame) override { return clientWait(glUse, frame); }

    Result<bool> ready(const FrameWork &work) override { return m_context.device.query(*work.done); }

    Status deviceToGl(FrameWork &work) override { return deviceToCpu(work); }

    Status deviceToCpu(const FrameWork &work) override
    {
        static const NameId kSynchronize =
            internName("cudaStreamSynchronize", Category::WaitSync, Purpose::DeviceStream);
        const SpanScope span(kSynchronize, work.frame);
        return m_context.device.synchronize(*work.stream);
    }

    bool cpuWaitsOnPipelineThread() const override { return true; }
};

/// cudaEventSynchronize: waits for one frame.
class EventSync final : public FrameSync {
public:
    explicit EventSync(SyncContext context) : FrameSync(std::move(context)) {}
    Status glToDevice(const GlFence &glUse, Stream &, std::uint32_t frame) override { return clientWait(glUse, frame); }
    Result<bool> ready(const FrameWork &work) override { return m_context.device.query(*work.done); }
    Status deviceToGl(FrameWork &work) override { return synchronizeEvent(work); }
    Status deviceToCpu(const FrameWork &work) override { return synchronizeEvent(work); }
};

/// cudaEventQuery between other work.
class PollSync final : public FrameSync {
public:
    explicit PollSync(SyncContext context) : FrameSync(std::move(context)) {}

    Status glToDevice(const GlFence &glUse, Stream &, std::uint32_t frame) override
    {
        static const NameId kPoll = internName("poll fence", Category::WaitSync, Purpose::GlDone);
        const SpanScope span(kPoll, frame);
        while (!m_context.device.signalled(glUse))
            std::this_thread::yield();
        return {};
    }

    Result<bool> ready(const FrameWork &work) override { return m_context.device.query(*work.done); }

    bool polls() const override { return true; }
    Status deviceToGl(FrameWork &work) override { return deviceToCpu(work); }

    Status deviceToCpu(const FrameWork &work) override
    {
        static const NameId kQuery = internName("cudaEventQuery", Category::WaitSync, Purpose::DeviceFrame);
        const SpanScope span(kQuery, work.frame);
        for (;;) {
            JETSCOPE_TRY_ASSIGN(const bool done, m_context.device.query(*work.done));
            if (done)
                return {};
            std::this_thread::yield();
        }
    }
};

/// cudaLaunchHostFunc performs the hand-over.
class CallbackSync final : public FrameSync {
public:
    explicit CallbackSync(SyncContext context) : FrameSync(std::move(context)) {}
    Status glToDevice(const GlFence &glUse, Stream &, std::uint32_t frame) override { return clientWait(glUse, frame); }

    Status submitted(FrameWork &work) override
    {
        static const NameId kLaunch = internName("cudaLaunchHostFunc", Category::WaitSync, Purpose::QueueOrder);
        const SpanScope span(kLaunch, work.frame);
        work.signal = std::make_shared<HostSignal>();
        return m_context.device.launchHost(*work.stream, [signal = work.signal, wake = m_context.wakePipeline] {
            signal->raise();
            wake();
        });
    }

    Result<bool> ready(const FrameWork &work) override { return work.signal->raised(); }
    bool wakes() const override { return true; }
    Status deviceToGl(FrameWork &work) override { return deviceToCpu(work); }

    Status deviceToCpu(const FrameWork &work) override
    {
        static const NameId kWait = internName("wait for host function", Category::WaitSync, Purpose::HostFunction);
        const SpanScope span(kWait, work.frame);
        // If the device has failed, host functions never run; only a query reports the failure (rule B2).
        constexpr std::chrono::milliseconds kTimeout{100};
        while (!work.signal->waitFor(kTimeout)) {
            JETSCOPE_TRY(m_context.device.query(*work.done));
        }
        return {};
    }
};

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

/// The map and unmap calls of GL interop perform the hand-over; these functions have nothing to do.
class ImplicitSync final : public FrameSync {
public:
    explicit ImplicitSync(SyncContext context) : FrameSync(std::move(context)) {}
    Status glToDevice(const GlFence &, Stream &, std::uint32_t) override { return {}; }
    bool handsOverAtOnce() const override { return true; }
    Result<bool> ready(const FrameWork &) override { return true; }
    Status deviceToGl(FrameWork &) override { return {}; }
    Status deviceToCpu(const FrameWork &work) override { return synchronizeEvent(work); }
};

/// No hand-over at all: deliberately wrong, to show the effect.
class NoSync final : public FrameSync {
public:
    explicit NoSync(SyncContext context) : FrameSync(std::move(context)) {}
    Status glToDevice(const GlFence &, Stream &, std::uint32_t) override { return {}; }
    bool handsOverAtOnce() const override { return true; }
    Result<bool> ready(const FrameWork &) override { return true; }
    Status deviceToGl(FrameWork &) override { return {}; }
    Status deviceToCpu(const FrameWork &) override { return {}; }
};

} // namespace

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
