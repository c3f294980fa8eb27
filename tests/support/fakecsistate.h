// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/sources/nvbuf/nvbufsurface.h"

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

// State shared by the parts of FakeCsiCamera.
namespace jetscope::testing::csi {

struct FakeBuffer {
    nvbuf::Surface surface{};
    nvbuf::SurfaceParams params{};
    std::uint64_t number = 0;
    bool out = false; ///< The application holds it.
    bool alive = true;
    bool orphan = false; ///< Its pool was freed; the buffer is freed when the application returns it.
    bool registered = false;
    char image = 0; ///< Its address serves as the EGLImage.
};

struct State {
    mutable std::mutex mutex;
    std::condition_variable returned;
    std::vector<std::unique_ptr<FakeBuffer>> buffers; ///< Buffers of all pools, kept to detect use after free.
    std::vector<std::string> violations;
    std::uint64_t nextNumber = 0;
    std::uint32_t colourFormat = nvbuf::kNv12;
    bool blockLinear = false;
    std::string spoilt;
    bool refusesImages = false;
    bool lost = false;
    bool flushing = false;
    bool running = false;
    std::size_t registrations = 0;
    std::size_t maps = 0;
    int started = 0;
    void *display = nullptr; ///< Display of the stream that the sink presents to.
    void *stream = nullptr;  ///< Null if the sink presents to no stream.
    int presented = 0;

    void expect(bool holds, const char *rule)
    {
        if (!holds)
            violations.emplace_back(rule);
    }
    FakeBuffer *ofExternalBuffer(const nvbuf::Surface *surface)
    {
        const auto found = std::find_if(buffers.begin(), buffers.end(),
                                        [&](const auto &buffer) { return &buffer->surface == surface; });
        return found == buffers.end() ? nullptr : found->get();
    }
    FakeBuffer *ofImage(const void *image)
    {
        const auto found =
            std::find_if(buffers.begin(), buffers.end(), [&](const auto &buffer) { return &buffer->image == image; });
        return found == buffers.end() ? nullptr : found->get();
    }
    /// Marks the buffer and its contents as freed.
    void free(FakeBuffer &buffer)
    {
        expect(!buffer.registered, "an image is unregistered before its buffer goes");
        expect(buffer.params.eglImage == nullptr, "an image is destroyed before its buffer goes");
        buffer.alive = false;
    }
};

extern State *g_state; // Global, because GStreamer elements and table functions get no context pointer.

using Lock = std::unique_lock<std::mutex>;

/// A byte of the picture with this number, as the sensor produced it.
inline std::byte pixel(std::uint64_t number, std::size_t plane, std::size_t row, std::size_t byte)
{
    return static_cast<std::byte>(number * 37 + plane * 101 + row * 5 + byte * 3);
}

/// Registers the elements with GStreamer, once per process.
void registerElements();

} // namespace jetscope::testing::csi
