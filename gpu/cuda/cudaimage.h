// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/cuda/passes.h"
#include "gpu/device.h"

#include <cuda_runtime_api.h>

#include <memory>

namespace jetscope {

/// RGBA8 pixels that kernels reach: an array behind a surface object, or plain memory in rows.
class CudaImage : public Image {
public:
    ~CudaImage() override { destroySurface(); }

    /// Where kernels read and write the pixels now; without memory while a GL texture is not mapped.
    const PixelMemory &memory() const { return m_memory; }

    virtual Status map(cudaStream_t) { return {}; }
    virtual Status unmap(cudaStream_t) { return {}; }

protected:
    CudaImage(int width, int height) : Image(width, height) {}
    Status useArray(cudaArray_t array);
    void usePitch(void *memory, std::size_t pitch);
    void useNothing() { m_memory = {}; }
    /// Before the array goes.
    void destroySurface();

private:
    PixelMemory m_memory;
    cudaArray_t m_array = nullptr;
    cudaSurfaceObject_t m_surface = 0;
};

/// A registration of something of GL or EGL.
class RegisteredImage : public CudaImage {
public:
    ~RegisteredImage() override;

protected:
    RegisteredImage(cudaGraphicsResource_t resource, int width, int height) : CudaImage(width, height), m_resource(resource) {}

    cudaGraphicsResource_t m_resource;
};

/// cudaGraphicsEGLRegisterImage: mapped for good. The order of accesses is the caller's business (rule C1).
Result<std::unique_ptr<Image>> registerCudaEglImage(void *eglImage, int width, int height);

/// cudaGraphicsGLRegisterImage: usable between map and unmap only. The texture's context is current here and at destruction.
Result<std::unique_ptr<Image>> registerCudaGlTexture(unsigned texture, int width, int height);

} // namespace jetscope
