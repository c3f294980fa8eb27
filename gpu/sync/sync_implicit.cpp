// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sync/framesync.h"

namespace jetscope {

namespace {

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

} // namespace

std::unique_ptr<FrameSync> newImplicitSync(SyncContext context)
{
    return std::make_unique<ImplicitSync>(std::move(context));
}

} // namespace jetscope
