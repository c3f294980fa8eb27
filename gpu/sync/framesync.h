// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "core/settings/choices.h"
#include "gpu/device/device.h"
#include "gpu/gl/fence.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

namespace jetscope {

class GlQueue;

/// A flag that a host function raises once. Any thread.
class HostSignal {
public:
    void raise();
    bool raised() const { return m_raised.load(std::memory_order_acquire); }
    /// Waits up to `time`; returns whether the signal was raised.
    bool waitFor(std::chrono::milliseconds time) const;

private:
    std::atomic<bool> m_raised{false};
    mutable std::mutex m_mutex;
    mutable std::condition_variable m_condition;
};

/// The device work of one frame, as a hand-over needs it. The objects belong to the pipeline and outlive the frame.
struct FrameWork {
    std::uint32_t frame = 0;
    Stream *stream = nullptr;
    Event *done = nullptr;              ///< Recorded after all work of the frame.
    std::shared_ptr<HostSignal> signal; ///< Raised after all work of the frame; callback mode only.
};

struct SyncContext {
    Device &device;
    GlQueue &queue;
    std::function<void()> wakePipeline; ///< Called from host functions.
};

/// One way to make the three hand-overs; each sync mode is one subclass. Pipeline thread, except `deviceToCpu`. Every
/// call records its time as wait-sync under the name of the API call that it makes.
class FrameSync {
public:
    virtual ~FrameSync() = default;

    /// Orders later work in `stream` after GL's use of a texture, which ends at `glUse`.
    virtual Status glToDevice(const GlFence &glUse, Stream &stream, std::uint32_t frame) = 0;

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

} // namespace jetscope
