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

/// A running GStreamer pipeline whose nvvideosink presents pictures to an EGLStream; the destructor disconnects that
/// producer. Capture thread.
class PresentingPipeline {
public:
    /// `text` ends in a pad with pictures that nvvideosink accepts. Display and stream are native handles; the stream's
    /// consumer must be connected.
    static Result<std::unique_ptr<PresentingPipeline>> start(const std::string &text, void *display, void *stream);
    ~PresentingPipeline();
    PresentingPipeline(const PresentingPipeline &) = delete;
    PresentingPipeline &operator=(const PresentingPipeline &) = delete;

    /// The capture time of the newest picture on its way into the stream that was not yet returned (CLOCK_MONOTONIC;
    /// negative if unknown); none at the time-out. An error at the end of the stream and after a failure.
    Result<std::optional<std::int64_t>> next(std::chrono::milliseconds timeout);

private:
    struct Passing;
    explicit PresentingPipeline(GstElement *pipeline);

    GstElement *const m_pipeline;
    const std::shared_ptr<Passing> m_passing; ///< Written by GStreamer's thread, which owns it, too.
};

} // namespace jetscope
