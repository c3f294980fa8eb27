// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/settings/capabilitytable.h"

#include <array>

namespace jetscope {

std::span<const CapabilityRow> capabilityTable()
{
    static constexpr auto kRows = std::to_array<CapabilityRow>({
        {"map_host_memory", "mapped host memory", &DeviceFacts::mapHostMemory},
        {"managed_memory", "managed memory", &DeviceFacts::managedMemory},
        {"host_register", "registered host memory", &DeviceFacts::hostRegister},
        {"egl_image", "EGLImage registration", &DeviceFacts::eglImage},
        {"egl_sync", "EGLSync to event and back", &DeviceFacts::eglSync},
        {"gl_interop", "GL interop", &DeviceFacts::glInterop},
        {"egl_stream", "EGLStream to OpenGL ES", &DeviceFacts::eglStream},
        {"egl_stream_input", "EGLStream to CUDA", &DeviceFacts::eglStreamInput},
        {"nvbuf", "NvBufSurface", &DeviceFacts::nvBuf},
        {"system_memory", "kernels on system memory", &DeviceFacts::systemMemory},
        {"prefetch", "prefetch of managed memory", &DeviceFacts::prefetch},
        {"host_register_io", "registered I/O memory", &DeviceFacts::hostRegisterIo},
        {"memory_pools", "memory pools", &DeviceFacts::memoryPools},
        {"dmabuf", "DMA-BUFs of pinned memory", &DeviceFacts::dmabuf},
        {"stream_flags", "numbers that a stream writes", &DeviceFacts::streamFlags},
        {"graphs", "graphs", &DeviceFacts::graphs},
        {"semaphores", "semaphores shared with OpenGL ES", &DeviceFacts::semaphores},
        {"stream_priorities", "priorities of streams", &DeviceFacts::streamPriorities},
        {"green_contexts", "parts of the GPU (green contexts)", &DeviceFacts::greenContexts},
    });
    return kRows;
}

} // namespace jetscope
