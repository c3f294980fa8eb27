// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/recording/tracer.h"
#include "gpu/gl/api.h"
#include "gpu/gl/context.h"
#include "gpu/gl/texture.h"
#include "gpu/pipeline/view.h"

#include <condition_variable>
#include <thread>

namespace jetscope {

namespace {

class ReadbackThread final : public ReadbackView {
public:
    ReadbackThread(std::unique_ptr<EglContext> context, ViewMailbox &mailbox, Tracer &tracer, Sink sink)
        : m_context(std::move(context)),
          m_mailbox(mailbox),
          m_tracer(tracer),
          m_sink(std::move(sink)),
          m_thread([this] { work(); })
    {
        m_mailbox.setListener([this] { wake(); });
        wake(); // A frame may already have been published.
    }

    ~ReadbackThread() override
    {
        m_mailbox.setListener(nullptr);
        {
            const std::lock_guard lock(m_mutex);
            m_stopping = true;
        }
        m_condition.notify_all();
        m_thread.join();
    }

private:
    void wake()
    {
        {
            const std::lock_guard lock(m_mutex);
            m_woken = true;
        }
        m_condition.notify_all();
    }

    bool sleep()
    {
        std::unique_lock lock(m_mutex);
        m_condition.wait(lock, [this] { return m_woken || m_stopping; });
        m_woken = false;
        return !m_stopping;
    }

    void work()
    {
        const ThreadRecorder recorder(m_tracer, LaneRole::View, "View", "thread · read back");
        if (const Status current = m_context->makeCurrent(); !current.ok()) {
            m_sink(current.error());
            return;
        }
        while (sleep()) {
            while (std::optional<ViewFrame> frame = m_mailbox.take(false))
                show(*frame);
        }
        m_context->doneCurrent();
    }

    void show(const ViewFrame &frame)
    {
        Result<Picture> picture = read(frame);
        Result<GlFence> fence = GlFence::insert(m_context->display());
        m_mailbox.release(frame, fence.ok() ? std::move(fence).value() : GlFence());
        const bool isRead = picture.ok();
        m_sink(std::move(picture));
        if (isRead)
            m_mailbox.presented(frame, nowNs());
    }

    Result<Picture> read(const ViewFrame &frame)
    {
        static const NameId kRead = internName("read back", Category::Present);
        Picture picture;
        picture.frame = frame.frame;
        picture.number = frame.number;
        picture.width = frame.width;
        picture.height = frame.height;
        const std::size_t pitch = static_cast<std::size_t>(frame.width) * 4;
        picture.rgba.resize(pitch * static_cast<std::size_t>(frame.height));
        const SpanScope span(kRead, frame.frame);
        JETSCOPE_TRY(frame.ready.serverWait());
        JETSCOPE_TRY_ASSIGN(const std::unique_ptr<GlFramebuffer> framebuffer,
                            GlFramebuffer::create(frame.texture, frame.width, frame.height));
        JETSCOPE_TRY(framebuffer->read(picture.rgba.data(), pitch));
        return picture;
    }

    std::unique_ptr<EglContext> m_context;
    ViewMailbox &m_mailbox;
    Tracer &m_tracer;
    Sink m_sink;
    std::mutex m_mutex;
    std::condition_variable m_condition;
    bool m_woken = false;
    bool m_stopping = false;
    std::thread m_thread;
};

} // namespace

Result<std::unique_ptr<ReadbackView>> ReadbackView::create(std::shared_ptr<EglDisplay> display, void *shareContext,
                                                           ViewMailbox &mailbox, Tracer &tracer, Sink sink)
{
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<EglContext> context, EglContext::create(std::move(display), shareContext));
    return std::unique_ptr<ReadbackView>(
        std::make_unique<ReadbackThread>(std::move(context), mailbox, tracer, std::move(sink)));
}

} // namespace jetscope
