// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/gpu/vpireferences.h"
#include "tests/support/fakeeglimage.h"

#include <QtGlobal>

#include <array>
#include <cstdint>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

namespace jetscope::testing {

/// A buffer of a made-up Jetson, which the made-up VPI finds by its descriptor and takes for an EGLImage.
class JetsonBuffer {
public:
    explicit JetsonBuffer(FakeEglImage::Format format, int width = kWidth, int height = kHeight)
        : m_descriptor(memfd_create("jetsonbuffer", MFD_CLOEXEC))
    {
        fake.format = format;
        fake.width = static_cast<unsigned>(width);
        fake.height = static_cast<unsigned>(height);
        fake.pitch = fake.width * (isRgba() ? 4U : 1U) + 24U;
        m_pixels.resize(std::size_t{fake.pitch} * fake.height * 3 / 2 + fake.pitch);
        fake.pixels = m_pixels.data();
        const FakeEglImage *const address = &fake;
        if (m_descriptor < 0 || pwrite(m_descriptor, &address, sizeof address, 0) != sizeof address)
            qFatal("no memory for a made-up buffer");
    }
    ~JetsonBuffer() { close(m_descriptor); }
    JetsonBuffer(const JetsonBuffer &) = delete;
    JetsonBuffer &operator=(const JetsonBuffer &) = delete;

    int descriptor() const { return m_descriptor; }
    bool isRgba() const { return fake.format == FakeEglImage::Format::Rgba; }

    /// What a camera writes for a frame.
    void fill(std::uint32_t seed)
    {
        for (unsigned char &each : m_pixels)
            each = static_cast<unsigned char>((seed = seed * 1664525 + 1013904223) >> 24);
    }

    /// The picture as the made-up VPI converts it, computed plainly.
    Padded rgba() const
    {
        Padded picture(PixelFormat::Rgba8, 0);
        for (int y = 0; y < kHeight; ++y)
            for (int x = 0; x < kWidth; ++x)
                for (std::size_t channel = 0; channel < 4; ++channel)
                    picture.set(x, y, channel,
                                isRgba() ? byte(y, 4 * x + static_cast<int>(channel)) : colour(x, y)[channel]);
        return picture;
    }
    /// Luma from 0 to 255.
    int luma(int x, int y) const
    {
        return isFull() ? byte(y, x) : std::clamp((298 * (byte(y, x) - 16) + 128) / 256, 0, 255);
    }

    FakeEglImage fake;

private:
    bool isFull() const { return fake.format == FakeEglImage::Format::Nv12FullRange; }
    int byte(int line, int column) const
    {
        return m_pixels[static_cast<std::size_t>(line) * fake.pitch + static_cast<std::size_t>(column)];
    }
    std::array<int, 4> colour(int x, int y) const
    {
        const int u = byte(kHeight + y / 2, x - x % 2) - 128;
        const int v = byte(kHeight + y / 2, x - x % 2 + 1) - 128;
        const int grey = isFull() ? 256 * byte(y, x) : 298 * (byte(y, x) - 16);
        const std::array<int, 3> sums = isFull() ? std::array{grey + 359 * v, grey - 88 * u - 183 * v, grey + 454 * u}
                                                 : std::array{grey + 409 * v, grey - 100 * u - 208 * v, grey + 516 * u};
        std::array<int, 4> channels{0, 0, 0, 255};
        for (std::size_t i = 0; i < sums.size(); ++i)
            channels[i] = std::clamp((sums[i] + 128) / 256, 0, 255);
        return channels;
    }

    const int m_descriptor;
    std::vector<unsigned char> m_pixels;
};

} // namespace jetscope::testing
