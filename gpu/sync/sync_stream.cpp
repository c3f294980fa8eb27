// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/recording/tracer.h"
#include "gpu/sync/framesync.h"

namespace jetscope {

namespace {

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

} // namespace

std::unique_ptr<FrameSync> newStreamSync(SyncContext context)
{
    return std::make_unique<StreamSync>(std::move(context));
}

} // namespace jetscope
