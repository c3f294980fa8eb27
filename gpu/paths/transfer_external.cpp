// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The source's own buffers: the frame stays in the camera's buffer. The device reads the EGLImage of that buffer, or
// acquires the frame from the EGLStream to which the camera presents it.
#include "core/recording/tracer.h"
#include "gpu/paths/externalbufferregistry.h"
#include "gpu/paths/streaminput.h"
#include "gpu/paths/transferbuffer.h"

#include <utility>

namespace jetscope {

namespace {

class ExternalTransfer final : public TransferBuffer {
public:
    ExternalTransfer(const ImageLayout &layout, Device &device, const ExternalInput &input)
        : TransferBuffer(device), m_layout(layout), m_registry(*input.registry), m_view(input.view)
    {
    }

    BufferRange memory() const override { return {}; }
    void attach(ExternalFrame frame) override { m_frame = std::move(frame); }
    ExternalFrame detach() override { return std::exchange(m_frame, {}); }

    Status acquire(std::uint32_t, Stream &, ChainLaunch &launch) override
    {
        JETSCOPE_TRY_ASSIGN(Image *const image, m_registry.imageOf(m_frame.buffer, m_layout, m_view));
        launch.inputLayout = m_layout;
        launch.inputImage = image;
        launch.sourceBuffer = m_registry.sourceBufferOf(m_frame.buffer);
        return {};
    }

    std::uint64_t bytesCopied() const override { return 0; }

private:
    const ImageLayout m_layout;
    ExternalBufferRegistry &m_registry;
    const ExternalBufferView m_view;
    ExternalFrame m_frame;
};

/// The camera presents frames to an EGLStream. The notification does not identify the frame, so the newest is acquired.
class PresentedTransfer final : public TransferBuffer {
public:
    PresentedTransfer(Device &device, std::shared_ptr<StreamInput> stream)
        : TransferBuffer(device), m_stream(std::move(stream))
    {
    }

    BufferRange memory() const override { return {}; }

    Status acquire(std::uint32_t frame, Stream &stream, ChainLaunch &launch) override
    {
        static const NameId kAcquire =
            internName("cudaEGLStreamConsumerAcquireFrame", Category::WaitSync, Purpose::StreamConsumer);
        const SpanScope span(kAcquire, frame);
        JETSCOPE_TRY_ASSIGN(const FrameConsumer::Acquired acquired, m_stream->acquire(m_stream->latest() + 1, stream));
        launch.inputLayout = acquired.layout;
        launch.inputImage = acquired.image;
        return {};
    }
    Status release(std::uint32_t, Stream &stream) override { return m_stream->release(stream); }

    std::uint64_t bytesCopied() const override { return 0; }

private:
    const std::shared_ptr<StreamInput> m_stream;
};

} // namespace

Result<std::unique_ptr<TransferBuffer>>
createExternalTransfer(TransferBuffer::Direction direction, const ImageLayout &layout, const TransferContext &context)
{
    // Only inputs are in the camera's buffers; results use our own.
    if (direction == TransferBuffer::Direction::Result)
        return createPinnedTransfer(direction, layout, context);
    if (!context.externalInput.registry)
        return Error{"--memory", 0, context.device.facts().nvBuf.reason};
    if (context.externalInput.view == ExternalBufferView::Stream)
        return std::unique_ptr<TransferBuffer>(
            std::make_unique<PresentedTransfer>(context.device, context.externalInput.stream));
    return std::unique_ptr<TransferBuffer>(
        std::make_unique<ExternalTransfer>(layout, context.device, context.externalInput));
}

} // namespace jetscope
