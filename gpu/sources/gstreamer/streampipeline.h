// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "core/result.h"
#include "gpu/sources/gstreamer/gstlaunch.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

typedef struct _GstSample GstSample;

namespace jetscope {

/// A picture's buffer as its element maps it, until the last holder lets go: then it is the element's again. Of
/// pictures in a Jetson's hardware memory the bytes are the description of the hardware buffer.
class MappedPicture {
public:
    virtual ~MappedPicture() = default;
    void *data() const { return m_data; }
    std::size_t bytes() const { return m_bytes; }

protected:
    MappedPicture(void *data, std::size_t bytes) : m_data(data), m_bytes(bytes) {}
    MappedPicture(const MappedPicture &) = delete;
    MappedPicture &operator=(const MappedPicture &) = delete;

private:
    void *m_data;
    std::size_t m_bytes;
};

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
    /// The buffer itself, which outlives this.
    Result<std::shared_ptr<MappedPicture>> map() const;

private:
    struct Deleter {
        void operator()(GstSample *sample) const;
    };
    std::unique_ptr<GstSample, Deleter> m_sample;
    std::int64_t m_captureNs;
};

/// What a pipeline ends in.
enum class StreamMemory {
    Cpu,      ///< Pictures in the CPU's memory.
    Hardware, ///< NV12 in a Jetson's hardware buffers ("memory:NVMM").
};

/// Whose pictures a pipeline decodes.
enum class StreamOrigin {
    User,    ///< The user wrote the pipeline: its frames may be as large as he wants them.
    Network, ///< Somebody else sends them: they are bounded.
};

/// A running GStreamer pipeline that ends in pictures. Capture thread, but for being made.
class StreamPipeline {
public:
    /// Starts what a pipeline's text describes; it must end in an open video pad. Its own clock is CLOCK_MONOTONIC.
    static Result<std::unique_ptr<StreamPipeline>>
    start(const std::string &text, StreamMemory memory = StreamMemory::Cpu, StreamOrigin origin = StreamOrigin::User);
    ~StreamPipeline();

    /// The next picture; none when the time is over. At the end of the stream and after a failure an error, whose code
    /// is kEnded for the first. Its text is GStreamer's own.
    Result<std::optional<StreamPicture>> next(std::chrono::milliseconds timeout);
    static constexpr long kEnded = kStreamEnded;

private:
    struct Deleter {
        void operator()(GstElement *element) const;
    };
    explicit StreamPipeline(GstElement *pipeline);
    Error failure() const;

    std::unique_ptr<GstElement, Deleter> m_pipeline;
    std::unique_ptr<GstElement, Deleter> m_sink;
};

} // namespace jetscope
