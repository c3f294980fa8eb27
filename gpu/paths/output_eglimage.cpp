// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// EGLImage output: the device writes the GL texture directly. Texture, image and registration are created once, in the
// documented order: immutable texture without mipmaps, EGLImage on the GL queue with its context current, registration
// with flags 0. The texture is never respecified.
#include "gpu/glqueue/glqueue.h"
#include "gpu/paths/outputpath.h"

namespace jetscope {

namespace {

class EglImageOutput final : public OutputPath {
public:
    EglImageOutput(int width, int height, const TransferContext &context) : OutputPath(width, height, context) {}

    ~EglImageOutput() override
    {
        m_images.clear(); // Unregister before the EGLImages go (rule C6).
        static_cast<void>(m_context.queue.run([this] {
            m_eglImages.clear();
            return Status();
        }));
    }

    Status beginDevice(std::size_t slot, std::uint32_t, Stream &, ChainLaunch &launch) override
    {
        launch.outputImage = m_images[slot].get();
        return {};
    }

protected:
    const Image *image(std::size_t slot) const override { return m_images[slot].get(); }

    Status allocate() override
    {
        JETSCOPE_TRY(m_context.queue.run([this]() -> Status {
            for (const std::unique_ptr<GlTexture> &texture : m_textures) {
                JETSCOPE_TRY_ASSIGN(
                    std::unique_ptr<EglImage> image,
                    EglImage::create(m_context.queue.display(), m_context.queue.nativeContext(), texture->id()));
                m_eglImages.push_back(std::move(image));
            }
            return {};
        }));
        for (const std::unique_ptr<EglImage> &eglImage : m_eglImages) {
            JETSCOPE_TRY_ASSIGN(std::unique_ptr<Image> image,
                                m_context.device.registerEglImage(eglImage->native(), m_width, m_height));
            m_images.push_back(std::move(image));
        }
        return {};
    }

private:
    std::vector<std::unique_ptr<EglImage>> m_eglImages;
    std::vector<std::unique_ptr<Image>> m_images;
};

} // namespace

std::unique_ptr<OutputPath> newEglImageOutput(int width, int height, const TransferContext &context)
{
    return std::make_unique<EglImageOutput>(width, height, context);
}

} // namespace jetscope
