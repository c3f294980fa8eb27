// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/eglstream/streamreader.h"

#include "gpu/cuda/check.h"
#include "gpu/cuda/cudaimage.h"
#include "gpu/cuda/cudastream.h"

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

/// How long an acquire waits for a frame that was presented but has not arrived.
constexpr unsigned kTimeoutUs = 16000;

/// More than a CUDA producer can have presented at a time (rule E2).
constexpr std::size_t kMaxPictures = 64;

class CudaFrameConsumer final : public FrameConsumer {
public:
    explicit CudaFrameConsumer(std::unique_ptr<StreamReader> reader) : m_reader(std::move(reader)) {}

    Result<std::optional<Acquired>> acquire(Stream &stream) override
    {
        return m_reader->acquire(static_cast<CudaStream &>(stream).native());
    }
    Status release(Stream &stream) override { return m_reader->release(static_cast<CudaStream &>(stream).native()); }

private:
    const std::unique_ptr<StreamReader> m_reader;
};

} // namespace

/// A frame of the stream, identified by its memory.
class StreamReader::Picture final : public CudaImage {
public:
    explicit Picture(const ImageLayout &layout) : CudaImage(layout.width, layout.height) {}

    Status use(const cudaEglFrame &frame)
    {
        m_frame = frame;
        return useFrame(frame);
    }

    bool isOf(const cudaEglFrame &other) const
    {
        return m_frame.frameType == other.frameType
            && (m_frame.frameType == cudaEglFrameTypeArray ? m_frame.frame.pArray[0] == other.frame.pArray[0]
                                                           : m_frame.frame.pPitch[0].ptr == other.frame.pPitch[0].ptr);
    }

private:
    cudaEglFrame m_frame{};
};

StreamReader::StreamReader(const EglFrameApi &api, cudaEglStreamConnection connection)
    : m_api(api), m_connection(connection)
{
}

Result<std::unique_ptr<StreamReader>> StreamReader::connect(const EglFrameApi &api, void *eglStream)
{
    cudaEglStreamConnection connection = nullptr;
    JETSCOPE_TRY(cudaStatus("cudaEGLStreamConsumerConnect", api.connect(&connection, eglStream)));
    return std::unique_ptr<StreamReader>(new StreamReader(api, connection));
}

StreamReader::~StreamReader()
{
    // These calls fail only if the context is lost; the EGLStream is then already disconnected.
    if (m_acquired)
        static_cast<void>(release(nullptr));
    m_pictures.clear();
    static_cast<void>(m_api.disconnect(&m_connection));
}

Result<std::optional<FrameConsumer::Acquired>> StreamReader::acquire(cudaStream_t stream)
{
    const cudaError_t code = m_api.acquire(&m_connection, &m_acquired, &stream, kTimeoutUs);
    // Both codes mean that the stream is empty. In this call the time-out code does not mean a lost context. Driver 580
    // of a discrete GPU returns "unknown error" and continues to work.
    if (code == cudaErrorLaunchTimeout || code == cudaErrorUnknown) {
        static_cast<void>(cudaGetLastError());
        m_acquired = nullptr;
        return std::optional<FrameConsumer::Acquired>();
    }
    if (code != cudaSuccess)
        m_acquired = nullptr;
    JETSCOPE_TRY(cudaStatus("cudaEGLStreamConsumerAcquireFrame", code));
    Result<FrameConsumer::Acquired> seen = look();
    if (seen.ok())
        return std::optional(seen.value());
    static_cast<void>(release(stream)); // The read error is the one to report.
    return seen.error();
}

Result<FrameConsumer::Acquired> StreamReader::look()
{
    cudaEglFrame frame{};
    JETSCOPE_TRY(cudaStatus("cudaGraphicsResourceGetMappedEglFrame", m_api.mappedFrame(&frame, m_acquired, 0, 0)));
    JETSCOPE_TRY_ASSIGN(const ImageLayout layout, layoutOf(frame));
    JETSCOPE_TRY(checkEglFrame(frame, layout));
    JETSCOPE_TRY_ASSIGN(Picture *const picture, pictureOf(frame, layout));
    return FrameConsumer::Acquired{picture, layout};
}

Result<StreamReader::Picture *> StreamReader::pictureOf(const cudaEglFrame &frame, const ImageLayout &layout)
{
    const auto known =
        std::find_if(m_pictures.begin(), m_pictures.end(), [&](const auto &picture) { return picture->isOf(frame); });
    if (known == m_pictures.end() && m_pictures.size() == kMaxPictures)
        return Error{"cudaEGLStreamConsumerAcquireFrame", 0, "the EGLStream has more than 64 frames"};
    std::unique_ptr<Picture> &picture =
        known != m_pictures.end() ? *known : m_pictures.emplace_back(std::make_unique<Picture>(layout));
    JETSCOPE_TRY(picture->use(frame));
    return picture.get();
}

Status StreamReader::release(cudaStream_t stream)
{
    return cudaStatus("cudaEGLStreamConsumerReleaseFrame",
                      m_api.release(&m_connection, std::exchange(m_acquired, nullptr), &stream));
}

Result<std::unique_ptr<FrameConsumer>> connectCudaConsumer(void *eglStream)
{
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<StreamReader> reader, StreamReader::connect(realEglFrameApi(), eglStream));
    return std::unique_ptr<FrameConsumer>(std::make_unique<CudaFrameConsumer>(std::move(reader)));
}

} // namespace jetscope
