// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.h"
#include "gpu/gl/streamconsumer.h"
#include "gpu/gl/texture.h"

#include <cstdint>
#include <deque>
#include <memory>

namespace jetscope::testing {

/// A picture in memory of the device, in rows as makeImageLayout has them.
class MemoryImage final : public Image {
public:
    MemoryImage(std::unique_ptr<Buffer> memory, int width, int height)
        : Image(width, height), m_memory(std::move(memory))
    {
    }
    Buffer &memory() const { return *m_memory; }
    ImageLayout layout() const { return makeImageLayout(PixelFormat::Rgba8, width(), height()); }

private:
    const std::unique_ptr<Buffer> m_memory;
};

/// The one EGLStream of a fake board.
struct FakeBoardStream {
    std::shared_ptr<EglDisplay> display;
    /// The consumer gets the frame before the newest one, under the newest one's number.
    bool repeatsForGl = false;
    bool repeatsForDevice = false;
    std::deque<MemoryImage *> waiting;
    std::deque<MemoryImage *> consumed; ///< Oldest first.
    MemoryImage *before = nullptr;
    std::uint64_t shown = 0;
    // Of a GL texture that consumes it.
    int externalTexture = 0;
    std::unique_ptr<GlTexture> texture;
    std::unique_ptr<EglImage> eglImage;

    /// Null if there is no new one.
    MemoryImage *next(bool repeats);
};
FakeBoardStream &fakeBoardStream();

} // namespace jetscope::testing
