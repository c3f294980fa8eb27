// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/soft/streamworker.h"

#include "core/settings/filters.h"
#include "gpu/filters/arithmetic.h"
#include "gpu/gl/api.h"
#include "gpu/soft/softimage.h"

#include <algorithm>

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

void makeGrey(const std::byte *rgba, std::size_t rgbaPitch, std::byte *grey, const ImageLayout &layout)
{
    for (int y = 0; y < layout.height; ++y) {
        const auto row = static_cast<std::size_t>(y);
        const auto *from = reinterpret_cast<const std::uint8_t *>(rgba + row * rgbaPitch);
        std::byte *to = grey + row * layout.planes[0].pitch;
        for (int x = 0; x < layout.width; ++x)
            to[x] = static_cast<std::byte>(arithmetic::luma(from[4 * x], from[4 * x + 1], from[4 * x + 2]));
    }
}

const std::byte *pixelsOf(const ChainWork &part)
{
    return part.input + part.inputLayout.planes[0].offset;
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

/// The picture that a stage reads: the frame itself, or what the filters before the stage make of it.
StageImage StagedChain::readable(const ChainWork &part, PixelFormat wanted)
{
    const int width = part.inputLayout.width;
    const int height = part.inputLayout.height;
    const auto imageAt = [&](const std::byte *pixels, std::size_t pitch) {
        return StageImage{wanted, width, height, const_cast<std::byte *>(pixels), pitch};
    };
    if (part.filters.empty() && part.inputLayout.format == wanted)
        return imageAt(pixelsOf(part), part.inputLayout.planes[0].pitch);
    const ImageLayout colour = makeImageLayout(PixelFormat::Rgba8, width, height);
    m_colour.resize(colour.bytes);
    ChainWork loops = part;
    loops.output = m_colour.data();
    loops.outputPitch = colour.planes[0].pitch;
    loops.result = nullptr;
    m_executor.run(loops);
    if (wanted == PixelFormat::Rgba8)
        return imageAt(m_colour.data(), colour.planes[0].pitch);
    const ImageLayout grey = makeImageLayout(PixelFormat::Grey8, width, height);
    m_grey.resize(grey.bytes);
    makeGrey(m_colour.data(), colour.planes[0].pitch, m_grey.data(), grey);
    return imageAt(m_grey.data(), grey.planes[0].pitch);
}

/// Afterwards the output of the stage is the input of what is left.
Status StagedChain::runStage(StageInstance &stage, ChainWork &part, std::uint64_t frame)
{
    const ImageLayout layout = makeImageLayout(stage.makes(), part.inputLayout.width, part.inputLayout.height);
    std::vector<std::byte> &made = m_made[m_next];
    m_next ^= 1;
    made.resize(layout.bytes);
    StageFrame given;
    given.number = frame;
    given.input = readable(part, stage.reads());
    given.output = {layout.format, layout.width, layout.height, made.data(), layout.planes[0].pitch};
    JETSCOPE_TRY(stage.run(given));
    part.input = made.data();
    part.inputLayout = layout;
    return {};
}

Status StagedChain::run(const ChainWork &work, std::span<StageInstance *const> stages, std::uint64_t frame)
{
    ChainWork part = work;
    std::span<const Filter> left = work.filters;
    for (StageInstance *const stage : stages) {
        const auto at = static_cast<std::size_t>(std::find_if(left.begin(), left.end(), isStage) - left.begin());
        part.filters = left.first(at);
        JETSCOPE_TRY(runStage(*stage, part, frame));
        left = left.subspan(at + 1);
    }
    part.filters = left;
    m_executor.run(part);
    return {};
}

} // namespace jetscope
