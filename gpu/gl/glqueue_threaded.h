// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/gl/glqueue.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace jetscope {

/// The GL queue for a software rasteriser: a thread that owns the context and completes one command before the next, as
/// a GPU's queue does. Timed commands wait for their own rasterising, so that their spans are correct.
class ThreadedGlQueue final : public GlQueue {
public:
    static Result<std::unique_ptr<GlQueue>> create(std::shared_ptr<EglDisplay> display, void *shareContext,
                                                   Tracer &tracer);
    ~ThreadedGlQueue() override;

    void submit(Command command) override;
    void submitTimed(NameId name, std::uint32_t frame, Command command) override;
    Status run(Command command) override;
    GlFence fence() override;
    void wait(std::unique_ptr<GlWait> deviceEvent, std::uint32_t frame) override;
    Status finish() override;
    bool isThreaded() const override { return true; }
    void *nativeContext() const override { return m_context->native(); }

private:
    ThreadedGlQueue(std::unique_ptr<EglContext> context, Tracer &tracer);
    void work();
    void append(Command command);

    std::unique_ptr<EglContext> m_context;
    Tracer &m_tracer;
    std::mutex m_mutex;
    std::condition_variable m_condition;
    std::deque<Command> m_commands;
    bool m_stopping = false;
    std::thread m_thread;
};

} // namespace jetscope
