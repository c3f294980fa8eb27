// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// No window-system headers: every native type we pass is a plain pointer or null.
#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "core/imagelayout.h"
#include "core/result.h"

namespace jetscope {

/// What EGL has for importing a camera's buffer; null where absent. A table, so that tests can put a display of their
/// own behind it.
struct DmabufApi {
    const char *(*queryString)(EGLDisplay, EGLint) = nullptr;
    EGLint (*getError)() = nullptr;
    PFNEGLCREATEIMAGEKHRPROC createImage = nullptr;
    PFNEGLDESTROYIMAGEKHRPROC destroyImage = nullptr;
    PFNEGLQUERYDMABUFFORMATSEXTPROC queryFormats = nullptr;
    PFNEGLQUERYDMABUFMODIFIERSEXTPROC queryModifiers = nullptr;

    static const DmabufApi &system();
};

/// An image of a buffer's bytes: RGBA8 texels, a line of them for each `planes[0].pitch` bytes
/// (ExternalBufferView::Bytes). Whatever the camera's format, its colours stay as they are, and every display that
/// imports at all knows this one. EGL keeps the memory by itself: the file may be closed behind this.
Result<EGLImageKHR> importBytes(const DmabufApi &api, EGLDisplay display, int file, const ImageLayout &layout);

} // namespace jetscope
