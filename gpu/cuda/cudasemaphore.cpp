// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/cudasemaphore.h"

#include "gpu/cuda/check.h"
#include "gpu/gl/display.h"
#include "gpu/gl/exportedsemaphore.h"

#include <algorithm>

namespace jetscope {

Result<std::unique_ptr<CudaSemaphore>> CudaSemaphore::create(int ordinal, const EglDisplay &display)
{
    for (const char *const name : {"GL_EXT_semaphore", "GL_EXT_semaphore_fd", "GL_NV_timeline_semaphore"})
        if ((" " + display.glExtensions() + " ").find(" " + std::string(name) + " ") == std::string::npos)
            return sentence("OpenGL ES has no " + std::string(name) + " here");
    std::unique_ptr<CudaSemaphore> made(new CudaSemaphore);
    const GlSemaphoreApi &gl = made->m_gl;
    if (!gl.create || !gl.destroy || !gl.importFile || !gl.setType || !gl.setValue || !gl.wait || !gl.signal)
        return sentence("OpenGL ES lists semaphores but lacks their functions");
    cudaDeviceProp properties{};
    CUDA_TRY(cudaGetDeviceProperties(&properties, ordinal));
    ExportedSemaphore::Uuid uuid{};
    std::copy_n(reinterpret_cast<const std::uint8_t *>(properties.uuid.bytes), uuid.size(), uuid.begin());
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<ExportedSemaphore> files, ExportedSemaphore::create(uuid));
    JETSCOPE_TRY(made->importIntoCuda(files->first()));
    files->taken(files->first());
    JETSCOPE_TRY(made->importIntoGl(files->second()));
    files->taken(files->second());
    return made;
}

Status CudaSemaphore::importIntoCuda(int file)
{
    cudaExternalSemaphoreHandleDesc description{};
    description.type = cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd;
    description.handle.fd = file;
    CUDA_TRY(cudaImportExternalSemaphore(&m_semaphore, &description));
    return {};
}

Status CudaSemaphore::importIntoGl(int file)
{
    // The type is set before the import.
    const GLint type = GL_SEMAPHORE_TYPE_TIMELINE_NV;
    m_gl.create(1, &m_name);
    m_gl.setType(m_name, GL_SEMAPHORE_TYPE_NV, &type);
    m_gl.importFile(m_name, GL_HANDLE_TYPE_OPAQUE_FD_EXT, file);
    return glStatus("glImportSemaphoreFdEXT");
}

CudaSemaphore::~CudaSemaphore()
{
    // These calls fail only if a context is lost, and its object with it.
    if (m_semaphore)
        static_cast<void>(cudaDestroyExternalSemaphore(m_semaphore));
    if (m_name != 0 && eglGetCurrentContext() != EGL_NO_CONTEXT)
        m_gl.destroy(1, &m_name);
}

Status CudaSemaphore::signal(std::uint64_t value, cudaStream_t stream)
{
    cudaExternalSemaphoreSignalParams parameters{};
    parameters.params.fence.value = value;
    CUDA_TRY(cudaSignalExternalSemaphoresAsync(&m_semaphore, &parameters, 1, stream));
    return {};
}

Status CudaSemaphore::wait(std::uint64_t value, cudaStream_t stream)
{
    cudaExternalSemaphoreWaitParams parameters{};
    parameters.params.fence.value = value;
    CUDA_TRY(cudaWaitExternalSemaphoresAsync(&m_semaphore, &parameters, 1, stream));
    return {};
}

Status CudaSemaphore::glSignal(std::uint64_t value)
{
    m_gl.setValue(m_name, GL_TIMELINE_SEMAPHORE_VALUE_NV, &value);
    m_gl.signal(m_name, 0, nullptr, 0, nullptr, nullptr);
    glFlush(); // Or CUDA waits for the next flush of the context.
    return glStatus("glSignalSemaphoreEXT");
}

Status CudaSemaphore::glWait(std::uint64_t value)
{
    m_gl.setValue(m_name, GL_TIMELINE_SEMAPHORE_VALUE_NV, &value);
    m_gl.wait(m_name, 0, nullptr, 0, nullptr, nullptr);
    return glStatus("glWaitSemaphoreEXT");
}

} // namespace jetscope
