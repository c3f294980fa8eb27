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

/// The mapped buffer of a picture. Returns to its element when the last reference is released. For pictures in a
/// Jetson's hardware memory, the bytes are the description of the hardware buffer.
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

/// One picture of a GStreamer pipeline. Move-only; the destructor releases it.
class StreamPicture {
public:
    StreamPicture(GstSample *sample, std::int64_t captureNs) : m_sample(sample), m_captureNs(captureNs) {}

    /// CLOCK_MONOTONIC; negative if the stream has no time stamps.
    std::int64_t captureNs() const { return m_captureNs; }
    /// The layout that copyTo() writes; an error if the format is not supported.
    Result<ImageLayout> layout() const;
    /// The frame rate that the stream reports; 0 for none.
    double rate() const;
    /// Writes the picture in this layout.
    Status copyTo(const ImageLayout &layout, std::byte *into) const;
    /// Maps the buffer itself, which outlives this object.
    Result<std::shared_ptr<MappedPicture>> map() const;

private:
    struct Deleter {
        void operator()(GstSample *sample) const;
    };
    std::unique_ptr<GstSample, Deleter> m_sample;
    std::int64_t m_captureNs;
};

/// The memory at the end of a pipeline.
enum class StreamMemory {
    Cpu,      ///< Pictures in CPU memory.
    Hardware, ///< NV12 in a Jetson's hardware buffers ("memory:NVMM").
};

/// The origin of the pictures that a pipeline decodes.
enum class StreamOrigin {
    User,    ///< The user wrote the pipeline: the size of its frames is not limited.
    Network, ///< Another host sends them: their size is limited.
};

/// A running GStreamer pipeline that ends in pictures. Capture thread, except for its creation.
class StreamPipeline {
public:
    /// Starts the pipeline that the text describes; it must end in an unlinked video pad. Its clock is CLOCK_MONOTONIC.
    static Result<std::unique_ptr<StreamPipeline>>
    start(const std::string &text, StreamMemory memory = StreamMemory::Cpu, StreamOrigin origin = StreamOrigin::User);
    ~StreamPipeline();

    /// The next picture; none at the time-out. An error, in GStreamer's words, at the end of the stream (code kEnded)
    /// and after a failure.
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
