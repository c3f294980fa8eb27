// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.h"
#include "gpu/gl/api.h"

#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>

namespace jetscope {

/// GL_EXT_semaphore, GL_EXT_semaphore_fd and GL_NV_timeline_semaphore; null where the driver lacks them.
struct GlSemaphoreApi {
    PFNGLGENSEMAPHORESEXTPROC generate = extension("glGenSemaphoresEXT");
    PFNGLDELETESEMAPHORESEXTPROC destroy = extension("glDeleteSemaphoresEXT");
    PFNGLIMPORTSEMAPHOREFDEXTPROC importFile = extension("glImportSemaphoreFdEXT");
    PFNGLSEMAPHOREPARAMETERUI64VEXTPROC setValue = extension("glSemaphoreParameterui64vEXT");
    PFNGLWAITSEMAPHOREEXTPROC wait = extension("glWaitSemaphoreEXT");
    PFNGLSIGNALSEMAPHOREEXTPROC signal = extension("glSignalSemaphoreEXT");
    PFNGLCREATESEMAPHORESNVPROC create = extension("glCreateSemaphoresNV");
    PFNGLSEMAPHOREPARAMETERIVNVPROC setType = extension("glSemaphoreParameterivNV");
};

/// A timeline semaphore of Vulkan that CUDA and a GL context imported. The GL calls are for the thread of that context.
class CudaSemaphore final : public Semaphore {
public:
    /// With the GL context current.
    static Result<std::unique_ptr<CudaSemaphore>> create(int ordinal, const EglDisplay &display);
    /// With the GL context current, or without one: then GL's object stays until its context goes.
    ~CudaSemaphore() override;

    Status signal(std::uint64_t value, cudaStream_t stream);
    Status wait(std::uint64_t value, cudaStream_t stream);
    Status glSignal(std::uint64_t value) override;
    Status glWait(std::uint64_t value) override;

private:
    CudaSemaphore() = default;
    Status importIntoGl(int file);
    Status importIntoCuda(int file);

    GlSemaphoreApi m_gl;
    unsigned m_name = 0;
    cudaExternalSemaphore_t m_semaphore = nullptr;
};

} // namespace jetscope
