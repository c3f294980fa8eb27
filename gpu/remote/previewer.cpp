// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/previewer.h"

#include "core/recording/tracer.h"
#include "core/remote/picture/png.h"
#include "gpu/gl/api.h"
#include "gpu/gl/context.h"
#include "gpu/gl/texture.h"
#include "gpu/remote/jpegpicture.h"

#include <algorithm>
#include <pthread.h>
#include <sched.h>
#include <string>
#include <sys/resource.h>
#include <utility>

namespace jetscope {

namespace {

constexpr const char *kPreviewLane = "Preview";
constexpr int kLeastPriority = 19;

/// The calling thread runs when no other wants its processor.
void becomeIdle()
{
    const sched_param none{};
    if (pthread_setschedparam(pthread_self(), SCHED_IDLE, &none) != 0)
        static_cast<void>(setpriority(PRIO_PROCESS, 0, kLeastPriority)); // On Linux, of this thread.
}

/// The size of a reduced frame, with its shape.
std::pair<int, int> reducedSize(int width, int height, int mostSide)
{
    const int longest = std::max(width, height);
    if (longest <= mostSide)
        return {width, height};
    const auto scaled = [&](int side) {
        return std::max(1, static_cast<int>((std::int64_t{side} * mostSide + longest / 2) / longest));
    };
    return {scaled(width), scaled(height)};
}

} // namespace

/// Scales and reads with GL, on one thread with its context current.
class Previewer::Reducer {
public:
    explicit Reducer(std::unique_ptr<EglContext> context) : m_context(std::move(context)) {}
    ~Reducer()
    {
        m_levels.clear();
        m_context->doneCurrent();
    }

    Result<RgbaPicture> read(const LentFrame &frame, int mostSide)
    {
        JETSCOPE_TRY(frame.ready.serverWait());
        JETSCOPE_TRY_ASSIGN(const std::unique_ptr<GlFramebuffer> whole,
                            GlFramebuffer::create(frame.texture, frame.width, frame.height));
        const auto [width, height] = reducedSize(frame.width, frame.height, mostSide);
        const GlFramebuffer *from = whole.get();
        std::size_t level = 0;
        // By halves, so that each pixel counts; the rest in one step.
        while (from->width() > width || from->height() > height) {
            JETSCOPE_TRY_ASSIGN(
                const GlFramebuffer *to,
                target(level++, std::max(width, (from->width() + 1) / 2), std::max(height, (from->height() + 1) / 2)));
            from->bind();
            to->bindForDrawing();
            glBlitFramebuffer(0, 0, from->width(), from->height(), 0, 0, to->width(), to->height(), GL_COLOR_BUFFER_BIT,
                              GL_LINEAR);
            JETSCOPE_TRY(glStatus("glBlitFramebuffer"));
            from = to;
        }
        RgbaPicture picture{width, height, {}};
        const std::size_t pitch = static_cast<std::size_t>(width) * 4;
        picture.rgba.resize(pitch * static_cast<std::size_t>(height));
        JETSCOPE_TRY(from->read(picture.rgba.data(), pitch));
        return picture;
    }

private:
    struct Level {
        std::unique_ptr<GlTexture> texture;
        std::unique_ptr<GlFramebuffer> framebuffer;
    };

    /// Made once for each size.
    Result<const GlFramebuffer *> target(std::size_t index, int width, int height)
    {
        if (index == m_levels.size())
            m_levels.emplace_back();
        Level &level = m_levels[index];
        if (!level.framebuffer || level.framebuffer->width() != width || level.framebuffer->height() != height) {
            level = {};
            JETSCOPE_TRY_ASSIGN(level.texture, GlTexture::create(width, height));
            JETSCOPE_TRY_ASSIGN(level.framebuffer, GlFramebuffer::create(level.texture->id(), width, height));
        }
        return level.framebuffer.get();
    }

    std::unique_ptr<EglContext> m_context;
    std::vector<Level> m_levels;
};

Previewer::Previewer(FrameLender &lender, Tracer &tracer, Sink sink)
    : m_lender(lender), m_tracer(tracer), m_sink(std::move(sink)), m_packer([this] { pack(); }), m_thread([this] {
          work();
      })
{
}

Previewer::~Previewer()
{
    order([](Orders &orders) { orders.ends = true; });
    m_thread.join();
    m_wholes.stop();
    {
        const std::lock_guard lock(m_mutex);
        m_packerEnds = true;
    }
    m_changed.notify_all();
    m_packer.join();
}

void Previewer::order(const std::function<void(Orders &)> &change)
{
    {
        const std::lock_guard lock(m_mutex);
        change(m_orders);
    }
    m_lender.wake();
}

void Previewer::reduceNext(const Reduction &reduction)
{
    order([&](Orders &orders) { orders.reduce = reduction; });
}

void Previewer::readWhole(std::uint32_t frame, std::uint32_t id)
{
    order([&](Orders &orders) { orders.wholes.push_back({frame, id}); });
}

void Previewer::rest()
{
    order([](Orders &orders) { orders.rests = true; });
}

// --- the working thread

void Previewer::work()
{
    const ThreadRecorder recorder(m_tracer, LaneRole::Tool, kPreviewLane, "thread · scale and read back");
    auto context = EglContext::create(m_lender.display(), m_lender.context());
    const Status current = context.ok() ? context.value()->makeCurrent() : Status(context.error());
    if (!current.ok())
        return m_sink.reduced(current.error());
    Reducer reducer(std::move(context).value());
    for (;;) {
        const std::uint32_t seen = m_lender.wakes();
        Orders orders;
        {
            const std::lock_guard lock(m_mutex);
            orders = std::exchange(m_orders, {});
        }
        if (orders.ends)
            break;
        carryOut(orders, reducer);
        if (const std::optional<LentFrame> frame = m_lender.take())
            reduce(*frame, reducer);
        m_lender.sleep(seen);
    }
    giveBackAll();
}

void Previewer::carryOut(const Orders &orders, Reducer &reducer)
{
    static const NameId kRead = internName("read the whole frame", Category::Tool);
    for (const Whole &whole : orders.wholes) {
        const auto kept = std::find_if(m_kept.begin(), m_kept.end(),
                                       [&](const LentFrame &frame) { return frame.frame == whole.frame; });
        if (kept == m_kept.end()) {
            m_sink.whole(whole.id,
                         Error{"", 0, "the board has newer frames only: pause the pipeline first, then ask for it"});
            continue;
        }
        const SpanScope span(kRead, kept->frame);
        Result<RgbaPicture> picture = reducer.read(*kept, std::max(kept->width, kept->height));
        m_wholes.add([this, id = whole.id, frame = kept->frame, picture = std::move(picture)] {
            static const NameId kPng = internName("pack the whole frame (PNG)", Category::Tool);
            const ThreadRecorder recorder(m_tracer, LaneRole::Tool, kPreviewLane, "thread · PNG, low priority");
            const SpanScope packs(kPng, frame);
            if (picture.ok())
                m_sink.whole(id, pngOf(picture.value()));
            else
                m_sink.whole(id, picture.error());
        });
    }
    if (orders.rests)
        giveBackAll();
    if (orders.reduce) {
        m_reduction = *orders.reduce;
        m_lender.ask();
    }
}

void Previewer::reduce(const LentFrame &frame, Reducer &reducer)
{
    static const NameId kScale = internName("scale and read back", Category::Tool);
    const SpanScope span(kScale, frame.frame);
    Result<RgbaPicture> reduced = reducer.read(frame, m_reduction.mostSide);
    keep(frame);
    if (!reduced.ok())
        return m_sink.reduced(reduced.error());
    Picture made;
    made.frame = frame.frame;
    made.number = frame.number;
    made.width = static_cast<std::uint32_t>(frame.width);
    made.height = static_cast<std::uint32_t>(frame.height);
    packLater([this, made, quality = m_reduction.quality, reduced = std::move(reduced).value()] {
        static const NameId kJpeg = internName("pack the picture (JPEG)", Category::Tool);
        Result<std::vector<std::byte>> jpeg = [&] {
            const SpanScope packs(kJpeg, made.frame);
            return jpegOf(reduced, quality);
        }();
        if (!jpeg.ok())
            return m_sink.reduced(jpeg.error());
        Picture packed = made;
        packed.jpeg = std::move(jpeg).value();
        m_sink.reduced(std::move(packed));
    });
}

void Previewer::keep(const LentFrame &frame)
{
    m_kept.push_back(frame);
    while (m_kept.size() > frame.mayKeep + 1) {
        m_lender.giveBack(m_kept.front());
        m_kept.pop_front();
    }
}

void Previewer::giveBackAll()
{
    for (const LentFrame &frame : m_kept)
        m_lender.giveBack(frame);
    m_kept.clear();
    m_lender.rest();
}

// --- the packing thread

void Previewer::packLater(std::function<void()> job)
{
    {
        const std::lock_guard lock(m_mutex);
        m_jobs.push_back(std::move(job));
    }
    m_changed.notify_all();
}

void Previewer::pack()
{
    becomeIdle();
    const ThreadRecorder recorder(m_tracer, LaneRole::Tool, kPreviewLane, "thread · JPEG, idle priority");
    std::unique_lock lock(m_mutex);
    while (!m_packerEnds) {
        if (m_jobs.empty()) {
            m_changed.wait(lock);
            continue;
        }
        const std::function<void()> job = std::move(m_jobs.front());
        m_jobs.pop_front();
        lock.unlock();
        job();
        lock.lock();
    }
}

} // namespace jetscope
