// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/device/device.h"
#include "gpu/filters/filterchain.h"
#include "gpu/gl/context.h"
#include "gpu/gl/texture.h"
#include "gpu/stages/stage.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace jetscope {

/// A chain of filters on the CPU in which some are stages: those need whole pictures, so the loops stop before a stage
/// and go on behind it. Keeps its scratch pictures. One thread at a time.
class StagedChain {
public:
    /// `stages` are those of the chain, in order.
    Status run(const ChainWork &work, std::span<StageInstance *const> stages, std::uint64_t frame);

private:
    Status runStage(StageInstance &stage, ChainWork &part, std::uint64_t frame);
    StageImage readable(const ChainWork &part, PixelFormat wanted);

    ChainExecutor m_executor;
    std::vector<std::byte> m_colour; ///< Between loops and a stage.
    std::vector<std::byte> m_grey;
    std::vector<std::byte> m_made[2]; ///< By stages; one is read while the other is written.
    std::size_t m_next = 0;
};

class SoftImage;

/// The resources of a stream's thread: a GLES context, created at the first texture access, the siblings of images in
/// it, and scratch memory. Lives on that thread.
class StreamWorker {
public:
    explicit StreamWorker(std::shared_ptr<EglDisplay> display);
    ~StreamWorker();
    StreamWorker(const StreamWorker &) = delete;
    StreamWorker &operator=(const StreamWorker &) = delete;

    /// Executes a chain; reads and writes textures through their siblings. Returns the number of bytes that were copied
    /// only because a CPU cannot address a texture. `stages` are those of the chain, in order.
    Result<std::uint64_t> execute(const ChainLaunch &work, std::span<StageInstance *const> stages);

    /// Call before the image is destroyed.
    void destroySibling(std::uint64_t imageId);

private:
    struct Sibling {
        std::unique_ptr<GlTexture> texture;
        std::unique_ptr<GlFramebuffer> framebuffer; ///< Created at the first read of the image.
    };
    Result<Sibling *> sibling(const SoftImage &image);
    Status readImage(const SoftImage &image, std::byte *to);
    Status writeImage(const SoftImage &image, const std::byte *from);

    std::shared_ptr<EglDisplay> m_display;
    std::unique_ptr<EglContext> m_context;
    std::map<std::uint64_t, Sibling> m_siblings;
    StagedChain m_chain;
    std::vector<std::byte> m_inputScratch;
    std::vector<std::byte> m_outputScratch;
};

} // namespace jetscope
