// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// EGLStream: the device presents its own frames to a stream whose consumer is a GL texture. That texture shows a frame
// only while the frame is acquired, so GL draws it once into the slot's texture; this counts as a copy. The stream
// keeps the newest frame until a newer one arrives, so there is one frame more than there are slots. Order: the
// consumer connects, the producer connects, frames pass, the producer disconnects, the stream is destroyed.
#include "core/recording/tracer.h"
#include "core/settings/pipelineconfig.h"
#include "gpu/gl/externaldraw.h"
#include "gpu/gl/streamconsumer.h"
#include "gpu/glqueue/glqueue.h"
#include "gpu/paths/outputpath.h"

#include <atomic>
#include <deque>

namespace jetscope {

namespace {

class EglStreamOutput final : public OutputPath {
public:
    EglStreamOutput(int width, int height, const TransferContext &context, const EglStreamApi &api)
        : OutputPath(width, height, context), m_api(api)
    {
    }

    ~EglStreamOutput() override
    {
        m_producer.reset();
        m_frames.clear(); // Frames must outlive the producer.
        static_cast<void>(m_context.queue.run([this] {
            m_draw.reset();
            if (m_consumer)
                m_context.device.tell(&DeviceObserver::glDisconnects, *m_consumer);
            m_consumer.reset();
            return Status();
        }));
    }

    Status beginDevice(std::size_t slot, std::uint32_t frame, Stream &stream, ChainLaunch &launch) override
    {
        if (m_free.empty())
            JETSCOPE_TRY(takeBack(frame, stream));
        m_ofSlot[slot] = m_free.front();
        m_free.pop_front();
        launch.outputImage = m_ofSlot[slot];
        return {};
    }

    Status endDevice(std::size_t slot, std::uint32_t frame, Stream &stream) override
    {
        static const NameId kPresent =
            internName("cudaEGLStreamProducerPresentFrame", Category::WaitSync, Purpose::StreamProducer);
        const SpanScope span(kPresent, frame);
        return m_context.device.present(*m_producer, *m_ofSlot[slot], stream);
    }

    void feedGl(std::size_t slot, std::uint32_t frame) override
    {
        static const NameId kDraw = internName("draw EGLStream frame", Category::Copy, Purpose::StreamDraw);
        const GlUses uses(m_context.device, {m_consumer->texture(), nullptr, Access::Read}, glUse(slot, Access::Write));
        m_context.queue.submitTimed(kDraw, frame, uses, [this, slot]() -> Status {
            JETSCOPE_TRY(acquire());
            m_context.device.tell(&DeviceObserver::glDrawsFrame, *m_consumer, m_consumer->latest());
            JETSCOPE_TRY(m_draw->draw(m_consumer->texture(), framebuffer(slot)));
            return m_consumer->release();
        });
    }

    std::uint64_t bytesCopied() const override
    {
        return std::uint64_t{4} * static_cast<std::uint64_t>(m_width) * static_cast<std::uint64_t>(m_height);
    }

    std::optional<StreamCounts> streamCounts() const override
    {
        return StreamCounts{m_returned.load(), m_timeouts.load(), m_repeats.load()};
    }

protected:
    Status allocate() override
    {
        m_ofSlot.resize(slotCount());
        JETSCOPE_TRY(m_context.queue.run([this]() -> Status {
            JETSCOPE_TRY_ASSIGN(m_draw, ExternalDraw::create());
            JETSCOPE_TRY_ASSIGN(m_consumer,
                                EglStreamConsumer::create(m_context.queue.display(), kMaxFramesInFlight, m_api));
            m_context.device.tell(&DeviceObserver::glConnected, *m_consumer, m_consumer->native());
            return {};
        }));
        const FrameMemory memory = m_context.device.facts().eglStreamArrays ? FrameMemory::Array : FrameMemory::Pitch;
        JETSCOPE_TRY_ASSIGN(m_producer,
                            m_context.device.connectProducer(m_consumer->native(), m_width, m_height, memory));
        for (std::size_t i = 0; i < slotCount() + 1; ++i) {
            JETSCOPE_TRY_ASSIGN(std::unique_ptr<Image> frame, m_context.device.makeFrame(*m_producer));
            m_frames.push_back(std::move(frame));
            m_free.push_back(m_frames.back().get());
        }
        return {};
    }

private:
    /// Waits for a frame that GL has released. All frames but the newest return, in the order in which they were
    /// presented.
    Status takeBack(std::uint32_t frame, Stream &stream)
    {
        static const NameId kReturn =
            internName("cudaEGLStreamProducerReturnFrame", Category::WaitSync, Purpose::StreamProducer);
        const SpanScope span(kReturn, frame);
        for (int tries = 0; tries < kMaxStreamTries; ++tries) {
            JETSCOPE_TRY_ASSIGN(Image *const returned, m_context.device.takeBack(*m_producer, stream));
            if (returned) {
                ++m_returned;
                m_free.push_back(returned);
                return {};
            }
            ++m_timeouts;
        }
        return Error{"cudaEGLStreamProducerReturnFrame", 0,
                     "the EGLStream does not return its frames; take output eglimage or gl-interop"};
    }

    /// Call on the GL queue. The presented frame is on its way, so a repeat of an older frame is not accepted.
    Status acquire()
    {
        for (int tries = 0; tries < kMaxStreamTries; ++tries) {
            JETSCOPE_TRY_ASSIGN(const EglStreamConsumer::Acquired acquired, m_consumer->acquire());
            if (acquired == EglStreamConsumer::Acquired::NewFrame)
                return {};
            if (acquired == EglStreamConsumer::Acquired::Repeat) {
                ++m_repeats;
                JETSCOPE_TRY(m_consumer->release());
            } else {
                ++m_timeouts;
            }
        }
        return Error{"eglStreamConsumerAcquireKHR", 0,
                     "a frame that was presented to the EGLStream did not arrive; take output eglimage or gl-interop"};
    }

    const EglStreamApi &m_api;
    std::unique_ptr<ExternalDraw> m_draw;
    std::unique_ptr<EglStreamConsumer> m_consumer;
    std::vector<std::unique_ptr<Image>> m_frames;
    std::unique_ptr<FrameProducer> m_producer;
    std::deque<Image *> m_free;
    std::vector<Image *> m_ofSlot;
    std::atomic<std::uint64_t> m_returned{0};
    std::atomic<std::uint64_t> m_timeouts{0};
    std::atomic<std::uint64_t> m_repeats{0};
};

} // namespace

std::unique_ptr<OutputPath> newEglStreamOutput(int width, int height, const TransferContext &context,
                                               const EglStreamApi &api)
{
    return std::make_unique<EglStreamOutput>(width, height, context, api);
}

} // namespace jetscope
