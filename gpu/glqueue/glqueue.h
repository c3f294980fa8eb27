// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recording/span.h"
#include "core/result.h"
#include "core/settings/choices.h"
#include "gpu/device/device.h"
#include "gpu/gl/context.h"
#include "gpu/gl/fence.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

namespace jetscope {

class Tracer;

/// The pipeline's GL commands, in order. Only the pipeline thread submits. On hardware the commands run at once on that
/// thread. On a software rasteriser they run on a separate thread that owns the context and stands in for the GPU: its
/// waits and rasterising do not delay the pipeline thread or other spans. The queue keeps the first error of its
/// commands for `takeError`.
class GlQueue {
public:
    using Command = std::function<Status()>;

    enum class Execution { Inline, Threaded };
    /// `shareContext` is the view's native context, or null. The tracer and the display must outlive the queue.
    static Result<std::unique_ptr<GlQueue>> create(std::shared_ptr<EglDisplay> display, Execution execution,
                                                   void *shareContext, Tracer &tracer);
    virtual ~GlQueue() = default;

    // A command that uses a texture of the pipeline declares it when it is submitted, and the queue tells the observers
    // of the device that shares the texture.

    /// Appends commands that use no texture and are not timed.
    void submit(Command command) { append({}, std::move(command)); }
    /// Appends commands that are not timed.
    void submit(const GlUses &uses, Command command) { append(announce(uses), std::move(command)); }
    /// Appends commands that are timed as one span of the GL lane.
    void submitTimed(NameId name, std::uint32_t frame, const GlUses &uses, Command command)
    {
        appendTimed(name, frame, announce(uses), std::move(command));
    }
    /// Runs commands and waits for their return: for set-up and tear-down, never per frame.
    virtual Status run(Command command) = 0;
    /// A fence behind everything submitted so far. Does not wait.
    GlFence fence(Device &device);
    /// Makes later commands wait for an event of the device, without making the caller wait.
    void wait(Device &device, std::unique_ptr<GlWait> deviceEvent, std::uint32_t frame);
    /// glFinish: waits until everything submitted so far is done.
    Status finish(Device &device);

    /// Sets how later timed commands are timed; no commands may be in flight. A threaded queue times its commands
    /// exactly on its own thread and ignores this and the next two calls.
    virtual void timeBy(GpuTime) {}
    /// Reports that a fence after all commands of this frame was seen signalled at `ns`.
    virtual void completed(std::uint32_t, std::int64_t) {}
    /// Records the spans of the timed commands that have completed since; never waits.
    virtual void collect() {}

    /// Whether commands run on a separate thread, so that their waits do not block the caller.
    virtual bool isThreaded() const = 0;

    virtual void *nativeContext() const = 0;
    const std::shared_ptr<EglDisplay> &display() const { return m_display; }

    std::optional<Error> takeError();

protected:
    explicit GlQueue(std::shared_ptr<EglDisplay> display) : m_display(std::move(display)) {}

    /// A command's place in the queue, for the device that was told of it; no device for one that uses no texture.
    struct Turn {
        Device *device = nullptr;
        std::uint64_t command = 0;
    };
    /// Right before the command runs, on the thread that runs it.
    void begin(const Turn &turn) const
    {
        if (turn.device)
            turn.device->tell(&DeviceObserver::glRuns, *this, turn.command);
    }

    virtual void append(const Turn &turn, Command command) = 0;
    virtual void appendTimed(NameId name, std::uint32_t frame, const Turn &turn, Command command) = 0;
    virtual GlFence appendFence() = 0;
    virtual void appendWait(Device &device, std::unique_ptr<GlWait> deviceEvent, std::uint32_t frame) = 0;
    virtual Status finishAll() = 0;

    /// Keeps the first error. Any thread.
    void note(const Status &status);

    std::shared_ptr<EglDisplay> m_display;

private:
    Turn announce(const GlUses &uses);

    std::uint64_t m_commands = 0; ///< That use textures, so far.
    std::mutex m_errorMutex;
    std::optional<Error> m_error;
};

} // namespace jetscope
