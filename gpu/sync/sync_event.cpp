// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sync/framesync.h"

namespace jetscope {

namespace {

/// cudaEventSynchronize: waits for one frame.
class EventSync final : public FrameSync {
public:
    explicit EventSync(SyncContext context) : FrameSync(std::move(context)) {}
    Status glToDevice(const GlFence &glUse, Stream &, std::uint32_t frame) override { return clientWait(glUse, frame); }
    Result<bool> ready(const FrameWork &work) override { return m_context.device.query(*work.done); }
    Status deviceToGl(FrameWork &work) override { return synchronizeEvent(work); }
    Status deviceToCpu(const FrameWork &work) override { return synchronizeEvent(work); }
};

} // namespace

std::unique_ptr<FrameSync> newEventSync(SyncContext context)
{
    return std::make_unique<EventSync>(std::move(context));
}

} // namespace jetscope
