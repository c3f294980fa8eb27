// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/choices.h"
#include "core/recording/span.h"
#include "core/result.h"
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

    /// Appends commands that belong to no frame and are not timed.
    virtual void submit(Command command) = 0;
    /// Appends commands that are timed as one span of the GL lane.
    virtual void submitTimed(NameId name, std::uint32_t frame, Command command) = 0;
    /// Runs commands and waits until they return. Only for set-up and tear-down, not per frame.
    virtual Status run(Command command) = 0;
    /// A fence after all commands submitted so far. Does not wait.
    virtual GlFence fence() = 0;
    /// Makes later commands wait for a device event; does not block the caller.
    virtual void wait(std::unique_ptr<GlWait> deviceEvent, std::uint32_t frame) = 0;
    /// glFinish: waits until all commands submitted so far are complete.
    virtual Status finish() = 0;

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
    /// Keeps the first error. Any thread.
    void note(const Status &status);

    std::shared_ptr<EglDisplay> m_display;

private:
    std::mutex m_errorMutex;
    std::optional<Error> m_error;
};

} // namespace jetscope
