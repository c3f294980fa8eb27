// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/base/livecount.h"
#include "gpu/gl/api.h"
#include "gpu/gl/display.h"

#include <cstdint>
#include <memory>

namespace jetscope {

/// How many times a stream is polled for a frame before it counts as broken. The driver waits during each try.
inline constexpr int kMaxStreamTries = 64;

/// The calls on EGLStreams and on the GL texture that consumes one. Their rules concern the order of calls, so the
/// calls go through this table and tests can substitute a fake that enforces the order. Entries are null if the driver
/// lacks them.
struct EglStreamApi {
    PFNEGLCREATESTREAMKHRPROC create = nullptr;
    PFNEGLDESTROYSTREAMKHRPROC destroy = nullptr;
    PFNEGLSTREAMCONSUMERGLTEXTUREEXTERNALKHRPROC connectTexture = nullptr;
    PFNEGLSTREAMCONSUMERACQUIREKHRPROC acquire = nullptr;
    PFNEGLSTREAMCONSUMERRELEASEKHRPROC release = nullptr;
    PFNEGLQUERYSTREAMKHRPROC query = nullptr;
    PFNEGLQUERYSTREAMU64KHRPROC queryCounter = nullptr;

    bool complete() const { return create && destroy && connectTexture && acquire && release && query && queryCounter; }
};

/// The driver's own functions, looked up once per process.
const EglStreamApi &realEglStreamApi();

/// An EGLStream in FIFO mode and its consumer, a GL texture that shows one frame after another. A producer connects
/// after this object is created and disconnects before it is destroyed. All calls with the same context current.
class EglStreamConsumer {
public:
    /// `length` frames may queue in the stream before a producer has to wait.
    static Result<std::unique_ptr<EglStreamConsumer>> create(std::shared_ptr<EglDisplay> display, int length,
                                                             const EglStreamApi &api);
    ~EglStreamConsumer();
    EglStreamConsumer(const EglStreamConsumer &) = delete;
    EglStreamConsumer &operator=(const EglStreamConsumer &) = delete;

    void *native() const { return m_stream; }
    unsigned texture() const { return m_texture; } ///< A GL_TEXTURE_EXTERNAL_OES.

    enum class Acquired {
        NewFrame,
        Repeat,   ///< The stream had no newer frame and returned the last one again.
        TimedOut, ///< The stream is empty.
    };
    std::uint64_t latest() const { return m_lastFrame; } ///< The number of the last acquired frame; 0 for none.
    /// Binds the next frame to the texture until `release`.
    Result<Acquired> acquire();
    /// Call after the last GL command that samples the frame.
    Status release();

private:
    EglStreamConsumer(std::shared_ptr<EglDisplay> display, const EglStreamApi &api, EGLStreamKHR stream);
    bool isEmpty() const;

    const std::shared_ptr<EglDisplay> m_display;
    const EglStreamApi &m_api;
    const EGLStreamKHR m_stream;
    unsigned m_texture = 0;
    EGLuint64KHR m_lastFrame = 0; ///< The stream numbers its frames from 1.
    CountedHandle m_counted;
};

} // namespace jetscope
