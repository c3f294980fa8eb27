// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/eglstream/frameproducer.h"

#include "gpu/cuda/check.h"
#include "gpu/cuda/cudaimage.h"
#include "gpu/cuda/cudastream.h"
#include "gpu/gl/api.h"

#include <cuda_egl_interop.h>

#include <vector>

namespace jetscope {

namespace {

constexpr unsigned kChannels = 4;

/// A frame in our own memory that passes through an EGLStream.
class StreamFrame final : public CudaImage {
public:
    StreamFrame(int width, int height) : CudaImage(width, height) {}
    ~StreamFrame() override
    {
        destroySurface();
        // Both fail only if the context is lost, and the memory with it.
        if (m_frame.frameType == cudaEglFrameTypeArray)
            static_cast<void>(cudaFreeArray(m_frame.frame.pArray[0]));
        else
            static_cast<void>(cudaFree(m_frame.frame.pPitch[0].ptr));
    }

    Status allocate(FrameMemory memory)
    {
        m_frame.frameType = memory == FrameMemory::Array ? cudaEglFrameTypeArray : cudaEglFrameTypePitch;
        m_frame.planeCount = 1;
        m_frame.eglColorFormat = cudaEglColorFormatABGR; // Named from the high end of the word: R is the first byte.
        cudaEglPlaneDesc &plane = m_frame.planeDesc[0];
        plane.width = static_cast<unsigned>(width());
        plane.height = static_cast<unsigned>(height());
        plane.numChannels = kChannels;
        plane.pitch = plane.width * kChannels;
        plane.channelDesc = cudaCreateChannelDesc(8, 8, 8, 8, cudaChannelFormatKindUnsigned);
        return memory == FrameMemory::Array ? allocateArray(plane) : allocateRows(plane);
    }

    const cudaEglFrame &frame() const { return m_frame; }
    bool isIn(const cudaEglFrame &other) const
    {
        return m_frame.frameType == cudaEglFrameTypeArray ? m_frame.frame.pArray[0] == other.frame.pArray[0]
                                                          : m_frame.frame.pPitch[0].ptr == other.frame.pPitch[0].ptr;
    }

private:
    Status allocateArray(const cudaEglPlaneDesc &plane)
    {
        CUDA_TRY(cudaMallocArray(&m_frame.frame.pArray[0], &plane.channelDesc, plane.width, plane.height,
                                 cudaArraySurfaceLoadStore));
        return useArray(m_frame.frame.pArray[0]);
    }

    Status allocateRows(cudaEglPlaneDesc &plane)
    {
        cudaPitchedPtr &rows = m_frame.frame.pPitch[0];
        rows.xsize = plane.pitch;
        rows.ysize = plane.height;
        CUDA_TRY(cudaMallocPitch(&rows.ptr, &rows.pitch, plane.pitch, plane.height));
        plane.pitch = static_cast<unsigned>(rows.pitch);
        usePitch(rows.ptr, rows.pitch);
        return {};
    }

    cudaEglFrame m_frame{};
};

class CudaFrameProducer final : public CudaProducer {
public:
    CudaFrameProducer(cudaEglStreamConnection connection, int width, int height, FrameMemory memory)
        : m_connection(connection), m_width(width), m_height(height), m_memory(memory)
    {
    }

    ~CudaFrameProducer() override
    {
        // Fails only if the context is lost; the EGLStream is then already disconnected.
        static_cast<void>(cudaEGLStreamProducerDisconnect(&m_connection));
    }
    CudaFrameProducer(const CudaFrameProducer &) = delete;
    CudaFrameProducer &operator=(const CudaFrameProducer &) = delete;

    Result<std::unique_ptr<Image>> makeFrame() override
    {
        auto frame = std::make_unique<StreamFrame>(m_width, m_height);
        JETSCOPE_TRY(frame->allocate(m_memory));
        m_frames.push_back(frame.get());
        return std::unique_ptr<Image>(std::move(frame));
    }

    Status present(Image &frame, Stream &stream) override
    {
        cudaStream_t native = static_cast<CudaStream &>(stream).native();
        CUDA_TRY(cudaEGLStreamProducerPresentFrame(&m_connection, static_cast<StreamFrame &>(frame).frame(), &native));
        return {};
    }

    Result<Image *> takeBack(Stream &stream) override
    {
        cudaStream_t native = static_cast<CudaStream &>(stream).native();
        cudaEglFrame returned{};
        const cudaError_t code = cudaEGLStreamProducerReturnFrame(&m_connection, &returned, &native);
        if (code == cudaErrorLaunchTimeout) {
            // In this call the code does not mean a lost context: the consumer has not released a frame yet.
            static_cast<void>(cudaGetLastError());
            return static_cast<Image *>(nullptr);
        }
        JETSCOPE_TRY(cudaStatus("cudaEGLStreamProducerReturnFrame", code));
        for (StreamFrame *frame : m_frames)
            if (frame->isIn(returned))
                return static_cast<Image *>(frame);
        return Error{"cudaEGLStreamProducerReturnFrame", 0, "the EGLStream gave back a frame that was never presented"};
    }

private:
    cudaEglStreamConnection m_connection;
    const int m_width;
    const int m_height;
    const FrameMemory m_memory;
    std::vector<StreamFrame *> m_frames; ///< Owned by the caller, who keeps them until this object is destroyed.
};

} // namespace

Result<std::unique_ptr<CudaProducer>> connectCudaProducer(void *eglStream, int width, int height, FrameMemory memory)
{
    cudaEglStreamConnection connection = nullptr;
    CUDA_TRY(cudaEGLStreamProducerConnect(&connection, eglStream, width, height));
    return std::unique_ptr<CudaProducer>(std::make_unique<CudaFrameProducer>(connection, width, height, memory));
}

} // namespace jetscope
