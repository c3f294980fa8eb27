// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/displaymatch.h"

#include "gpu/egl/api.h"

#include <optional>

namespace jetscope {

namespace {

std::optional<int> cudaDeviceOf(const EglDisplay &display)
{
    const auto queryDisplay =
        reinterpret_cast<PFNEGLQUERYDISPLAYATTRIBEXTPROC>(eglGetProcAddress("eglQueryDisplayAttribEXT"));
    const auto queryDevice =
        reinterpret_cast<PFNEGLQUERYDEVICEATTRIBEXTPROC>(eglGetProcAddress("eglQueryDeviceAttribEXT"));
    EGLAttrib device = 0;
    EGLAttrib number = 0;
    if (!queryDisplay || !queryDevice || !queryDisplay(display.native(), EGL_DEVICE_EXT, &device)
        || !queryDevice(reinterpret_cast<EGLDeviceEXT>(device), EGL_CUDA_DEVICE_NV, &number))
        return std::nullopt;
    return static_cast<int>(number);
}

} // namespace

Capability matchDisplay(const EglDisplay &display, int ordinal)
{
    if (display.vendor().find("NVIDIA") == std::string::npos)
        return Capability::no("the EGL display is by " + display.vendor() + " (" + display.renderer()
                              + "), with which CUDA cannot share images; install the NVIDIA driver's EGL, or start on its display");
    const std::optional<int> number = cudaDeviceOf(display);
    if (number && *number != ordinal)
        return Capability::no("the EGL display is on cuda:" + std::to_string(*number)
                              + "; take that device, or start on a display of this one");
    return Capability::yes();
}

} // namespace jetscope
