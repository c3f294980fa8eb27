// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/sources/framesource.h"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

namespace jetscope {

/// Frames on their way from the thread of a camera to a reader that comes and goes. Of a live camera the oldest frame
/// makes room for a newer one, and is told as lost; another one waits for the reader. Any thread.
class FrameTap {
public:
    /// Enough for the time in which a pipeline builds what it needs for another camera.
    static constexpr std::size_t kDepth = 4;

    explicit FrameTap(const SourceInfo &camera) : m_live(camera.live), m_bytes(camera.layout.bytes) {}

    /// The camera's thread: gives a picture away and gets memory for the next one.
    void push(CapturedFrame captured, std::vector<std::byte> &picture);
    /// The camera gives no more frames; after an error, the reader gets that.
    void end(std::optional<Error> error);

    /// As FrameSource::read and cancel.
    Result<std::optional<CapturedFrame>> read(std::byte *into);
    void cancel();

private:
    struct Frame {
        CapturedFrame captured;
        std::vector<std::byte> picture;
    };
    void dropOldest();
    std::optional<Frame> next();

    const bool m_live;
    const std::size_t m_bytes;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<Frame> m_frames;
    std::vector<std::vector<std::byte>> m_spare;
    std::vector<LostFrames> m_lost; ///< Before the next frame that is pushed.
    std::vector<SourceGap> m_gaps;
    std::int64_t m_readNs = 0; ///< When the reader last took a frame, or began.
    std::optional<Error> m_error;
    bool m_ended = false;
    bool m_cancelled = false;
};

} // namespace jetscope
