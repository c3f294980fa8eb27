// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// GL texture as input: GL uploads the frame's bytes into a texture and the device reads its EGLImage.
#include "core/recording/tracer.h"
#include "gpu/gl/texture.h"
#include "gpu/glqueue/glqueue.h"
#include "gpu/paths/transferbuffer.h"
#include "gpu/sync/framesync.h"

namespace jetscope {

namespace {

/// The number of lines, each as long as a line of the first plane; the small planes after it may not fill the last
/// line.
std::size_t linesOf(const ImageLayout &layout)
{
    return (layout.bytes + layout.planes[0].pitch - 1) / layout.planes[0].pitch;
}

class GlTextureTransfer final : public TransferBuffer {
public:
    GlTextureTransfer(const ImageLayout &layout, const TransferContext &context, std::unique_ptr<Buffer> host)
        : TransferBuffer(context.device), m_layout(layout), m_context(context), m_host(std::move(host))
    {
    }

    ~GlTextureTransfer() override
    {
        m_image.reset();
        // This fails only if the queue is permanently broken; then its context and objects are already gone.
        static_cast<void>(m_context.queue.run([this] {
            m_eglImage.reset();
            m_texture.reset();
            return Status();
        }));
    }

    Status allocate()
    {
        const auto pitch = m_layout.planes[0].pitch;
        const int width = static_cast<int>(pitch / 4);
        const int height = static_cast<int>(linesOf(m_layout));
        JETSCOPE_TRY(m_context.queue.run([&]() -> Status {
            JETSCOPE_TRY_ASSIGN(m_texture, GlTexture::create(width, height));
            JETSCOPE_TRY_ASSIGN(
                m_eglImage,
                EglImage::create(m_context.queue.display(), m_context.queue.nativeContext(), m_texture->id()));
            return {};
        }));
        JETSCOPE_TRY_ASSIGN(m_image, m_context.device.registerEglImage(m_eglImage->native(), width, height));
        return {};
    }

    BufferRange memory() const override { return {m_host.get(), 0, m_layout.bytes}; }

    Status acquire(std::uint32_t frame, Stream &stream, ChainLaunch &launch) override
    {
        static const NameId kUpload = internName("glTexSubImage2D", Category::Upload, Purpose::GlUpload);
        const GlUses uses(m_device, {m_texture->id(), m_image.get(), Access::Write});
        m_context.queue.submitTimed(kUpload, frame, uses, [this] {
            const CpuRead bytes(m_device, wholeOf(*m_host));
            return m_texture->upload(bytes.data(), m_layout.planes[0].pitch);
        });
        launch.inputLayout = m_layout;
        launch.inputImage = m_image.get();
        return m_context.sync->glToDevice(m_context.queue.fence(m_device), stream, frame);
    }

    std::uint64_t bytesCopied() const override { return pictureBytes(m_layout); }

private:
    const ImageLayout m_layout;
    const TransferContext m_context;
    const std::unique_ptr<Buffer> m_host;
    std::unique_ptr<GlTexture> m_texture;
    std::unique_ptr<EglImage> m_eglImage;
    std::unique_ptr<Image> m_image;
};

} // namespace

Result<std::unique_ptr<TransferBuffer>>
createGlTextureTransfer(TransferBuffer::Direction direction, const ImageLayout &layout, const TransferContext &context)
{
    // A texture only carries frames to the device; results use a pinned copy.
    if (direction == TransferBuffer::Direction::Result)
        return createPinnedTransfer(direction, layout, context);
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<Buffer> host,
                        context.device.allocate(Allocation::Pageable, linesOf(layout) * layout.planes[0].pitch));
    auto transfer = std::make_unique<GlTextureTransfer>(layout, context, std::move(host));
    JETSCOPE_TRY(transfer->allocate());
    return std::unique_ptr<TransferBuffer>(std::move(transfer));
}

} // namespace jetscope
