// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "core/settings/choices.h"
#include "gpu/device/device.h"
#include "gpu/gl/texture.h"
#include "gpu/paths/streamcounts.h"
#include "gpu/paths/transferbuffer.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace jetscope {

struct EglStreamApi;

/// The pool of output textures and one way to write the device's pixels into them; each output path is one subclass.
/// The life of a slot: `beginDevice` -> kernels -> `endDevice` -> hand-over -> `feedGl` -> GL reads the texture.
/// Pipeline thread.
class OutputPath {
public:
    static Result<std::unique_ptr<OutputPath>> create(OutputKind kind, int width, int height, std::size_t slots,
                                                      const TransferContext &context);
    /// Creates a path's textures and their framebuffers.
    static Result<std::unique_ptr<OutputPath>> complete(std::unique_ptr<OutputPath> path, std::size_t slots);
    virtual ~OutputPath();

    std::size_t slotCount() const { return m_textures.size(); }
    unsigned texture(std::size_t slot) const { return m_textures[slot]->id(); }
    /// For reading and copying the texture. Use it on the GL queue.
    const GlFramebuffer &framebuffer(std::size_t slot) const { return *m_framebuffers[slot]; }

    /// What a GL command does to the slot's texture, for the GL queue.
    GlUse glUse(std::size_t slot, Access access) const { return {texture(slot), image(slot), access}; }

    /// Points the launch at the slot's memory.
    virtual Status beginDevice(std::size_t slot, std::uint32_t frame, Stream &stream, ChainLaunch &launch) = 0;
    /// Enqueues the work that follows the kernels in the stream.
    virtual Status endDevice(std::size_t slot, std::uint32_t frame, Stream &stream)
    {
        static_cast<void>(slot);
        static_cast<void>(frame);
        static_cast<void>(stream);
        return {};
    }
    /// Whether `endDevice` only puts copies into the stream whose addresses stay with the slot.
    virtual bool isRepeatable() const { return false; }
    /// Whether a CPU thread moves the pixels to GL. If so, the device's work must be complete before `feedGl`.
    virtual bool cpuFeedsGl() const { return false; }
    /// Runs the GL commands that complete the texture, after the hand-over.
    virtual void feedGl(std::size_t slot, std::uint32_t frame)
    {
        static_cast<void>(slot);
        static_cast<void>(frame);
    }
    virtual std::uint64_t bytesCopied() const { return 0; }
    /// None if the path has no EGLStream. Any thread.
    virtual std::optional<StreamCounts> streamCounts() const { return std::nullopt; }

protected:
    OutputPath(int width, int height, const TransferContext &context)
        : m_width(width), m_height(height), m_context(context)
    {
    }
    OutputPath(const OutputPath &) = delete;
    OutputPath &operator=(const OutputPath &) = delete;

    /// The slot's texture as the device reaches it; null where it does not.
    virtual const Image *image(std::size_t slot) const
    {
        static_cast<void>(slot);
        return nullptr;
    }
    /// Makes what the device needs beside the textures, which exist by now.
    virtual Status allocate() = 0;
    Status makeTextures(std::size_t slots);

    const int m_width;
    const int m_height;
    const TransferContext m_context;
    std::vector<std::unique_ptr<GlTexture>> m_textures;

private:
    std::vector<std::unique_ptr<GlFramebuffer>> m_framebuffers;
};

// One factory per output path, each in the file named after it.
std::unique_ptr<OutputPath> newEglImageOutput(int width, int height, const TransferContext &context);
std::unique_ptr<OutputPath> newCopyBackOutput(int width, int height, const TransferContext &context);
std::unique_ptr<OutputPath> newGlInteropOutput(int width, int height, const TransferContext &context);
std::unique_ptr<OutputPath> newEglStreamOutput(int width, int height, const TransferContext &context,
                                               const EglStreamApi &api);

} // namespace jetscope
