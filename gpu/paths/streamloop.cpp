// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/paths/streamloop.h"

#include "core/recording/tracer.h"
#include "gpu/glqueue/glqueue.h"
#include "gpu/gputime/gputimer.h"

namespace jetscope {

namespace {

/// The one being written, the one being read, the newest (which the stream keeps) and one on its way back.
constexpr int kLoopFrames = 4;

} // namespace

Result<std::shared_ptr<StreamLoop>> StreamLoop::create(int width, int height, const TransferContext &context,
                                                       const EglStreamApi &api)
{
    std::shared_ptr<StreamLoop> loop(new StreamLoop(context));
    loop->m_bytes = std::uint64_t{4} * static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height);
    JETSCOPE_TRY_ASSIGN(loop->m_input, StreamInput::create(context.device, context.queue.display(), kLoopFrames, api));
    const FrameMemory memory = context.device.facts().eglStreamArrays ? FrameMemory::Array : FrameMemory::Pitch;
    JETSCOPE_TRY_ASSIGN(loop->m_producer,
                        context.device.connectProducer(loop->m_input->native(), width, height, memory));
    for (int i = 0; i < kLoopFrames; ++i) {
        JETSCOPE_TRY_ASSIGN(std::unique_ptr<Image> frame, context.device.makeFrame(*loop->m_producer));
        loop->m_frames.push_back(std::move(frame));
        loop->m_free.push_back(loop->m_frames.back().get());
    }
    return loop;
}

StreamLoop::~StreamLoop()
{
    m_producer.reset();
    m_frames.clear(); // Frames must outlive the producer.
}

Status StreamLoop::send(ChainLaunch work, std::uint32_t frame, Stream &stream, ChainLaunch &launch)
{
    static const NameId kFill = internName("fill EGLStream frame", Category::Copy);
    static const NameId kPass = internName("through the EGLStream", Category::WaitSync, Purpose::StreamConsumer);
    const SpanScope span(kPass, frame);
    JETSCOPE_TRY_ASSIGN(Image *const free, freeFrame(stream));
    work.outputImage = free;
    JETSCOPE_TRY(m_context.timer.begin(stream, kFill, frame));
    work.kernels = m_context.timer.kernels();
    JETSCOPE_TRY(m_context.device.launch(work, stream));
    JETSCOPE_TRY(m_context.timer.end());
    JETSCOPE_TRY(m_context.device.present(*m_producer, *free, stream));
    JETSCOPE_TRY_ASSIGN(const FrameConsumer::Acquired acquired, m_input->acquire(++m_presented, stream));
    launch.inputLayout = acquired.layout;
    launch.inputImage = acquired.image;
    return {};
}

Result<Image *> StreamLoop::freeFrame(Stream &stream)
{
    for (int tries = 0; m_free.empty() && tries < kMaxStreamTries; ++tries) {
        JETSCOPE_TRY_ASSIGN(Image *const returned, m_context.device.takeBack(*m_producer, stream));
        if (returned)
            m_free.push_back(returned);
    }
    if (m_free.empty())
        return Error{"cudaEGLStreamProducerReturnFrame", 0,
                     "the EGLStream does not return its frames; take a source without it"};
    Image *frame = m_free.front();
    m_free.pop_front();
    return frame;
}

namespace {

class StreamedTransfer final : public TransferBuffer {
public:
    StreamedTransfer(std::unique_ptr<TransferBuffer> inner, std::shared_ptr<StreamLoop> loop)
        : TransferBuffer(loop->device()), m_inner(std::move(inner)), m_loop(std::move(loop))
    {
    }

    BufferRange memory() const override { return m_inner->memory(); }
    void attach(ExternalFrame frame) override { m_inner->attach(std::move(frame)); }
    ExternalFrame detach() override { return m_inner->detach(); }

    Status acquire(std::uint32_t frame, Stream &stream, ChainLaunch &launch) override
    {
        ChainLaunch input;
        JETSCOPE_TRY(m_inner->acquire(frame, stream, input));
        return m_loop->send(std::move(input), frame, stream, launch);
    }
    Status release(std::uint32_t frame, Stream &stream) override
    {
        JETSCOPE_TRY(m_loop->release(stream));
        return m_inner->release(frame, stream);
    }

    BufferRange sharedMemory() const override { return m_inner->sharedMemory(); }
    bool cpuWaitsForEvent() const override { return m_inner->cpuWaitsForEvent(); }
    std::uint64_t bytesCopied() const override { return m_inner->bytesCopied() + m_loop->bytesCopied(); }

private:
    const std::unique_ptr<TransferBuffer> m_inner;
    const std::shared_ptr<StreamLoop> m_loop;
};

} // namespace

std::unique_ptr<TransferBuffer> streamed(std::unique_ptr<TransferBuffer> inner, std::shared_ptr<StreamLoop> loop)
{
    return std::make_unique<StreamedTransfer>(std::move(inner), std::move(loop));
}

} // namespace jetscope
