// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// No window-system headers: every native type that we pass is a plain pointer or null.
#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <GLES3/gl31.h>

// Must follow the header that declares the types of its prototypes.
#include <GLES2/gl2ext.h>

#include "core/result.h"

#include <string>

namespace jetscope {

/// Entry points that are always extensions, looked up once per process; null if absent.
struct EglApi {
    PFNEGLGETPLATFORMDISPLAYEXTPROC getPlatformDisplay = nullptr;
    PFNEGLQUERYDEVICESEXTPROC queryDevices = nullptr;
    PFNEGLQUERYDEVICESTRINGEXTPROC queryDeviceString = nullptr;
    PFNEGLQUERYDEVICEATTRIBEXTPROC queryDeviceAttribute = nullptr;
    PFNEGLQUERYDISPLAYATTRIBEXTPROC queryDisplayAttribute = nullptr;
    PFNGLEGLIMAGETARGETTEXTURE2DOESPROC imageTargetTexture2D = nullptr;
};
const EglApi &eglApi();

/// Looks up an extension's entry point for a table like the one above; null if the driver does not have it.
template <class Function>
void lookUp(Function &function, const char *name)
{
    function = reinterpret_cast<Function>(eglGetProcAddress(name));
}

/// The Error of the calling thread's last EGL call; `call` is the displayed name.
Error eglError(std::string call, std::string remedy = {});

/// The first pending GL error of the current context as an Error, or success. Clears all pending errors.
Status glStatus(std::string call);

} // namespace jetscope
