// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/sync/framesync.h"

namespace jetscope {

/// glFinish and cudaDeviceSynchronize: waits for all work, as naive code does.
class FinishSync final : public FrameSync {
public:
    explicit FinishSync(SyncContext context) : FrameSync(std::move(context)) {}
    Status glToDevice(const GlFence &glUse, Stream &stream, std::uint32_t frame) override;
    Result<bool> ready(const FrameWork &work) override;
    Status deviceToGl(FrameWork &work) override { return deviceToCpu(work); }
    Status deviceToCpu(const FrameWork &work) override;
    bool cpuWaitsOnPipelineThread() const override { return true; }
};

/// cudaStreamSynchronize: waits for one stream.
class StreamSync final : public FrameSync {
public:
    explicit StreamSync(SyncContext context) : FrameSync(std::move(context)) {}
    Status glToDevice(const GlFence &glUse, Stream &, std::uint32_t frame) override { return clientWait(glUse, frame); }
    Result<bool> ready(const FrameWork &work) override;
    Status deviceToGl(FrameWork &work) override { return deviceToCpu(work); }
    Status deviceToCpu(const FrameWork &work) override;
    bool cpuWaitsOnPipelineThread() const override { return true; }
};

/// cudaEventSynchronize: waits for one frame.
class EventSync final : public FrameSync {
public:
    explicit EventSync(SyncContext context) : FrameSync(std::move(context)) {}
    Status glToDevice(const GlFence &glUse, Stream &, std::uint32_t frame) override { return clientWait(glUse, frame); }
    Result<bool> ready(const FrameWork &work) override { return m_context.device.query(*work.done); }
    Status deviceToGl(FrameWork &work) override { return synchronizeEvent(work); }
    Status deviceToCpu(const FrameWork &work) override { return synchronizeEvent(work); }
};

/// cudaEventQuery between other work.
class PollSync final : public FrameSync {
public:
    explicit PollSync(SyncContext context) : FrameSync(std::move(context)) {}
    Status glToDevice(const GlFence &glUse, Stream &stream, std::uint32_t frame) override;
    Result<bool> ready(const FrameWork &work) override;
    bool polls() const override { return true; }
    Status deviceToGl(FrameWork &work) override { return deviceToCpu(work); }
    Status deviceToCpu(const FrameWork &work) override;
};

/// cudaLaunchHostFunc performs the hand-over.
class CallbackSync final : public FrameSync {
public:
    explicit CallbackSync(SyncContext context) : FrameSync(std::move(context)) {}
    Status glToDevice(const GlFence &glUse, Stream &, std::uint32_t frame) override { return clientWait(glUse, frame); }
    Status submitted(FrameWork &work) override;
    Result<bool> ready(const FrameWork &work) override { return work.signal->raised(); }
    bool wakes() const override { return true; }
    Status deviceToGl(FrameWork &work) override { return deviceToCpu(work); }
    Status deviceToCpu(const FrameWork &work) override;
};

/// EGLSync in both directions: the GPU waits, the CPU threads do not (EGL_NV_cuda_event).
class EglSyncSync final : public FrameSync {
public:
    explicit EglSyncSync(SyncContext context) : FrameSync(std::move(context)) {}
    Status glToDevice(const GlFence &glUse, Stream &stream, std::uint32_t frame) override;
    bool handsOverAtOnce() const override { return true; }
    Result<bool> ready(const FrameWork &) override { return true; }
    Status deviceToGl(FrameWork &work) override;
    Status deviceToCpu(const FrameWork &work) override { return synchronizeEvent(work); }
};

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

} // namespace jetscope
