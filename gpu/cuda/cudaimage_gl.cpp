// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// GL textures by cudaGraphicsGLRegisterImage. In a separate file, because its header includes the desktop GL headers.
#include "gpu/cuda/check.h"
#include "gpu/cuda/cudaimage.h"

#include <cuda_gl_interop.h>

namespace jetscope {

namespace {

class GlCudaImage final : public RegisteredImage {
public:
    GlCudaImage(cudaGraphicsResource_t resource, int width, int height) : RegisteredImage(resource, width, height) {}

    Status map(cudaStream_t stream) override
    {
        CUDA_TRY(cudaGraphicsMapResources(1, &m_resource, stream));
        cudaArray_t array = nullptr;
        CUDA_TRY(cudaGraphicsSubResourceGetMappedArray(&array, m_resource, 0, 0));
        return useArray(array);
    }

    Status unmap(cudaStream_t stream) override
    {
        useNothing();
        CUDA_TRY(cudaGraphicsUnmapResources(1, &m_resource, stream));
        return {};
    }
};

} // namespace

Result<std::unique_ptr<Image>> registerCudaGlTexture(unsigned texture, int width, int height)
{
    cudaGraphicsResource_t resource = nullptr;
    CUDA_TRY(cudaGraphicsGLRegisterImage(&resource, texture, GL_TEXTURE_2D, cudaGraphicsRegisterFlagsSurfaceLoadStore));
    return std::unique_ptr<Image>(std::make_unique<GlCudaImage>(resource, width, height));
}

} // namespace jetscope
