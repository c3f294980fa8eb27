// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/sources/framesource.h"

#include <atomic>
#include <cstdint>

namespace jetscope::testing {

/// A source without cost per frame: RGBA8, memory is left unchanged.
class StillSource final : public FrameSource {
public:
    StillSource(int width, int height, std::uint64_t frames) : m_frames(frames)
    {
        m_info.uri = "still:";
        m_info.description = "untouched memory";
        m_info.layout = makeImageLayout(PixelFormat::Rgba8, width, height);
    }
    const SourceInfo &info() const override { return m_info; }
    Result<std::optional<CapturedFrame>> read(std::byte *) override
    {
        if (m_cancelled || m_next >= m_frames)
            return std::optional<CapturedFrame>();
        CapturedFrame frame;
        frame.index = m_next++;
        return std::optional<CapturedFrame>(frame);
    }
    void cancel() override { m_cancelled = true; }

private:
    SourceInfo m_info;
    const std::uint64_t m_frames;
    std::uint64_t m_next = 0;
    std::atomic<bool> m_cancelled{false};
};

} // namespace jetscope::testing
