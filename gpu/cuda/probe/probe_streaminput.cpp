// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Tests whether frames pass through an EGLStream from CUDA to CUDA: sends a few small ones, reads them at the other end
// and compares them.
#include "gpu/cuda/check.h"
#include "gpu/cuda/cudaimage.h"
#include "gpu/cuda/cudamemory.h"
#include "gpu/cuda/cudastream.h"
#include "gpu/cuda/eglstream/frameproducer.h"
#include "gpu/cuda/eglstream/streamreader.h"
#include "gpu/cuda/kernels/passes.h"
#include "gpu/cuda/probe/probe.h"
#include "gpu/gl/streamconsumer.h"

#include <cstring>
#include <vector>

namespace jetscope {

namespace {

constexpr int kInputSide = 32;
constexpr std::size_t kInputPitch = std::size_t{4} * kInputSide;
constexpr int kInputFrames = 3;

/// An EGLStream for the duration of the probe.
class ProbeStream {
public:
    explicit ProbeStream(const std::shared_ptr<EglDisplay> &display) : m_display(display)
    {
        const EGLint attributes[] = {EGL_STREAM_FIFO_LENGTH_KHR, kInputFrames, EGL_NONE};
        if (realEglStreamApi().create && realEglStreamApi().destroy)
            m_stream = realEglStreamApi().create(display->native(), attributes);
    }
    ~ProbeStream()
    {
        if (m_stream != EGL_NO_STREAM_KHR)
            realEglStreamApi().destroy(m_display->native(), m_stream);
    }
    ProbeStream(const ProbeStream &) = delete;
    ProbeStream &operator=(const ProbeStream &) = delete;

    EGLStreamKHR native() const { return m_stream; }

private:
    const std::shared_ptr<EglDisplay> m_display;
    EGLStreamKHR m_stream = EGL_NO_STREAM_KHR;
};

class InputTrial {
public:
    Status run(EGLStreamKHR eglStream, CudaStream &stream, FrameMemory memory)
    {
        JETSCOPE_TRY(prepare(eglStream, memory));
        for (int number = 0; number < kInputFrames; ++number) {
            std::memset(m_sent->host(), 60 * number + 5, m_sent->bytes());
            for (std::size_t i = 0; i < m_sent->bytes(); i += 3)
                m_sent->host()[i] = static_cast<std::byte>(i * 7 + i / kInputPitch);
            JETSCOPE_TRY(present(stream));
            JETSCOPE_TRY(look(stream));
        }
        return {};
    }

private:
    Status prepare(EGLStreamKHR eglStream, FrameMemory memory)
    {
        JETSCOPE_TRY_ASSIGN(m_reader, StreamReader::connect(realEglFrameApi(), eglStream));
        JETSCOPE_TRY_ASSIGN(m_producer, connectCudaProducer(eglStream, kInputSide, kInputSide, memory));
        for (std::unique_ptr<Buffer> *buffer : {&m_sent, &m_seen}) {
            JETSCOPE_TRY_ASSIGN(std::unique_ptr<Buffer> made,
                                CudaBuffer::allocate(Allocation::Managed, kInputPitch * kInputSide));
            *buffer = std::move(made);
        }
        return {};
    }

    Status copy(const PixelMemory &from, const PixelMemory &to, CudaStream &stream)
    {
        PassInput input;
        input.width = input.height = kInputSide;
        input.pixels = from;
        PassOutput output;
        output.rgba = to;
        CUDA_TRY(launchPass(PassKind::Convert, input, output, stream.native()));
        return {};
    }

    static PixelMemory rowsOf(const Buffer &buffer)
    {
        PixelMemory rows;
        rows.base = reinterpret_cast<std::uint8_t *>(buffer.device());
        rows.pitch = kInputPitch;
        return rows;
    }

    Status present(CudaStream &stream)
    {
        JETSCOPE_TRY_ASSIGN(std::unique_ptr<Image> frame, m_producer->makeFrame());
        m_frames.push_back(std::move(frame));
        JETSCOPE_TRY(copy(rowsOf(*m_sent), static_cast<CudaImage &>(*m_frames.back()).memory(), stream));
        return m_producer->present(*m_frames.back(), stream);
    }

    Status look(CudaStream &stream)
    {
        JETSCOPE_TRY_ASSIGN(const std::optional<FrameConsumer::Acquired> acquired, m_reader->acquire(stream.native()));
        if (!acquired)
            return Error{"cudaEGLStreamConsumerAcquireFrame", 0, "the frame that was presented did not arrive"};
        const CudaImage &image = static_cast<CudaImage &>(*acquired->image);
        const Status copied = copy(image.memory(), rowsOf(*m_seen), stream);
        JETSCOPE_TRY(m_reader->release(stream.native()));
        JETSCOPE_TRY(copied);
        CUDA_TRY(cudaStreamSynchronize(stream.native()));
        if (std::memcmp(m_sent->host(), m_seen->host(), m_sent->bytes()) != 0)
            return Error{"cudaEGLStreamConsumerAcquireFrame", 0,
                         "the consumer sees other pixels than the producer presented"};
        return {};
    }

    std::unique_ptr<Buffer> m_sent;
    std::unique_ptr<Buffer> m_seen;
    std::unique_ptr<StreamReader> m_reader;
    std::vector<std::unique_ptr<Image>> m_frames;
    std::unique_ptr<CudaProducer> m_producer; ///< Goes before its frames, and they before the consumer.
};

} // namespace

Status tryEglStreamInput(const std::shared_ptr<EglDisplay> &display, Stream &stream, FrameMemory memory)
{
    const ProbeStream eglStream(display);
    if (eglStream.native() == EGL_NO_STREAM_KHR)
        return Error{"eglCreateStreamKHR", 0, "this EGL has no EGLStreams (EGL_KHR_stream)"};
    return InputTrial().run(eglStream.native(), static_cast<CudaStream &>(stream), memory);
}

} // namespace jetscope
