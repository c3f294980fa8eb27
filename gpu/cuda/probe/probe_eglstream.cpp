// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Tests whether frames pass through an EGLStream: sends a few small ones, checks them at the consumer and takes them
// back.
#include "gpu/cuda/check.h"
#include "gpu/cuda/cudaimage.h"
#include "gpu/cuda/cudamemory.h"
#include "gpu/cuda/cudastream.h"
#include "gpu/cuda/eglstream/frameproducer.h"
#include "gpu/cuda/kernels/passes.h"
#include "gpu/cuda/probe/probe.h"
#include "gpu/gl/externaldraw.h"
#include "gpu/gl/streamconsumer.h"
#include "gpu/gl/texture.h"

#include <cstring>
#include <vector>

namespace jetscope {

namespace {

constexpr int kSide = 32;
constexpr std::size_t kPitch = std::size_t{4} * kSide;
constexpr int kFrames = 3;
constexpr int kMaxProbeTries = 16;

class StreamTrial {
public:
    Status run(const std::shared_ptr<EglDisplay> &display, CudaStream &stream, FrameMemory memory)
    {
        JETSCOPE_TRY(prepare(display, memory));
        for (int number = 0; number < kFrames; ++number) {
            JETSCOPE_TRY(present(number, stream));
            JETSCOPE_TRY(look(number));
        }
        return takeBack(stream);
    }

private:
    /// Different in every pixel and frame, so that stale, swapped or upside-down frames are detected.
    std::vector<std::byte> picture(int number) const
    {
        std::vector<std::byte> pixels(kPitch * kSide);
        for (std::size_t i = 0; i < pixels.size(); ++i)
            pixels[i] = static_cast<std::byte>(i * 7 + i / kPitch * 3 + static_cast<std::size_t>(number) * 50);
        return pixels;
    }

    Status prepare(const std::shared_ptr<EglDisplay> &display, FrameMemory memory)
    {
        JETSCOPE_TRY_ASSIGN(m_draw, ExternalDraw::create());
        JETSCOPE_TRY_ASSIGN(m_texture, GlTexture::create(kSide, kSide));
        JETSCOPE_TRY_ASSIGN(m_target, GlFramebuffer::create(m_texture->id(), kSide, kSide));
        JETSCOPE_TRY_ASSIGN(m_consumer, EglStreamConsumer::create(display, kFrames, realEglStreamApi()));
        JETSCOPE_TRY_ASSIGN(m_producer, connectCudaProducer(m_consumer->native(), kSide, kSide, memory));
        JETSCOPE_TRY_ASSIGN(m_input, CudaBuffer::allocate(Allocation::Managed, kPitch * kSide));
        return {};
    }

    Status present(int number, CudaStream &stream)
    {
        JETSCOPE_TRY_ASSIGN(std::unique_ptr<Image> frame, m_producer->makeFrame());
        m_frames.push_back(std::move(frame));
        const std::vector<std::byte> pixels = picture(number);
        std::memcpy(m_input->host(), pixels.data(), pixels.size());
        PassInput input;
        input.width = input.height = kSide;
        input.pixels.base = reinterpret_cast<std::uint8_t *>(m_input->device());
        input.pixels.pitch = kPitch;
        PassOutput output;
        output.rgba = static_cast<CudaImage &>(*m_frames.back()).memory();
        CUDA_TRY(launchPass(PassKind::Convert, input, output, stream.native()));
        JETSCOPE_TRY(m_producer->present(*m_frames.back(), stream));
        CUDA_TRY(cudaStreamSynchronize(stream.native()));
        return {};
    }

    Status look(int number)
    {
        JETSCOPE_TRY_ASSIGN(const EglStreamConsumer::Acquired acquired, m_consumer->acquire());
        if (acquired != EglStreamConsumer::Acquired::NewFrame)
            return Error{"eglStreamConsumerAcquireKHR", 0, "the frame that was presented did not arrive"};
        JETSCOPE_TRY(m_draw->draw(m_consumer->texture(), *m_target));
        JETSCOPE_TRY(m_consumer->release());
        std::vector<std::byte> seen(kPitch * kSide);
        JETSCOPE_TRY(m_target->read(seen.data(), kPitch));
        if (seen != picture(number))
            return Error{"eglStreamConsumerAcquireKHR", 0, "GL sees other pixels than the device presented"};
        return {};
    }

    /// All but the newest return, oldest first.
    Status takeBack(CudaStream &stream)
    {
        for (int number = 0; number < kFrames - 1; ++number) {
            Image *returned = nullptr;
            for (int tries = 0; !returned && tries < kMaxProbeTries; ++tries) {
                JETSCOPE_TRY_ASSIGN(Image *const taken, m_producer->takeBack(stream));
                returned = taken;
            }
            if (returned != m_frames[static_cast<std::size_t>(number)].get())
                return Error{"cudaEGLStreamProducerReturnFrame", 0, "frames do not come back in order"};
        }
        CUDA_TRY(cudaStreamSynchronize(stream.native()));
        return {};
    }

    std::unique_ptr<ExternalDraw> m_draw;
    std::unique_ptr<GlTexture> m_texture;
    std::unique_ptr<GlFramebuffer> m_target;
    std::unique_ptr<Buffer> m_input;
    std::unique_ptr<EglStreamConsumer> m_consumer;
    std::vector<std::unique_ptr<Image>> m_frames;
    std::unique_ptr<CudaProducer> m_producer; ///< Goes before its frames, and they before the stream.
};

} // namespace

Status tryEglStream(const std::shared_ptr<EglDisplay> &display, Stream &stream, FrameMemory memory)
{
    return StreamTrial().run(display, static_cast<CudaStream &>(stream), memory);
}

} // namespace jetscope
