// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.h"
#include "gpu/gl/streamapi.h"

#include <string>
#include <vector>

namespace jetscope::testing {

/// Stands in for an EGLStream, its GL consumer and its CUDA producer, and holds the caller to the documented order: the
/// consumer connects before the producer, who disconnects before stream and frames go; no more frames wait than the
/// FIFO holds; a frame belongs to the stream from its presentation until it is taken back; the newest is never given
/// back; what is acquired is released before the next. No GPU is needed. One user at a time.
class FakeEglStream {
public:
    FakeEglStream();
    ~FakeEglStream();
    FakeEglStream(const FakeEglStream &) = delete;
    FakeEglStream &operator=(const FakeEglStream &) = delete;

    const EglStreamApi &table() const;
    /// A device that has nothing but this stream's producing end.
    std::unique_ptr<Device> device() const;

    /// Broken rules in order of occurrence; also what still lives.
    std::vector<std::string> violations() const;
    bool isInStream(const Image &frame) const;

    /// The stream shows an old frame so many times although a new one is on its way.
    void repeatNext(int times);
    /// So many waits for a new frame, or for one to come back, end without.
    void emptyNext(int times);
    void keepBackNext(int times);
    void refuseProducer();
};

} // namespace jetscope::testing
