// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/cuda/eglstream/eglframe.h"
#include "gpu/device/device.h"
#include "gpu/gl/streamconsumer.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace jetscope::testing {

/// A fake of CUDA's reading of frames from other producers. It enforces the documented order. For a stream: the
/// consumer connects before the producer, and disconnects after it but before the stream is destroyed; one frame is
/// acquired at a time, read only while acquired, and released before the consumer disconnects; the stream owns a frame
/// from present to take back. For an EGLImage: it exists when it is registered, with flags 0 and once at a time, and
/// outlives the registration. Needs no GPU. One user at a time.
class FakeEglFrames {
public:
    FakeEglFrames();
    ~FakeEglFrames();
    FakeEglFrames(const FakeEglFrames &) = delete;
    FakeEglFrames &operator=(const FakeEglFrames &) = delete;

    const EglFrameApi &table() const;
    const EglStreamApi &streamTable() const;
    /// Connects the producer of the stream.
    Result<std::unique_ptr<FrameProducer>> connectProducer(void *stream);

    /// The broken rules in order of occurrence, and the objects that still exist.
    std::vector<std::string> violations() const;
    bool isInStream(const Image &frame) const;
    std::size_t registrations() const; ///< Since the start.

    /// Sets every frame from now on.
    void setFrame(const cudaEglFrame &frame);
    /// A pitch-linear frame whose planes point to unallocated memory.
    static cudaEglFrame frameOf(cudaEglColorFormat format, unsigned width, unsigned height);
    /// Sets which EGLImages exist; by default all do.
    void setImages(std::function<bool(void *)> lives);

    void repeatNext(int times); ///< The next acquires return the previous frame although a new one is on its way.
    /// The next acquires end without a frame and return this code.
    void emptyNext(int times, cudaError_t answer = cudaErrorLaunchTimeout);
    void refuseConsumer();
    void refuseFrames(); ///< Queries of a frame fail.
};

} // namespace jetscope::testing
