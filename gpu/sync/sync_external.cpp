// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// External: CUDA and OpenGL ES wait for each other by two semaphores that both imported, one for each direction. No CPU
// thread waits.
#include "core/recording/tracer.h"
#include "gpu/glqueue/glqueue.h"
#include "gpu/sync/framesync.h"

#include <cstdint>
#include <memory>
#include <utility>

namespace jetscope {

namespace {

class ExternalSync final : public FrameSync {
public:
    explicit ExternalSync(SyncContext context) : FrameSync(std::move(context)) {}
    ~ExternalSync() override
    {
        // This fails only if the queue is broken; then its context and objects are gone.
        static_cast<void>(m_context.queue.run([this] {
            m_toDevice.reset();
            m_toGl.reset();
            return Status();
        }));
    }

    Status glToDevice(const GlFence &glUse, Stream &stream, std::uint32_t frame) override
    {
        static const NameId kWait =
            internName("cudaWaitExternalSemaphoresAsync", Category::WaitSync, Purpose::QueueOrder);
        const SpanScope span(kWait, frame);
        JETSCOPE_TRY(makeSemaphores());
        const std::uint64_t value = ++m_newestToDevice;
        // The use may be that of another context, the view's.
        m_context.device.tell(&DeviceObserver::glWillWaitForFence, m_context.queue, glUse);
        m_context.queue.submit([this, glUse, value]() -> Status {
            JETSCOPE_TRY(glUse.serverWait());
            return m_toDevice->glSignal(value);
        });
        m_context.device.tell(&DeviceObserver::glSignalled, m_context.queue, *m_toDevice, value);
        return m_context.device.waitSemaphore(*m_toDevice, value, stream);
    }

    bool handsOverAtOnce() const override { return true; }
    Result<bool> ready(const FrameWork &) override { return true; }

    Status deviceToGl(FrameWork &work) override
    {
        static const NameId kSignal =
            internName("cudaSignalExternalSemaphoresAsync", Category::WaitSync, Purpose::QueueOrder);
        const SpanScope span(kSignal, work.frame);
        JETSCOPE_TRY(makeSemaphores());
        const std::uint64_t value = ++m_newestToGl;
        JETSCOPE_TRY(m_context.device.signalSemaphore(*m_toGl, value, *work.stream));
        JETSCOPE_TRY_ASSIGN(std::unique_ptr<GlWait> wait, m_context.device.glWaitForSemaphore(*m_toGl, value));
        m_context.queue.wait(m_context.device, std::move(wait), work.frame);
        return {};
    }

    Status deviceToCpu(const FrameWork &work) override { return synchronizeEvent(work); }

private:
    Status makeSemaphores()
    {
        if (m_toGl)
            return {};
        return m_context.queue.run([this]() -> Status {
            JETSCOPE_TRY_ASSIGN(m_toDevice, m_context.device.createSemaphore());
            JETSCOPE_TRY_ASSIGN(m_toGl, m_context.device.createSemaphore());
            return {};
        });
    }

    std::unique_ptr<Semaphore> m_toDevice;
    std::unique_ptr<Semaphore> m_toGl;
    std::uint64_t m_newestToDevice = 0;
    std::uint64_t m_newestToGl = 0;
};

} // namespace

std::unique_ptr<FrameSync> newExternalSync(SyncContext context)
{
    return std::make_unique<ExternalSync>(std::move(context));
}

} // namespace jetscope
