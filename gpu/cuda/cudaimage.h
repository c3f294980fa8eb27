// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/cuda/kernels/passes.h"
#include "gpu/device/device.h"

#include <cuda_runtime_api.h>

#include <array>
#include <memory>

struct cudaEglFrame_st;

namespace jetscope {

/// Pixels that kernels reach, in arrays behind surface objects or in plain memory in rows: one plane of RGBA8, or the
/// planes of another format that are read only.
class CudaImage : public Image {
public:
    static constexpr std::size_t kMostPlanes = 3;

    ~CudaImage() override { destroySurface(); }

    /// Where kernels read and write the pixels now; without memory while a GL texture is not mapped.
    const PixelMemory &memory(std::size_t plane = 0) const { return m_planes[plane].memory; }
    /// Whether there are planes beside the first.
    bool isPlanar() const { return !m_planes[1].memory.empty(); }

    virtual Status map(cudaStream_t) { return {}; }
    virtual Status unmap(cudaStream_t) { return {}; }

protected:
    CudaImage(int width, int height) : Image(width, height) {}
    Status useArray(cudaArray_t array, std::size_t plane = 0);
    void usePitch(void *memory, std::size_t pitch, std::size_t plane = 0);
    /// All planes of a frame that somebody else made.
    Status useFrame(const cudaEglFrame_st &frame);
    void useNothing() { m_planes[0].memory = {}; }
    /// Before the arrays go.
    void destroySurface();

private:
    struct Plane {
        PixelMemory memory;
        cudaArray_t array = nullptr;
        cudaSurfaceObject_t surface = 0;
    };
    std::array<Plane, kMostPlanes> m_planes;
};

/// A registration of something of GL or EGL.
class RegisteredImage : public CudaImage {
public:
    ~RegisteredImage() override;

protected:
    RegisteredImage(cudaGraphicsResource_t resource, int width, int height)
        : CudaImage(width, height), m_resource(resource)
    {
    }

    cudaGraphicsResource_t m_resource;
};

/// cudaGraphicsEGLRegisterImage: mapped for good. The order of accesses is the caller's business (rule C1).
Result<std::unique_ptr<Image>> registerCudaEglImage(void *eglImage, int width, int height);

/// cudaGraphicsGLRegisterImage: usable between map and unmap only. The texture's context is current here and at
/// destruction.
Result<std::unique_ptr<Image>> registerCudaGlTexture(unsigned texture, int width, int height);

} // namespace jetscope
