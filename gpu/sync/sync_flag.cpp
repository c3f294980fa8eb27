// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Flag: behind a frame's work its stream writes a number into memory that the CPU sees (cuStreamWriteValue32), so that
// a waiting thread needs no call of the driver. The GPU wakes no thread: one that sleeps looks again after each nap.
#include "core/recording/tracer.h"
#include "core/time/clock.h"
#include "gpu/sync/framesync.h"

#include <chrono>
#include <memory>
#include <thread>
#include <unordered_map>

namespace jetscope {

namespace {

/// Under every wait policy; longer than most kernels have left when somebody begins to wait.
constexpr std::int64_t kFlagSpinNs = 50'000;
/// Then, under WaitPolicy::Block and Auto: short beside a frame, long beside the calls around it.
constexpr std::chrono::microseconds kFlagNap{50};
/// A device that has failed writes no flag any more; so often it is asked.
constexpr std::int64_t kFlagAskNs = 1'000'000;

class FlagMark final : public WorkMark {
public:
    FlagMark(const StreamFlag &itsFlag, std::uint32_t itsValue) : flag(itsFlag), value(itsValue) {}

    const StreamFlag &flag;
    const std::uint32_t value;
};

class FlagSync final : public FrameSync {
public:
    explicit FlagSync(SyncContext context) : FrameSync(std::move(context)) {}

    Status glToDevice(const GlFence &glUse, Stream &, std::uint32_t frame) override { return clientWait(glUse, frame); }

    Status submitted(FrameWork &work) override
    {
        static const NameId kWrite = internName("cuStreamWriteValue32", Category::WaitSync, Purpose::QueueOrder);
        const SpanScope span(kWrite, work.frame);
        Counter &counter = m_counters[work.stream];
        if (!counter.flag) {
            JETSCOPE_TRY_ASSIGN(counter.flag, m_context.device.createFlag());
        }
        JETSCOPE_TRY(m_context.device.write(*counter.flag, ++counter.newest, WriteOrder::AfterAll, *work.stream));
        work.mark = std::make_shared<FlagMark>(*counter.flag, counter.newest);
        return {};
    }

    Result<bool> ready(const FrameWork &work) override { return isReached(work); }
    Status deviceToGl(FrameWork &work) override { return deviceToCpu(work); }

    Status deviceToCpu(const FrameWork &work) override
    {
        static const NameId kWait = internName("wait for flag", Category::WaitSync, Purpose::DeviceFrame);
        const SpanScope span(kWait, work.frame);
        if (spin(work, kFlagSpinNs))
            return {};
        const WaitPolicy policy = m_context.device.waitPolicy();
        while (!waitOn(work, policy)) {
            JETSCOPE_TRY(m_context.device.query(*work.done));
        }
        return {};
    }

private:
    /// A stream's frames end in order, so one flag counts them.
    struct Counter {
        std::unique_ptr<StreamFlag> flag;
        std::uint32_t newest = 0;
    };

    static const FlagMark &markOf(const FrameWork &work) { return static_cast<const FlagMark &>(*work.mark); }
    bool isReached(const FrameWork &work) { return m_context.device.reached(markOf(work).flag, markOf(work).value); }

    bool spin(const FrameWork &work, std::int64_t ns)
    {
        const std::int64_t endNs = nowNs() + ns;
        do {
            if (isReached(work))
                return true;
        } while (nowNs() < endNs);
        return false;
    }

    /// For about kFlagAskNs, as the policy says.
    bool waitOn(const FrameWork &work, WaitPolicy policy)
    {
        if (policy == WaitPolicy::Spin)
            return spin(work, kFlagAskNs);
        const std::int64_t endNs = nowNs() + kFlagAskNs;
        do {
            if (policy == WaitPolicy::Yield)
                std::this_thread::yield();
            else
                markOf(work).flag.sleepUntil(markOf(work).value, kFlagNap);
            if (isReached(work))
                return true;
        } while (nowNs() < endNs);
        return false;
    }

    std::unordered_map<const Stream *, Counter> m_counters; ///< Changed on the pipeline thread only.
};

} // namespace

std::unique_ptr<FrameSync> newFlagSync(SyncContext context)
{
    return std::make_unique<FlagSync>(std::move(context));
}

} // namespace jetscope
