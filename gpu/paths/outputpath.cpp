// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/paths/outputpath.h"

#include "gpu/gl/streamconsumer.h"
#include "gpu/glqueue/glqueue.h"

namespace jetscope {

namespace {

std::unique_ptr<OutputPath> newOutput(OutputKind kind, int width, int height, const TransferContext &context)
{
    switch (kind) {
    case OutputKind::EglImage:
        return newEglImageOutput(width, height, context);
    case OutputKind::GlInterop:
        return newGlInteropOutput(width, height, context);
    case OutputKind::CopyBack:
        return newCopyBackOutput(width, height, context);
    case OutputKind::EglStream:
        return newEglStreamOutput(width, height, context, realEglStreamApi());
    }
    return nullptr;
}

} // namespace

Result<std::unique_ptr<OutputPath>> OutputPath::create(OutputKind kind, int width, int height, std::size_t slots,
                                                       const TransferContext &context)
{
    return complete(newOutput(kind, width, height, context), slots);
}

Result<std::unique_ptr<OutputPath>> OutputPath::complete(std::unique_ptr<OutputPath> path, std::size_t slots)
{
    JETSCOPE_TRY(path->makeTextures(slots));
    JETSCOPE_TRY(path->allocate());
    return path;
}

Status OutputPath::makeTextures(std::size_t slots)
{
    return m_context.queue.run([&]() -> Status {
        for (std::size_t slot = 0; slot < slots; ++slot) {
            JETSCOPE_TRY_ASSIGN(std::unique_ptr<GlTexture> texture, GlTexture::create(m_width, m_height));
            JETSCOPE_TRY_ASSIGN(std::unique_ptr<GlFramebuffer> framebuffer,
                                GlFramebuffer::create(texture->id(), m_width, m_height));
            m_textures.push_back(std::move(texture));
            m_framebuffers.push_back(std::move(framebuffer));
        }
        return {};
    });
}

OutputPath::~OutputPath()
{
    // This fails only if the queue is permanently broken; then its context and objects are already gone.
    static_cast<void>(m_context.queue.run([this] {
        m_framebuffers.clear();
        m_textures.clear();
        return Status();
    }));
}

} // namespace jetscope
