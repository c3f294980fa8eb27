// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "core/settings/choices.h"
#include "gpu/device/device.h"
#include "gpu/gl/fence.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace jetscope {

class GlQueue;

/// What a sync mode keeps of one frame, from `submitted` until the frame is done.
class WorkMark {
public:
    virtual ~WorkMark() = default;
};

/// The device work of one frame, as a hand-over needs it. The objects belong to the pipeline and outlive the frame.
struct FrameWork {
    std::uint32_t frame = 0;
    Stream *stream = nullptr;
    Event *done = nullptr; ///< Recorded after all work of the frame.
    std::shared_ptr<WorkMark> mark{};
};

/// What the device work of a frame is and where its bytes lie. Two frames with equal keys, under one FrameSync, put the
/// same work with the same addresses into their stream.
struct WorkKey {
    const Stream *stream = nullptr;
    /// Addresses and numbers of places; 0 for what the work does not use.
    std::array<std::uint64_t, 7> places{};
    std::vector<Filter> filters{};

    bool operator==(const WorkKey &) const = default;
};

struct SyncContext {
    Device &device;
    GlQueue &queue;
    std::function<void()> wakePipeline; ///< Called from host functions.
};

/// One way to make the three hand-overs; each sync mode is one subclass in a file of its own. Pipeline thread, except
/// `deviceToCpu`. Every call records its time as wait-sync under the name of the API call that it makes.
class FrameSync {
public:
    virtual ~FrameSync() = default;

    /// Orders later work in `stream` after GL's use of a texture, which ends at `glUse`.
    virtual Status glToDevice(const GlFence &glUse, Stream &stream, std::uint32_t frame) = 0;

    /// Whether `enqueue` may repeat work that it has seen before, without a call of `enqueueWork`.
    virtual bool repeatsWork() const { return false; }
    /// Puts the part of a frame's device work that can be repeated into its stream; `enqueueWork` does that once.
    virtual Status enqueue(const FrameWork &work, const WorkKey &key, const std::function<Status()> &enqueueWork)
    {
        static_cast<void>(work);
        static_cast<void>(key);
        return enqueueWork();
    }

    /// Called right after the frame's device work, before anything else.
    virtual Status submitted(FrameWork &work)
    {
        static_cast<void>(work);
        return {};
    }

    /// Whether `deviceToGl` never waits. If so, the pipeline calls it right after the launch.
    virtual bool handsOverAtOnce() const { return false; }
    /// Whether `deviceToGl` would return at once. Does not wait.
    virtual Result<bool> ready(const FrameWork &work) = 0;
    /// Whether this mode waits by polling; otherwise the pipeline sleeps until it is woken.
    virtual bool polls() const { return false; }

    /// Whether the mode wakes the pipeline when `ready` becomes true, so that waiting in `deviceToGl` gains nothing.
    virtual bool wakes() const { return false; }

    /// Orders later GL commands behind the frame's device work.
    virtual Status deviceToGl(FrameWork &work) = 0;

    /// Waits until the frame's device work is done and visible to the CPU.
    virtual Status deviceToCpu(const FrameWork &work) = 0;
    /// Whether `deviceToCpu` runs on the pipeline thread, as in naive code; otherwise on the CPU stage's thread.
    virtual bool cpuWaitsOnPipelineThread() const { return false; }

protected:
    explicit FrameSync(SyncContext context) : m_context(std::move(context)) {}
    FrameSync(const FrameSync &) = delete;
    FrameSync &operator=(const FrameSync &) = delete;

    /// Waits for a GL fence on the CPU. For modes without a better way from GL to the device.
    Status clientWait(const GlFence &glUse, std::uint32_t frame);
    Status synchronizeEvent(const FrameWork &work);

    const SyncContext m_context;
};

std::unique_ptr<FrameSync> createFrameSync(SyncMode mode, SyncContext context);

// One factory per sync mode, each in the file named after it.
std::unique_ptr<FrameSync> newFinishSync(SyncContext context);
std::unique_ptr<FrameSync> newStreamSync(SyncContext context);
std::unique_ptr<FrameSync> newEventSync(SyncContext context);
std::unique_ptr<FrameSync> newPollSync(SyncContext context);
std::unique_ptr<FrameSync> newCallbackSync(SyncContext context);
std::unique_ptr<FrameSync> newEglSyncSync(SyncContext context);
std::unique_ptr<FrameSync> newImplicitSync(SyncContext context);
std::unique_ptr<FrameSync> newNoSync(SyncContext context);
std::unique_ptr<FrameSync> newFlagSync(SyncContext context);
std::unique_ptr<FrameSync> newGraphSync(SyncContext context);
std::unique_ptr<FrameSync> newExternalSync(SyncContext context);

} // namespace jetscope
