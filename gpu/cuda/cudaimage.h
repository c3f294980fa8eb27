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

/// Pixels that kernels access, in arrays with surface objects or in pitch-linear memory: one plane of RGBA8, or the
/// planes of another, read-only format.
class CudaImage : public Image {
public:
    static constexpr std::size_t kMaxPlanes = 3;

    ~CudaImage() override { destroySurface(); }

    /// The memory that kernels read and write now; empty while a GL texture is not mapped.
    const PixelMemory &memory(std::size_t plane = 0) const { return m_planes[plane].memory; }
    /// Whether there is more than one plane.
    bool isPlanar() const { return !m_planes[1].memory.empty(); }

    virtual Status map(cudaStream_t) { return {}; }
    virtual Status unmap(cudaStream_t) { return {}; }

protected:
    CudaImage(int width, int height) : Image(width, height) {}
    Status useArray(cudaArray_t array, std::size_t plane = 0);
    void usePitch(void *memory, std::size_t pitch, std::size_t plane = 0);
    /// Uses all planes of a frame from another producer.
    Status useFrame(const cudaEglFrame_st &frame);
    void useNothing() { m_planes[0].memory = {}; }
    /// Call before the arrays are destroyed.
    void destroySurface();

private:
    struct Plane {
        PixelMemory memory;
        cudaArray_t array = nullptr;
        cudaSurfaceObject_t surface = 0;
    };
    std::array<Plane, kMaxPlanes> m_planes;
};

/// A registered GL or EGL resource.
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

/// cudaGraphicsEGLRegisterImage: permanently mapped. The caller must synchronize accesses (rule C1).
Result<std::unique_ptr<Image>> registerCudaEglImage(void *eglImage, int width, int height);

/// cudaGraphicsGLRegisterImage: usable only between map and unmap. The texture's context must be current in this call
/// and in the destructor.
Result<std::unique_ptr<Image>> registerCudaGlTexture(unsigned texture, int width, int height);

} // namespace jetscope
