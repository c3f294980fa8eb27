// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/pipeline/capturethread.h"
#include "gpu/pipeline/pipeline.h"

#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

/// Opens sources on a thread of its own, because a camera can take seconds, while the present source goes on. Of
/// several addresses only the last one is delivered. Pipeline thread.
class SourceLoader {
public:
    /// `wake` is called, on the other thread, when `take` has something.
    SourceLoader(SourceOpener open, std::function<void()> wake) : m_open(std::move(open)), m_wake(std::move(wake)) {}
    /// Waits for a source that is being opened.
    ~SourceLoader() = default;

    void load(std::string uri);
    /// What is being opened is not wanted any more.
    void forget();
    /// Whether `take` has something.
    bool isReady() const;
    struct Loaded {
        std::string uri;
        Result<std::unique_ptr<FrameSource>> source;
    };
    std::optional<Loaded> take();

private:
    void start(std::string uri);

    const SourceOpener m_open;
    const std::function<void()> m_wake;
    std::string m_uri; ///< What is being opened.
    std::optional<std::string> m_next;
    bool m_forgets = false; ///< What is being opened.
    std::future<Result<std::unique_ptr<FrameSource>>> m_opening;
};

/// The source in use with its capture thread, and what is counted over all sources of a run. Pipeline thread, unless a
/// function says otherwise.
class CurrentSource {
public:
    /// `wake` is called when a frame can be taken. The tracer outlives this.
    CurrentSource(Tracer &tracer, std::function<void()> wake) : m_tracer(tracer), m_wake(std::move(wake)) {}

    /// Replaces the source in use, which is closed here.
    void start(std::unique_ptr<FrameSource> source, std::shared_ptr<FramePool> pool, bool paused);
    /// Closes it; only `takeLost` and the functions for any thread may be called from then on.
    void stop();
    bool isStarted() const { return m_capture != nullptr; }

    CaptureThread &capture() { return *m_capture; }
    const CaptureThread &capture() const { return *m_capture; }

    /// Which frames of the sources the pipeline did not get since the last call, and why.
    std::vector<LostFrames> takeLost();
    /// A captured frame cannot be processed: its memory belongs to an earlier source.
    void noteUnusable(const CapturedFrame &captured);

    /// Any thread.
    void wantPictures(bool wanted);
    /// Any thread; null for nobody.
    void watch(std::shared_ptr<InputWatch> watch);
    /// Any thread; none while nothing is open.
    std::vector<OpenCamera> cameras() const;
    /// Any thread; null when the picture is not among the last few.
    std::shared_ptr<InputPicture> pictureOf(std::uint64_t sourceIndex) const;

private:
    void keepLost(const std::shared_ptr<CaptureThread> &closing);

    Tracer &m_tracer;
    const std::function<void()> m_wake;
    mutable std::mutex m_mutex; ///< Of the pointer as other threads read it.
    std::shared_ptr<CaptureThread> m_capture;
    bool m_picturesWanted = false;
    std::shared_ptr<InputWatch> m_watch;
    std::vector<LostFrames> m_lostBefore; ///< By sources that were exchanged, and in exchanges.
};

} // namespace jetscope
