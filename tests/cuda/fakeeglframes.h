// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/cuda/eglstream/eglframeapi.h"
#include "gpu/device/device.h"
#include "gpu/gl/streamapi.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace jetscope::testing {

/// Stands in for CUDA's reading of pictures that others made, and holds the caller to the documented order. Of a
/// stream: the consumer connects before the producer and goes after it, but before the stream; one frame is acquired at
/// a time, read while it is, and released before the consumer disconnects; a frame belongs to the stream from its
/// presentation until it is taken back. Of an EGLImage: it lives when it is registered, with flags 0 and once at a
/// time, and outlives the registration. No GPU is needed. One user at a time.
class FakeEglFrames {
public:
    FakeEglFrames();
    ~FakeEglFrames();
    FakeEglFrames(const FakeEglFrames &) = delete;
    FakeEglFrames &operator=(const FakeEglFrames &) = delete;

    const EglFrameApi &table() const;
    const EglStreamApi &streamTable() const;
    /// The producing end of the stream.
    Result<std::unique_ptr<FrameProducer>> connectProducer(void *stream);

    /// Broken rules in order of occurrence; also what still lives.
    std::vector<std::string> violations() const;
    bool isInStream(const Image &frame) const;
    std::size_t registrations() const; ///< Since the start.

    /// Every frame from now on.
    void setFrame(const cudaEglFrame &frame);
    /// A frame in rows, with planes that lie in memory of nobody.
    static cudaEglFrame frameOf(cudaEglColorFormat format, unsigned width, unsigned height);
    /// Which EGLImages live; without it, all.
    void setImages(std::function<bool(void *)> lives);

    void repeatNext(int times); ///< So many acquisitions give the former frame although a new one is on its way.
    /// So many end without, with this answer.
    void emptyNext(int times, cudaError_t answer = cudaErrorLaunchTimeout);
    void refuseConsumer();
    void refuseFrames(); ///< Nothing can be asked of a frame.
};

} // namespace jetscope::testing
