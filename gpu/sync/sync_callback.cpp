// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/recording/tracer.h"
#include "gpu/sync/framesync.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace jetscope {

namespace {

/// A flag that a host function raises once. Any thread.
class HostSignal final : public WorkMark {
public:
    void raise()
    {
        {
            const std::lock_guard lock(m_mutex);
            m_raised.store(true, std::memory_order_release);
        }
        m_condition.notify_all();
    }
    bool raised() const { return m_raised.load(std::memory_order_acquire); }
    /// Waits up to `time`; returns whether the signal was raised.
    bool waitFor(std::chrono::milliseconds time) const
    {
        std::unique_lock lock(m_mutex);
        return m_condition.wait_for(lock, time, [this] { return raised(); });
    }

private:
    std::atomic<bool> m_raised{false};
    mutable std::mutex m_mutex;
    mutable std::condition_variable m_condition;
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
        const auto signal = std::make_shared<HostSignal>();
        work.mark = signal;
        return m_context.device.launchHost(*work.stream, [signal, wake = m_context.wakePipeline] {
            signal->raise();
            wake();
        });
    }

    Result<bool> ready(const FrameWork &work) override { return signalOf(work).raised(); }
    bool wakes() const override { return true; }
    Status deviceToGl(FrameWork &work) override { return deviceToCpu(work); }

    Status deviceToCpu(const FrameWork &work) override
    {
        static const NameId kWait = internName("wait for host function", Category::WaitSync, Purpose::HostFunction);
        const SpanScope span(kWait, work.frame);
        // If the device has failed, host functions never run; only a query reports the failure (rule B2).
        constexpr std::chrono::milliseconds kTimeout{100};
        while (!signalOf(work).waitFor(kTimeout)) {
            JETSCOPE_TRY(m_context.device.query(*work.done));
        }
        return {};
    }

private:
    static const HostSignal &signalOf(const FrameWork &work) { return static_cast<const HostSignal &>(*work.mark); }
};

} // namespace

std::unique_ptr<FrameSync> newCallbackSync(SyncContext context)
{
    return std::make_unique<CallbackSync>(std::move(context));
}

} // namespace jetscope
