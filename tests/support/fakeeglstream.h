// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.h"
#include "gpu/gl/streamconsumer.h"

#include <string>
#include <vector>

namespace jetscope::testing {

/// Simulated EGLStream with GL consumer and CUDA producer. Checks the documented order: the consumer connects before
/// the producer; the producer disconnects before stream and frames are destroyed; no more frames are queued than the
/// FIFO holds; a frame belongs to the stream from its presentation until it is returned; the newest frame is never
/// returned; an acquired frame is released before the next one is acquired. Needs no GPU. One instance at a time.
class FakeEglStream {
public:
    FakeEglStream();
    ~FakeEglStream();
    FakeEglStream(const FakeEglStream &) = delete;
    FakeEglStream &operator=(const FakeEglStream &) = delete;

    const EglStreamApi &table() const;
    /// A device that is only the producer of this stream.
    std::unique_ptr<Device> device() const;

    /// Violated rules in order of occurrence, and resources that are still alive.
    std::vector<std::string> violations() const;
    bool isInStream(const Image &frame) const;

    /// The next acquires repeat an old frame although a new one is queued.
    void repeatNext(int times);
    /// The next waits for a new or returned frame time out.
    void emptyNext(int times);
    void keepBackNext(int times);
    void refuseProducer();
};

} // namespace jetscope::testing
