// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/cameraskew.h"
#include "core/lab/stampdoctor.h"
#include "gpu/sources/framesource.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace jetscope {

class Tracer;

/// Reads a source on a thread of its own, and notes when its frames were taken and came. Their pictures are not kept.
class SourceWatch {
public:
    /// `lane`: its name in the trace. The tracer outlives this. It ends after so many frames.
    SourceWatch(std::unique_ptr<FrameSource> source, std::string lane, std::size_t mostFrames, Tracer &tracer);
    /// Waits for the thread; a source that hangs is left after it was cancelled.
    ~SourceWatch();

    const SourceInfo &info() const { return m_source->info(); }
    SourceState state() const { return m_source->state(); }
    void cancel();

    std::size_t count() const { return m_count; }
    bool ended() const { return m_ended; }
    /// Since the start; a copy.
    std::vector<CameraFrame> frames() const;
    std::vector<StampedFrame> stamps() const;
    std::vector<LostFrames> lost() const;
    std::optional<Error> error() const;

private:
    void work(Tracer &tracer, const std::string &lane);
    void note(CapturedFrame captured);

    const std::unique_ptr<FrameSource> m_source;
    const std::size_t m_mostFrames;
    mutable std::mutex m_mutex;
    std::vector<CameraFrame> m_frames;
    std::vector<StampedFrame> m_stamps;
    std::vector<LostFrames> m_lost;
    std::optional<Error> m_error;
    std::atomic<std::size_t> m_count{0};
    std::atomic<bool> m_ended{false};
    std::thread m_thread;
};

} // namespace jetscope
