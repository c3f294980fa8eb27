// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/glqueue/glqueue_threaded.h"

#include "core/recording/tracer.h"
#include "gpu/gl/api.h"

#include <future>

namespace jetscope {

ThreadedGlQueue::ThreadedGlQueue(std::unique_ptr<EglContext> context, Tracer &tracer)
    : GlQueue(context->display()), m_context(std::move(context)), m_tracer(tracer), m_thread([this] { work(); })
{
}

ThreadedGlQueue::~ThreadedGlQueue()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
    }
    m_condition.notify_all();
    m_thread.join();
}

Result<std::unique_ptr<GlQueue>> ThreadedGlQueue::create(std::shared_ptr<EglDisplay> display, void *shareContext,
                                                         Tracer &tracer)
{
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<EglContext> context, EglContext::create(std::move(display), shareContext));
    std::unique_ptr<GlQueue> queue(new ThreadedGlQueue(std::move(context), tracer));
    // The context becomes current on the queue's own thread; return its error if that fails.
    JETSCOPE_TRY(queue->run([] { return Status(); }));
    return queue;
}

void ThreadedGlQueue::work()
{
    const ThreadRecorder recorder(m_tracer, LaneRole::GlQueue, "GL queue", "software rasteriser thread", true);
    const Status current = m_context->makeCurrent();
    note(current);
    for (;;) {
        Entry entry;
        {
            std::unique_lock lock(m_mutex);
            m_condition.wait(lock, [this] { return m_stopping || !m_entries.empty(); });
            if (m_entries.empty())
                break;
            entry = std::move(m_entries.front());
            m_entries.pop_front();
        }
        begin(entry.turn);
        note(entry.command());
    }
    m_context->doneCurrent();
}

void ThreadedGlQueue::append(const Turn &turn, Command command)
{
    {
        const std::lock_guard lock(m_mutex);
        m_entries.push_back({turn, std::move(command)});
    }
    m_condition.notify_one();
}

void ThreadedGlQueue::appendTimed(NameId name, std::uint32_t frame, const Turn &turn, Command command)
{
    append(turn, [this, name, frame, work = std::move(command)]() -> Status {
        const SpanScope span(name, frame);
        JETSCOPE_TRY(work());
        JETSCOPE_TRY_ASSIGN(GlFence rasterised, GlFence::insert(display()));
        return rasterised.clientWait();
    });
}

Status ThreadedGlQueue::run(Command command)
{
    // Shared, because the queue's thread may still be inside set_value when the caller has returned.
    const auto promise = std::make_shared<std::promise<Status>>();
    std::future<Status> outcome = promise->get_future();
    append({}, [promise, work = std::move(command)]() -> Status {
        promise->set_value(work());
        return {};
    });
    const Status status = outcome.get();
    if (std::optional<Error> earlier = takeError())
        return *earlier;
    return status;
}

GlFence ThreadedGlQueue::appendFence()
{
    GlFence fence = GlFence::promised(display());
    append({}, [fence]() mutable { return fence.fulfil(); });
    return fence;
}

void ThreadedGlQueue::appendWait(Device &device, std::unique_ptr<GlWait> deviceEvent, std::uint32_t frame)
{
    static const NameId kWait = internName("eglWaitSync", Category::WaitSync, Purpose::DeviceFrame);
    // std::function needs a copyable callable, hence the shared owner.
    append({}, [&device, frame, wait = std::shared_ptr<GlWait>(std::move(deviceEvent))]() -> Status {
        const SpanScope span(kWait, frame);
        return device.glWait(*wait);
    });
}

Status ThreadedGlQueue::finishAll()
{
    return run([]() -> Status {
        glFinish();
        return glStatus("glFinish");
    });
}

} // namespace jetscope
