// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/soft/stagedchain.h"

#include "core/settings/filters.h"
#include "gpu/filters/arithmetic.h"

#include <algorithm>

namespace jetscope {

namespace {

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
