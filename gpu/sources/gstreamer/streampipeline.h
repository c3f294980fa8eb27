// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/sources/gstreamer/decodedlink.h"
#include "gpu/sources/gstreamer/decoderwatch.h"
#include "gpu/sources/gstreamer/gstlaunch.h"
#include "gpu/sources/gstreamer/picturenumbers.h"
#include "gpu/sources/gstreamer/streampicture.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace jetscope {

/// The origin of the pictures that a pipeline decodes.
enum class StreamOrigin {
    User,    ///< The user wrote the pipeline: the size of its frames is not limited.
    Network, ///< Another host sends them: their size is limited.
};

/// The text of a pipeline and the memory of its pictures. The text of the user ends in an unlinked video pad; that of a
/// network stream is an uridecodebin of the name "jetscopesource".
struct StreamRecipe {
    std::string text;
    StreamMemory memory = StreamMemory::Cpu;
    StreamOrigin origin = StreamOrigin::User;
    int port = 0;        ///< Of the host that it connects to; 0 if it is unknown.
    StreamLogin login{}; ///< For StreamOrigin::Network.

    bool operator==(const StreamRecipe &) const = default;
};

/// A running GStreamer pipeline that ends in pictures. Capture thread, except for its creation.
class StreamPipeline {
public:
    /// Starts the pipeline that the recipe describes. Its clock is CLOCK_MONOTONIC.
    static Result<std::unique_ptr<StreamPipeline>> start(const StreamRecipe &recipe);
    ~StreamPipeline();
    StreamPipeline(const StreamPipeline &) = delete;
    StreamPipeline &operator=(const StreamPipeline &) = delete;

    /// The next picture; none at the time-out. An error, in GStreamer's words, at the end of the stream (code kEnded)
    /// and after a failure.
    Result<std::optional<StreamPicture>> next(std::chrono::milliseconds timeout);
    static constexpr long kEnded = kStreamEnded;

    /// How many pictures have arrived, those included that were dropped because nobody took them. Any thread.
    std::uint64_t arrived() const { return m_numbers->count(); }
    /// Since its start: missed and damaged frames. Any thread.
    SourceFaults faults() const { return m_decoder->faults(); }
    /// What is known of codec, decoder and rate. Any thread.
    StreamFacts facts() const;
    /// Whether the stream says its colours. Any thread.
    bool colorIsCoded() const { return m_decoder->colorIsCoded(); }
    /// The memory of the decoder's pictures, for StreamOrigin::Network: "memory:NVMM". Any thread.
    std::string decodedMemory() const { return m_link ? m_link->memory() : std::string(); }
    /// Whether a server offers streams and none of them has pictures.
    bool hasNoPictures() const { return m_link && m_link->streamsOffered() > 0 && !m_link->picturesOffered(); }
    /// Why no picture came so far, for StreamOrigin::Network.
    Error silence() const;

private:
    StreamPipeline(GstElement *pipeline, int port);
    Error failure() const;

    GstElement *const m_pipeline;
    const int m_port;
    GstElement *const m_sink;
    std::shared_ptr<PictureNumbers> m_numbers;
    std::shared_ptr<DecoderWatch> m_decoder;
    std::shared_ptr<DecodedLink> m_link; ///< Null for pipelines of the user.
};

} // namespace jetscope
