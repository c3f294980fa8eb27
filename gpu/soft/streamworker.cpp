// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/soft/streamworker.h"

#include "gpu/gl/api.h"
#include "gpu/soft/softimage.h"

namespace jetscope {

namespace {

std::size_t imageBytes(const Image &image)
{
    return static_cast<std::size_t>(image.width()) * static_cast<std::size_t>(image.height()) * 4;
}

std::size_t imagePitch(const Image &image)
{
    return static_cast<std::size_t>(image.width()) * 4;
}

} // namespace

StreamWorker::StreamWorker(std::shared_ptr<EglDisplay> display) : m_display(std::move(display)) {}

StreamWorker::~StreamWorker()
{
    m_siblings.clear(); // While the context is still current.
}

Result<std::uint64_t> StreamWorker::execute(const ChainLaunch &launch, std::span<StageInstance *const> stages)
{
    std::uint64_t emulated = 0;
    ChainWork work{launch.inputLayout, launch.input.device(),  launch.filters,    launch.output.device(),
                   launch.outputPitch, launch.result.device(), launch.resultPitch};
    if (launch.inputImage) {
        m_inputScratch.resize(imageBytes(*launch.inputImage));
        JETSCOPE_TRY(readImage(static_cast<const SoftImage &>(*launch.inputImage), m_inputScratch.data()));
        work.input = m_inputScratch.data();
        emulated += m_inputScratch.size();
    }
    if (launch.outputImage) {
        m_outputScratch.resize(imageBytes(*launch.outputImage));
        work.output = m_outputScratch.data();
        work.outputPitch = imagePitch(*launch.outputImage);
    }
    JETSCOPE_TRY(m_chain.run(work, stages, launch.frame));
    if (launch.outputImage) {
        JETSCOPE_TRY(writeImage(static_cast<const SoftImage &>(*launch.outputImage), m_outputScratch.data()));
        emulated += m_outputScratch.size();
    }
    return emulated;
}

void StreamWorker::destroySibling(std::uint64_t imageId)
{
    m_siblings.erase(imageId);
}

Result<StreamWorker::Sibling *> StreamWorker::sibling(const SoftImage &image)
{
    if (!m_context) {
        JETSCOPE_TRY_ASSIGN(std::unique_ptr<EglContext> context, EglContext::create(m_display));
        JETSCOPE_TRY(context->makeCurrent());
        m_context = std::move(context);
    }
    const auto found = m_siblings.find(image.id());
    if (found != m_siblings.end())
        return &found->second;
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<GlTexture> texture,
                        GlTexture::fromEglImage(image.eglImage(), image.width(), image.height()));
    return &m_siblings.emplace(image.id(), Sibling{std::move(texture), nullptr}).first->second;
}

Status StreamWorker::readImage(const SoftImage &image, std::byte *to)
{
    JETSCOPE_TRY_ASSIGN(Sibling * found, sibling(image));
    Sibling &own = *found;
    if (!own.framebuffer) {
        JETSCOPE_TRY_ASSIGN(own.framebuffer, GlFramebuffer::create(own.texture->id(), image.width(), image.height()));
    }
    return own.framebuffer->read(to, imagePitch(image));
}

Status StreamWorker::writeImage(const SoftImage &image, const std::byte *from)
{
    JETSCOPE_TRY_ASSIGN(Sibling * found, sibling(image));
    JETSCOPE_TRY(found->texture->upload(from, imagePitch(image)));
    // The work is complete when it has reached the texture, not when it is queued in this context.
    glFinish();
    return glStatus("glFinish");
}

} // namespace jetscope
