// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The source's own buffers: a frame stays where the camera put it, and the device reads the EGLImage of that buffer.
#include "gpu/paths/surfaceregistry.h"
#include "gpu/paths/transferbuffer.h"

#include <utility>

namespace jetscope {

namespace {

class SurfaceTransfer final : public TransferBuffer {
public:
    SurfaceTransfer(const ImageLayout &layout, const SurfaceInput &input) :
        m_layout(layout), m_registry(*input.registry), m_view(input.view)
    {
    }

    std::byte *host() override { return nullptr; }
    void put(SurfaceFrame frame) override { m_frame = std::move(frame); }
    SurfaceFrame letGo() override { return std::exchange(m_frame, {}); }

    Status acquire(std::uint32_t, Stream &, ChainLaunch &launch) override
    {
        const Result<Image *> image = m_registry.imageOf(m_frame.surface, m_layout, m_view);
        if (!image.ok())
            return image.error();
        launch.inputLayout = m_layout;
        launch.inputImage = image.value();
        return {};
    }

    std::uint64_t bytesCopied() const override { return 0; }

private:
    const ImageLayout m_layout;
    SurfaceRegistry &m_registry;
    const SurfaceView m_view;
    SurfaceFrame m_frame;
};

} // namespace

Result<std::unique_ptr<TransferBuffer>> createSurfaceTransfer(const ImageLayout &layout, const TransferContext &context)
{
    if (!context.surfaces.registry)
        return Error{"--memory", 0, context.device.facts().nvBuf.reason};
    return std::unique_ptr<TransferBuffer>(std::make_unique<SurfaceTransfer>(layout, context.surfaces));
}

} // namespace jetscope
