// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/recording/tracer.h"
#include "gpu/sync/framesync.h"

#include <thread>

namespace jetscope {

namespace {

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

} // namespace

std::unique_ptr<FrameSync> newPollSync(SyncContext context)
{
    return std::make_unique<PollSync>(std::move(context));
}

} // namespace jetscope
