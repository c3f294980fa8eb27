// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// GL interop: the texture is registered with the device, mapped before its kernels and unmapped after them. Both calls
// synchronize GL and the device implicitly. The device may write the texture only between the two calls.
#include "core/recording/tracer.h"
#include "gpu/glqueue/glqueue.h"
#include "gpu/paths/outputpath.h"

namespace jetscope {

namespace {

class GlInteropOutput final : public OutputPath {
public:
    GlInteropOutput(int width, int height, const TransferContext &context) : OutputPath(width, height, context) {}

    Status beginDevice(std::size_t slot, std::uint32_t frame, Stream &stream, ChainLaunch &launch) override
    {
        static const NameId kMap = internName("cudaGraphicsMapResources", Category::WaitSync, Purpose::GlMap);
        const SpanScope span(kMap, frame);
        launch.outputImage = m_images[slot].get();
        return m_context.device.map(*m_images[slot], stream);
    }

    Status endDevice(std::size_t slot, std::uint32_t frame, Stream &stream) override
    {
        static const NameId kUnmap = internName("cudaGraphicsUnmapResources", Category::WaitSync, Purpose::GlUnmap);
        const SpanScope span(kUnmap, frame);
        return m_context.device.unmap(*m_images[slot], stream);
    }

protected:
    const Image *image(std::size_t slot) const override { return m_images[slot].get(); }

    Status allocate() override
    {
        return m_context.queue.run([this]() -> Status {
            for (const std::unique_ptr<GlTexture> &texture : m_textures) {
                JETSCOPE_TRY_ASSIGN(std::unique_ptr<Image> image,
                                    m_context.device.registerGlTexture(texture->id(), m_width, m_height));
                m_images.push_back(std::move(image));
            }
            return {};
        });
    }

private:
    std::vector<std::unique_ptr<Image>> m_images;
};

} // namespace

std::unique_ptr<OutputPath> newGlInteropOutput(int width, int height, const TransferContext &context)
{
    return std::make_unique<GlInteropOutput>(width, height, context);
}

} // namespace jetscope
