// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.h"
#include "gpu/gl/display.h"
#include "gpu/gl/streamconsumer.h"
#include "gpu/paths/streamcounts.h"

#include <atomic>
#include <cstdint>
#include <memory>

namespace jetscope {

/// An EGLStream in FIFO mode whose consumer is the device. A producer connects after this object is created and
/// disconnects before it is destroyed. Pipeline thread.
class StreamInput {
public:
    /// `length` frames may queue in the stream before the producer has to wait; with 0 no frames queue and each frame
    /// replaces the one before.
    static Result<std::unique_ptr<StreamInput>> create(Device &device, std::shared_ptr<EglDisplay> display, int length,
                                                       const EglStreamApi &api);
    ~StreamInput();
    StreamInput(const StreamInput &) = delete;
    StreamInput &operator=(const StreamInput &) = delete;

    void *display() const { return m_display->native(); }
    void *native() const { return m_stream; }

    /// Acquires the frame with this number, counted from 1, which was presented or soon will be. Waits for it and
    /// releases older frames that were not acquired.
    Result<FrameConsumer::Acquired> acquire(std::uint64_t number, Stream &stream);
    Status release(Stream &stream) { return m_device.release(*m_consumer, stream); }

    std::uint64_t latest() const { return m_latest; } ///< The number of the last acquired frame; 0 for none.

    /// Any thread.
    StreamCounts counts() const { return {m_returned.load(), m_timeouts.load(), m_repeats.load()}; }

private:
    StreamInput(Device &device, std::shared_ptr<EglDisplay> display, const EglStreamApi &api, EGLStreamKHR stream);

    Device &m_device;
    const std::shared_ptr<EglDisplay> m_display;
    const EglStreamApi &m_api;
    const EGLStreamKHR m_stream;
    std::unique_ptr<FrameConsumer> m_consumer;
    std::uint64_t m_latest = 0;
    std::atomic<std::uint64_t> m_returned{0};
    std::atomic<std::uint64_t> m_timeouts{0};
    std::atomic<std::uint64_t> m_repeats{0};
    CountedHandle m_counted;
};

} // namespace jetscope
