// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sync/syncmodes.h"

#include "core/recording/tracer.h"
#include "gpu/glqueue/glqueue.h"

#include <thread>

namespace jetscope {

// --- finish

Status FinishSync::glToDevice(const GlFence &, Stream &, std::uint32_t frame)
{
    static const NameId kFinish = internName("glFinish", Category::WaitSync, Purpose::GlDone);
    const SpanScope span(kFinish, frame);
    return m_context.queue.finish(m_context.device);
}

Result<bool> FinishSync::ready(const FrameWork &work)
{
    return m_context.device.query(*work.done);
}

Status FinishSync::deviceToCpu(const FrameWork &work)
{
    static const NameId kSynchronize = internName("cudaDeviceSynchronize", Category::WaitSync, Purpose::DeviceAll);
    const SpanScope span(kSynchronize, work.frame);
    return m_context.device.synchronize();
}

// --- stream

Result<bool> StreamSync::ready(const FrameWork &work)
{
    return m_context.device.query(*work.done);
}

Status StreamSync::deviceToCpu(const FrameWork &work)
{
    static const NameId kSynchronize = internName("cudaStreamSynchronize", Category::WaitSync, Purpose::DeviceStream);
    const SpanScope span(kSynchronize, work.frame);
    return m_context.device.synchronize(*work.stream);
}

// --- poll

Status PollSync::glToDevice(const GlFence &glUse, Stream &, std::uint32_t frame)
{
    static const NameId kPoll = internName("poll fence", Category::WaitSync, Purpose::GlDone);
    const SpanScope span(kPoll, frame);
    while (!m_context.device.signalled(glUse))
        std::this_thread::yield();
    return {};
}

Result<bool> PollSync::ready(const FrameWork &work)
{
    return m_context.device.query(*work.done);
}

Status PollSync::deviceToCpu(const FrameWork &work)
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

// --- callback

Status CallbackSync::submitted(FrameWork &work)
{
    static const NameId kLaunch = internName("cudaLaunchHostFunc", Category::WaitSync, Purpose::QueueOrder);
    const SpanScope span(kLaunch, work.frame);
    work.signal = std::make_shared<HostSignal>();
    return m_context.device.launchHost(*work.stream, [signal = work.signal, wake = m_context.wakePipeline] {
        signal->raise();
        wake();
    });
}

Status CallbackSync::deviceToCpu(const FrameWork &work)
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

// --- EGLSync

Status EglSyncSync::glToDevice(const GlFence &glUse, Stream &stream, std::uint32_t frame)
{
    static const NameId kWait = internName("cudaStreamWaitEvent", Category::WaitSync, Purpose::QueueOrder);
    const SpanScope span(kWait, frame);
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<Event> event, m_context.device.eventFromFence(glUse));
    return m_context.device.wait(stream, *event);
}

Status EglSyncSync::deviceToGl(FrameWork &work)
{
    static const NameId kCreate = internName("eglCreateSync", Category::WaitSync, Purpose::QueueOrder);
    const SpanScope span(kCreate, work.frame);
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<GlWait> wait, m_context.device.glWaitFor(*work.done));
    m_context.queue.wait(m_context.device, std::move(wait), work.frame);
    return {};
}

} // namespace jetscope
