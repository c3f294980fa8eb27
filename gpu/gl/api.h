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
#include "gpu/base/symbols.h"

#include <string>

namespace jetscope {

/// The entry point of an extension; null if the driver does not have it.
inline SymbolAddress extension(const char *name)
{
    return {reinterpret_cast<void *>(eglGetProcAddress(name))};
}

/// Entry points that are always extensions, looked up once per process; null if absent.
struct EglApi {
    PFNEGLGETPLATFORMDISPLAYEXTPROC getPlatformDisplay = extension("eglGetPlatformDisplayEXT");
    PFNEGLQUERYDEVICESEXTPROC queryDevices = extension("eglQueryDevicesEXT");
    PFNEGLQUERYDEVICEATTRIBEXTPROC queryDeviceAttribute = extension("eglQueryDeviceAttribEXT");
    PFNEGLQUERYDISPLAYATTRIBEXTPROC queryDisplayAttribute = extension("eglQueryDisplayAttribEXT");
    PFNGLEGLIMAGETARGETTEXTURE2DOESPROC imageTargetTexture2D = extension("glEGLImageTargetTexture2DOES");
};
const EglApi &eglApi();

/// The Error of the calling thread's last EGL call; `call` is the displayed name.
Error eglError(std::string call, std::string remedy = {});

/// The first pending GL error of the current context as an Error, or success. Clears all pending errors.
Status glStatus(std::string call);

} // namespace jetscope
