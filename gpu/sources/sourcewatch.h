// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/cameralog.h"
#include "gpu/sources/framesource.h"
#include "gpu/sources/frametap.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace jetscope {

class Tracer;

/// Reads a source on a thread of its own, and notes when its frames were taken and came. Their pictures go to a tap
/// while there is one.
class SourceWatch {
public:
    /// What it is beside: nothing, or a pipeline, whose figures then leave its lane out.
    enum class Beside : std::uint8_t { Nothing, Pipeline };

    /// `lane`: its name in the trace. It begins with `start`, and ends after so many frames.
    SourceWatch(std::unique_ptr<FrameSource> source, std::string lane, std::optional<std::size_t> mostFrames = {},
                Beside beside = Beside::Nothing);
    /// Waits for the thread; a source that hangs is left after it was cancelled.
    ~SourceWatch();

    /// Once. The tracer outlives this.
    void start(Tracer &tracer);
    void cancel();

    const SourceInfo &info() const { return m_source->info(); }
    SourceState state() const { return m_source->state(); }
    std::size_t count() const { return m_log->count(); }
    bool ended() const { return m_ended; }
    const std::shared_ptr<CameraLog> &log() const { return m_log; }
    /// Why it ended or what keeps its frames away; empty if nothing does. Any thread, as all below.
    std::string trouble() const;

    /// From the next frame on, pictures go to this tap, and no longer to the one before, which is cancelled.
    void setTap(std::shared_ptr<FrameTap> tap);
    /// Nothing if the pictures go to another one by now.
    void removeTap(const FrameTap *tap);

private:
    void work(Tracer &tracer);
    std::shared_ptr<FrameTap> tap() const;
    void end(std::optional<Error> error);

    const std::unique_ptr<FrameSource> m_source;
    const std::string m_lane;
    const std::optional<std::size_t> m_mostFrames;
    const Beside m_beside;
    const std::shared_ptr<CameraLog> m_log;
    mutable std::mutex m_mutex;
    std::shared_ptr<FrameTap> m_tap;
    std::optional<Error> m_error;
    std::atomic<bool> m_ended{false};
    std::thread m_thread;
};

} // namespace jetscope
