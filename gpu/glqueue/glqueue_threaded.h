// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/glqueue/glqueue.h"

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

    Status run(Command command) override;
    bool isThreaded() const override { return true; }
    void *nativeContext() const override { return m_context->native(); }

protected:
    void append(const Turn &turn, Command command) override;
    void appendTimed(NameId name, std::uint32_t frame, const Turn &turn, Command command) override;
    GlFence appendFence() override;
    void appendWait(Device &device, std::unique_ptr<GlWait> deviceEvent, std::uint32_t frame) override;
    Status finishAll() override;

private:
    struct Entry {
        Turn turn;
        Command command;
    };
    ThreadedGlQueue(std::unique_ptr<EglContext> context, Tracer &tracer);
    void work();

    std::unique_ptr<EglContext> m_context;
    Tracer &m_tracer;
    std::mutex m_mutex;
    std::condition_variable m_condition;
    std::deque<Entry> m_entries;
    bool m_stopping = false;
    std::thread m_thread;
};

} // namespace jetscope
