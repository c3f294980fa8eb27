// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/sources/gstreamer/gstlaunch.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace jetscope {

/// A running GStreamer pipeline whose pictures nvvideosink presents to an EGLStream; destroying it disconnects that
/// producer. Capture thread.
class PresentingPipeline {
public:
    /// `text` ends in a pad with pictures that nvvideosink takes. Display and stream are native handles; the stream's
    /// consumer is connected.
    static Result<std::unique_ptr<PresentingPipeline>> start(const std::string &text, void *display, void *stream);
    ~PresentingPipeline();
    PresentingPipeline(const PresentingPipeline &) = delete;
    PresentingPipeline &operator=(const PresentingPipeline &) = delete;

    /// When the newest picture was taken that is on its way into the stream and was not told yet (CLOCK_MONOTONIC;
    /// negative when unknown); none when the time is over. At the end of the stream and after a failure an error.
    Result<std::optional<std::int64_t>> next(std::chrono::milliseconds timeout);

private:
    struct Passing;
    explicit PresentingPipeline(GstElement *pipeline);

    GstElement *const m_pipeline;
    const std::unique_ptr<Passing> m_passing; ///< Written by GStreamer's thread; outlives the pipeline.
};

} // namespace jetscope
