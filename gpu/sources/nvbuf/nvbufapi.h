// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/sources/nvbuf/nvbufsurface.h"

namespace jetscope {

/// The functions of libnvbufsurface that are used. Their rules are about the order of calls, and the library exists on
/// a Jetson only, so the calls go through this table and a fake that enforces the order can take their place. Both
/// return 0 for success.
struct NvBufApi {
    /// NvBufSurfaceMapEglImage: makes the EGLImage of one buffer of the batch.
    int (*mapEglImage)(nvbuf::Surface *surface, int index) = nullptr;
    /// NvBufSurfaceUnMapEglImage: destroys it.
    int (*unMapEglImage)(nvbuf::Surface *surface, int index) = nullptr;
};

/// The library's own functions, looked up at run time once per process; an error where it is not installed.
const Result<NvBufApi> &realNvBufApi();

} // namespace jetscope
