// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sync/framesync.h"

#include "core/enumtable.h"
#include "core/recording/tracer.h"

#include <array>

namespace jetscope {

namespace {

struct SyncFactory {
    SyncMode mode;
    std::unique_ptr<FrameSync> (*make)(SyncContext context);
};

constexpr auto kFactories = std::to_array<SyncFactory>({
    {SyncMode::Finish, newFinishSync},
    {SyncMode::Stream, newStreamSync},
    {SyncMode::Event, newEventSync},
    {SyncMode::Poll, newPollSync},
    {SyncMode::Callback, newCallbackSync},
    {SyncMode::EglSync, newEglSyncSync},
    {SyncMode::Implicit, newImplicitSync},
    {SyncMode::None, newNoSync},
    {SyncMode::Flag, newFlagSync},
    {SyncMode::Graph, newGraphSync},
    {SyncMode::External, newExternalSync},
});
static_assert(hasEveryRow(kFactories, &SyncFactory::mode));

} // namespace

Status FrameSync::clientWait(const GlFence &glUse, std::uint32_t frame)
{
    static const NameId kWait = internName("eglClientWaitSync", Category::WaitSync, Purpose::GlDone);
    const SpanScope span(kWait, frame);
    return m_context.device.clientWait(glUse);
}

Status FrameSync::synchronizeEvent(const FrameWork &work)
{
    static const NameId kWait = internName("cudaEventSynchronize", Category::WaitSync, Purpose::DeviceFrame);
    const SpanScope span(kWait, work.frame);
    return m_context.device.synchronize(*work.done);
}

std::unique_ptr<FrameSync> createFrameSync(SyncMode mode, SyncContext context)
{
    return kFactories[static_cast<std::size_t>(mode)].make(std::move(context));
}

} // namespace jetscope
