// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/cuda/eglstream/eglframe.h"
#include "gpu/device/device.h"

#include <memory>
#include <optional>
#include <vector>

namespace jetscope {

/// CUDA as the consumer of an EGLStream. One frame at a time is acquired, read and released; it must not be read after
/// the release.
class StreamReader {
public:
    /// The stream's producer connects later.
    static Result<std::unique_ptr<StreamReader>> connect(const EglFrameApi &api, void *eglStream);
    /// Releases the acquired frame, then disconnects.
    ~StreamReader();
    StreamReader(const StreamReader &) = delete;
    StreamReader &operator=(const StreamReader &) = delete;

    Result<std::optional<FrameConsumer::Acquired>> acquire(cudaStream_t stream);
    Status release(cudaStream_t stream);

private:
    class Picture;
    StreamReader(const EglFrameApi &api, cudaEglStreamConnection connection);
    Result<FrameConsumer::Acquired> look();
    Result<Picture *> pictureOf(const cudaEglFrame &frame, const ImageLayout &layout);

    const EglFrameApi &m_api;
    cudaEglStreamConnection m_connection;
    cudaGraphicsResource_t m_acquired = nullptr;
    std::vector<std::unique_ptr<Picture>>
        m_pictures; ///< The stream's frames, which are reused and keep their memory while the producer is connected.
};

/// cudaEGLStreamConsumerConnect. The stream must not have a producer yet.
Result<std::unique_ptr<FrameConsumer>> connectCudaConsumer(void *eglStream);

} // namespace jetscope
