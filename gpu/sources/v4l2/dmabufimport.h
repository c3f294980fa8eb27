// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// No window-system headers: every native type that we pass is a plain pointer or null.
#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "core/imagelayout.h"
#include "core/result.h"

namespace jetscope {

/// The EGL functions for importing a camera's buffer; null if absent. A table, so that tests can substitute their own
/// display.
struct DmabufApi {
    const char *(*queryString)(EGLDisplay, EGLint) = nullptr;
    EGLint (*getError)() = nullptr;
    PFNEGLCREATEIMAGEKHRPROC createImage = nullptr;
    PFNEGLDESTROYIMAGEKHRPROC destroyImage = nullptr;
    PFNEGLQUERYDMABUFFORMATSEXTPROC queryFormats = nullptr;
    PFNEGLQUERYDMABUFMODIFIERSEXTPROC queryModifiers = nullptr;

    static const DmabufApi &system();
};

/// An EGLImage of a buffer's bytes: RGBA8 texels, one line for each `planes[0].pitch` bytes
/// (ExternalBufferView::Bytes). It works for every camera format, keeps its bytes unchanged, and every display that
/// supports imports supports this format. EGL keeps its own reference to the memory: the file may be closed after this
/// call.
Result<EGLImageKHR> importBytes(const DmabufApi &api, EGLDisplay display, int file, const ImageLayout &layout);

} // namespace jetscope
