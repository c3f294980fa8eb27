// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/cudaimage.h"

#include "gpu/cuda/check.h"
#include "gpu/egl/api.h"

#include <cuda_egl_interop.h>

namespace jetscope {

void CudaImage::destroySurface()
{
    // Fails only when the context is lost, and the surface with it.
    if (m_surface != 0)
        static_cast<void>(cudaDestroySurfaceObject(m_surface));
    m_surface = 0;
}

RegisteredImage::~RegisteredImage()
{
    destroySurface();
    static_cast<void>(cudaGraphicsUnregisterResource(m_resource));
}

Status CudaImage::useArray(cudaArray_t array)
{
    // A mapping may give another array than the last one did; usually it is the same, and the surface stays.
    if (array != m_array) {
        if (m_surface != 0)
            CUDA_TRY(cudaDestroySurfaceObject(m_surface));
        m_surface = 0;
        m_array = nullptr;
        cudaResourceDesc description{};
        description.resType = cudaResourceTypeArray;
        description.res.array.array = array;
        CUDA_TRY(cudaCreateSurfaceObject(&m_surface, &description));
        m_array = array;
    }
    m_memory = {};
    m_memory.surface = m_surface;
    return {};
}

void CudaImage::usePitch(void *memory, std::size_t pitch)
{
    m_memory = {};
    m_memory.base = static_cast<std::uint8_t *>(memory);
    m_memory.pitch = pitch;
}

namespace {

class EglCudaImage final : public RegisteredImage {
public:
    EglCudaImage(cudaGraphicsResource_t resource, int width, int height) : RegisteredImage(resource, width, height) {}

    Status use()
    {
        cudaEglFrame frame{};
        CUDA_TRY(cudaGraphicsResourceGetMappedEglFrame(&frame, m_resource, 0, 0));
        if (frame.frameType == cudaEglFrameTypeArray)
            return useArray(frame.frame.pArray[0]);
        usePitch(frame.frame.pPitch[0].ptr, frame.frame.pPitch[0].pitch);
        return {};
    }
};

} // namespace

Result<std::unique_ptr<Image>> registerCudaEglImage(void *eglImage, int width, int height)
{
    if (!eglImage)
        return Error{"cudaGraphicsEGLRegisterImage", cudaErrorInvalidValue, "there is no EGLImage to register"};
    cudaGraphicsResource_t resource = nullptr;
    // Flags 0: others failed on early boards, and nothing is gained by them (rule C3).
    CUDA_TRY(cudaGraphicsEGLRegisterImage(&resource, eglImage, cudaGraphicsRegisterFlagsNone));
    auto image = std::make_unique<EglCudaImage>(resource, width, height);
    JETSCOPE_TRY(image->use());
    return std::unique_ptr<Image>(std::move(image));
}

} // namespace jetscope
