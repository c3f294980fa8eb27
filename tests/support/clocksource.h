// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/clockcamera.h"
#include "core/time/clock.h"
#include "gpu/sources/framesource.h"

#include <array>
#include <atomic>
#include <cstring>

namespace jetscope::testing {

/// A source whose frames show the clock, rendered beforehand so that reading costs a copy only.
class ClockSource final : public FrameSource {
public:
    ClockSource(int width, int height, std::uint64_t frames) : m_frames(frames)
    {
        m_info.uri = "clock:";
        m_info.description = "clock";
        m_info.layout = makeImageLayout(PixelFormat::Grey8, width, height);
        ClockCamera camera({}, width, height);
        LumaPicture picture{width, height, std::vector<std::uint8_t>(std::size_t(width) * std::size_t(height))};
        for (std::size_t i = 0; i < m_pictures.size(); ++i) {
            camera.see(static_cast<double>(timeOf(i)), picture);
            m_pictures[i].resize(m_info.layout.bytes);
            for (std::size_t y = 0; y < std::size_t(height); ++y)
                std::memcpy(m_pictures[i].data() + y * m_info.layout.planes[0].pitch,
                            picture.pixels.data() + y * std::size_t(width), std::size_t(width));
        }
    }

    /// What the clock shows in a frame, before it is rounded to an update of the screen.
    static std::int64_t timeOf(std::uint64_t index)
    {
        return 1000 + 170 * static_cast<std::int64_t>(index % kPictures);
    }

    const SourceInfo &info() const override { return m_info; }
    Result<std::optional<CapturedFrame>> read(std::byte *into) override
    {
        if (m_cancelled || m_next >= m_frames)
            return std::optional<CapturedFrame>();
        std::memcpy(into, m_pictures[m_next % kPictures].data(), m_info.layout.bytes);
        return std::optional(CapturedFrame{m_next++, nowNs()});
    }
    void cancel() override { m_cancelled = true; }

private:
    static constexpr std::size_t kPictures = 8;
    const std::uint64_t m_frames;
    SourceInfo m_info;
    std::array<std::vector<std::byte>, kPictures> m_pictures;
    std::uint64_t m_next = 0;
    std::atomic<bool> m_cancelled{false};
};

} // namespace jetscope::testing
