// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sync/framesync.h"

namespace jetscope {

namespace {

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

std::unique_ptr<FrameSync> newNoSync(SyncContext context)
{
    return std::make_unique<NoSync>(std::move(context));
}

} // namespace jetscope
