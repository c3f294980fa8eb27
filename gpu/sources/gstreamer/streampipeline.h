// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "core/result.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

typedef struct _GstElement GstElement;
typedef struct _GstSample GstSample;

namespace jetscope {

/// One picture that a GStreamer pipeline has made. Move-only; gives it back.
class StreamPicture {
public:
    StreamPicture(GstSample *sample, std::int64_t captureNs) : m_sample(sample), m_captureNs(captureNs) {}

    /// CLOCK_MONOTONIC; negative when the stream has no times.
    std::int64_t captureNs() const { return m_captureNs; }
    /// How it will lie in memory; an error when it is of no format of ours.
    Result<ImageLayout> layout() const;
    /// Frames per second that the stream names; 0 for none.
    double rate() const;
    /// Writes it in our layout of it.
    Status copyTo(const ImageLayout &layout, std::byte *into) const;

private:
    struct Deleter {
        void operator()(GstSample *sample) const;
    };
    std::unique_ptr<GstSample, Deleter> m_sample;
    std::int64_t m_captureNs;
};

/// A running GStreamer pipeline that ends in pictures in the CPU's memory. Capture thread, but for being made.
class StreamPipeline {
public:
    /// Starts what a pipeline's text describes; it must end in an open video pad. Its own clock is CLOCK_MONOTONIC.
    static Result<std::unique_ptr<StreamPipeline>> start(const std::string &text);
    ~StreamPipeline();

    /// The next picture; none when the time is over. At the end of the stream and after a failure an error, whose code is kEnded for the
    /// first. Its text is GStreamer's own.
    Result<std::optional<StreamPicture>> next(std::chrono::milliseconds patience);
    static constexpr long kEnded = -1;

private:
    struct Deleter {
        void operator()(GstElement *element) const;
    };
    explicit StreamPipeline(GstElement *pipeline);
    Error failure() const;

    std::unique_ptr<GstElement, Deleter> m_pipeline;
    std::unique_ptr<GstElement, Deleter> m_sink;
};

/// Whether GStreamer has an element of this name.
bool hasElement(const char *name);

} // namespace jetscope
