// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/recording/tracer.h"
#include "gpu/glqueue/glqueue.h"
#include "gpu/sync/framesync.h"

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

} // namespace

std::unique_ptr<FrameSync> newFinishSync(SyncContext context)
{
    return std::make_unique<FinishSync>(std::move(context));
}

} // namespace jetscope
