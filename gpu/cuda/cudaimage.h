// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/cuda/passes.h"
#include "gpu/device.h"

#include <cuda_runtime_api.h>

#include <memory>

namespace jetscope {

/// A registered texture: an array behind a surface object, or, for pitch-linear EGLImages, plain memory.
class CudaImage : public Image {
public:
    ~CudaImage() override;

    /// Where kernels read and write the pixels now; without memory while a GL texture is not mapped.
    const PixelMemory &memory() const { return m_memory; }

    virtual Status map(cudaStream_t) { return {}; }
    virtual Status unmap(cudaStream_t) { return {}; }

protected:
    CudaImage(cudaGraphicsResource_t resource, int width, int height) : Image(width, height), m_resource(resource) {}
    Status useArray(cudaArray_t array);
    void usePitch(void *memory, std::size_t pitch);
    void useNothing() { m_memory = {}; }

    cudaGraphicsResource_t m_resource;

private:
    PixelMemory m_memory;
    cudaArray_t m_array = nullptr;
    cudaSurfaceObject_t m_surface = 0;
};

/// cudaGraphicsEGLRegisterImage: mapped for good. The order of accesses is the caller's business (rule C1).
Result<std::unique_ptr<Image>> registerCudaEglImage(void *eglImage, int width, int height);

/// cudaGraphicsGLRegisterImage: usable between map and unmap only. The texture's context is current here and at destruction.
Result<std::unique_ptr<Image>> registerCudaGlTexture(unsigned texture, int width, int height);

} // namespace jetscope
