// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/glqueue/glqueue.h"

#include "core/recording/tracer.h"
#include "gpu/gl/api.h"
#include "gpu/glqueue/gltimer.h"

#include <condition_variable>
#include <deque>
#include <future>
#include <map>
#include <thread>

namespace jetscope {

namespace {

/// The GL queue for hardware: commands run at once on the pipeline thread and the GPU executes them later.
class InlineGlQueue final : public GlQueue {
public:
    static Result<std::unique_ptr<GlQueue>> create(std::shared_ptr<EglDisplay> display, void *shareContext,
                                                   Tracer &tracer)
    {
        JETSCOPE_TRY_ASSIGN(std::unique_ptr<EglContext> context, EglContext::create(std::move(display), shareContext));
        JETSCOPE_TRY(context->makeCurrent());
        return std::unique_ptr<GlQueue>(new InlineGlQueue(std::move(context), tracer));
    }

    Status run(Command command) override { return command(); }

    bool isThreaded() const override { return false; }
    void timeBy(GpuTime source) override { m_timer.use(source); }
    void completed(std::uint32_t frame, std::int64_t ns) override { m_timer.completed(frame, ns); }
    void collect() override { m_timer.collect(); }
    void *nativeContext() const override { return m_context->native(); }

protected:
    void append(const Turn &turn, Command command) override
    {
        begin(turn);
        note(command());
    }

    void appendTimed(NameId name, std::uint32_t frame, const Turn &turn, Command command) override
    {
        begin(turn);
        const SpanScope span(submitName(name), frame); // What the CPU pays for the submission.
        m_timer.begin(name, frame);
        note(command());
        m_timer.end();
    }

    GlFence appendFence() override
    {
        // If GL and the device share a GPU, this is the most expensive call of many frames, so it has its own name.
        static const NameId kFence = internName("eglCreateSync, glFlush", Category::Submit, Purpose::GlFence);
        const SpanScope span(kFence);
        Result<GlFence> fence = GlFence::insert(display());
        if (fence.ok())
            return std::move(fence).value();
        note(fence.error());
        return {};
    }

    void appendWait(Device &device, std::unique_ptr<GlWait> deviceEvent, std::uint32_t) override
    {
        note(device.glWait(*deviceEvent));
    }

    Status finishAll() override
    {
        glFinish();
        return glStatus("glFinish");
    }

private:
    InlineGlQueue(std::unique_ptr<EglContext> context, Tracer &tracer)
        : GlQueue(context->display()), m_context(std::move(context)), m_timer(tracer)
    {
    }

    NameId submitName(NameId name)
    {
        const auto [known, isNew] = m_submitNames.try_emplace(name);
        if (isNew)
            known->second = internName("submit " + spanName(name), Category::Submit, internedName(name).purpose);
        return known->second;
    }

    std::unique_ptr<EglContext> m_context;
    GlTimer m_timer;                        ///< Destroyed before the context.
    std::map<NameId, NameId> m_submitNames; ///< Maps a command's name to the name of its CPU submission span.
};

/// The GL queue for a software rasteriser: a thread that owns the context and completes one command before the next, as
/// a GPU's queue does. Timed commands wait for their own rasterising, so that their spans are correct.
class ThreadedGlQueue final : public GlQueue {
public:
    static Result<std::unique_ptr<GlQueue>> create(std::shared_ptr<EglDisplay> display, void *shareContext,
                                                   Tracer &tracer)
    {
        JETSCOPE_TRY_ASSIGN(std::unique_ptr<EglContext> context, EglContext::create(std::move(display), shareContext));
        std::unique_ptr<GlQueue> queue(new ThreadedGlQueue(std::move(context), tracer));
        // The context becomes current on the queue's own thread; return its error if that fails.
        JETSCOPE_TRY(queue->run([] { return Status(); }));
        return queue;
    }

    ~ThreadedGlQueue() override
    {
        {
            const std::lock_guard lock(m_mutex);
            m_stopping = true;
        }
        m_condition.notify_all();
        m_thread.join();
    }

    Status run(Command command) override
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

    bool isThreaded() const override { return true; }
    void *nativeContext() const override { return m_context->native(); }

protected:
    void append(const Turn &turn, Command command) override
    {
        {
            const std::lock_guard lock(m_mutex);
            m_entries.push_back({turn, std::move(command)});
        }
        m_condition.notify_one();
    }

    void appendTimed(NameId name, std::uint32_t frame, const Turn &turn, Command command) override
    {
        append(turn, [this, name, frame, work = std::move(command)]() -> Status {
            const SpanScope span(name, frame);
            JETSCOPE_TRY(work());
            JETSCOPE_TRY_ASSIGN(GlFence rasterised, GlFence::insert(display()));
            return rasterised.clientWait();
        });
    }

    GlFence appendFence() override
    {
        GlFence fence = GlFence::promised(display());
        append({}, [fence]() mutable { return fence.fulfil(); });
        return fence;
    }

    void appendWait(Device &device, std::unique_ptr<GlWait> deviceEvent, std::uint32_t frame) override
    {
        static const NameId kWait = internName("eglWaitSync", Category::WaitSync, Purpose::DeviceFrame);
        // std::function needs a copyable callable, hence the shared owner.
        append({}, [&device, frame, wait = std::shared_ptr<GlWait>(std::move(deviceEvent))]() -> Status {
            const SpanScope span(kWait, frame);
            return device.glWait(*wait);
        });
    }

    Status finishAll() override
    {
        return run([]() -> Status {
            glFinish();
            return glStatus("glFinish");
        });
    }

private:
    struct Entry {
        Turn turn;
        Command command;
    };
    ThreadedGlQueue(std::unique_ptr<EglContext> context, Tracer &tracer);

    void work()
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

    std::unique_ptr<EglContext> m_context;
    Tracer &m_tracer;
    std::mutex m_mutex;
    std::condition_variable m_condition;
    std::deque<Entry> m_entries;
    bool m_stopping = false;
    std::thread m_thread;
};

ThreadedGlQueue::ThreadedGlQueue(std::unique_ptr<EglContext> context, Tracer &tracer)
    : GlQueue(context->display()), m_context(std::move(context)), m_tracer(tracer), m_thread([this] { work(); })
{
}

} // namespace

Result<std::unique_ptr<GlQueue>> GlQueue::create(std::shared_ptr<EglDisplay> display, Execution execution,
                                                 void *shareContext, Tracer &tracer)
{
    if (execution == Execution::Inline)
        return InlineGlQueue::create(std::move(display), shareContext, tracer);
    return ThreadedGlQueue::create(std::move(display), shareContext, tracer);
}

GlFence GlQueue::fence(Device &device)
{
    GlFence fence = appendFence();
    device.tell(&DeviceObserver::glFenced, *this, fence);
    return fence;
}

void GlQueue::wait(Device &device, std::unique_ptr<GlWait> deviceEvent, std::uint32_t frame)
{
    device.tell(&DeviceObserver::glWillWait, *this, *deviceEvent);
    appendWait(device, std::move(deviceEvent), frame);
}

Status GlQueue::finish(Device &device)
{
    JETSCOPE_TRY(finishAll());
    device.tell(&DeviceObserver::glFinished, *this);
    return {};
}

GlQueue::Turn GlQueue::announce(const GlUses &uses)
{
    const Turn turn{&uses.device(), ++m_commands};
    turn.device->tell(&DeviceObserver::glWill, *this, turn.command, uses.uses());
    return turn;
}

void GlQueue::note(const Status &status)
{
    if (status.ok())
        return;
    const std::lock_guard lock(m_errorMutex);
    if (!m_error)
        m_error = status.error();
}

std::optional<Error> GlQueue::takeError()
{
    const std::lock_guard lock(m_errorMutex);
    return std::exchange(m_error, std::nullopt);
}

} // namespace jetscope
