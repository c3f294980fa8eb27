// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/cudaimage.h"

#include "gpu/cuda/check.h"
#include "gpu/gl/api.h"

#include <cuda_egl_interop.h>

namespace jetscope {

void CudaImage::destroySurface()
{
    for (Plane &plane : m_planes) {
        // Fails only if the context is lost, and the surface with it.
        if (plane.surface != 0)
            static_cast<void>(cudaDestroySurfaceObject(plane.surface));
        plane.surface = 0;
    }
}

RegisteredImage::~RegisteredImage()
{
    destroySurface();
    static_cast<void>(cudaGraphicsUnregisterResource(m_resource));
}

Status CudaImage::useArray(cudaArray_t array, std::size_t plane)
{
    Plane &own = m_planes[plane];
    // A mapping may return another array than the last one. Usually it is the same, and the surface object is kept.
    if (array != own.array) {
        moved();
        if (own.surface != 0)
            CUDA_TRY(cudaDestroySurfaceObject(own.surface));
        own.surface = 0;
        own.array = nullptr;
        cudaResourceDesc description{};
        description.resType = cudaResourceTypeArray;
        description.res.array.array = array;
        CUDA_TRY(cudaCreateSurfaceObject(&own.surface, &description));
        own.array = array;
    }
    own.memory = {};
    own.memory.surface = own.surface;
    return {};
}

void CudaImage::usePitch(void *memory, std::size_t pitch, std::size_t plane)
{
    PixelMemory &rows = m_planes[plane].memory;
    if (rows.base != memory || rows.pitch != pitch)
        moved();
    rows = {};
    rows.base = static_cast<std::uint8_t *>(memory);
    rows.pitch = pitch;
}

Status CudaImage::useFrame(const cudaEglFrame &frame)
{
    for (std::size_t plane = 0; plane < frame.planeCount; ++plane) {
        if (frame.frameType == cudaEglFrameTypeArray)
            JETSCOPE_TRY(useArray(frame.frame.pArray[plane], plane));
        else
            usePitch(frame.frame.pPitch[plane].ptr, frame.frame.pPitch[plane].pitch, plane);
    }
    return {};
}

namespace {

class EglCudaImage final : public RegisteredImage {
public:
    EglCudaImage(cudaGraphicsResource_t resource, int width, int height) : RegisteredImage(resource, width, height) {}

    Status use()
    {
        cudaEglFrame frame{};
        CUDA_TRY(cudaGraphicsResourceGetMappedEglFrame(&frame, m_resource, 0, 0));
        return useFrame(frame);
    }
};

} // namespace

Result<std::unique_ptr<Image>> registerCudaEglImage(void *eglImage, int width, int height)
{
    if (!eglImage)
        return Error{"cudaGraphicsEGLRegisterImage", cudaErrorInvalidValue, "there is no EGLImage to register"};
    cudaGraphicsResource_t resource = nullptr;
    // Flags 0: other flags failed on early boards and have no benefit (rule C3).
    CUDA_TRY(cudaGraphicsEGLRegisterImage(&resource, eglImage, cudaGraphicsRegisterFlagsNone));
    auto image = std::make_unique<EglCudaImage>(resource, width, height);
    JETSCOPE_TRY(image->use());
    return std::unique_ptr<Image>(std::move(image));
}

} // namespace jetscope
