// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "core/result.h"
#include "gpu/sources/gstreamer/picturenumbers.h"
#include "gpu/sources/streamfacts.h"

#include <cstddef>
#include <cstdint>
#include <memory>

typedef struct _GstSample GstSample;

namespace jetscope {

/// The memory at the end of a pipeline.
enum class StreamMemory {
    Cpu,      ///< Pictures in CPU memory.
    Hardware, ///< NV12 in a Jetson's hardware buffers ("memory:NVMM").
};

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
    StreamPicture(GstSample *sample, std::int64_t captureNs, PictureNumbers::Arrival arrival)
        : m_sample(sample), m_captureNs(captureNs), m_arrival(arrival)
    {
    }

    /// CLOCK_MONOTONIC; negative if the stream has no time stamps.
    std::int64_t captureNs() const { return m_captureNs; }
    /// The layout that copyTo() writes; an error if the format is not supported.
    Result<ImageLayout> layout() const;
    /// The frame rate that the stream reports; 0 for none.
    double rate() const;
    /// Its number and arrival in the pipeline.
    const PictureNumbers::Arrival &arrival() const { return m_arrival; }
    /// The same for pictures of one format; only to be compared.
    const void *caps() const;
    /// What its caps say: size, rate, colour, sample aspect and field order.
    StreamFacts facts() const;
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
    PictureNumbers::Arrival m_arrival;
};

} // namespace jetscope
