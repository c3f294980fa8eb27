// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/sources/nvbuf/nvbufsurface.h"

namespace jetscope {

/// The functions of libnvbufsurface that are used. Their rules concern the order of calls, and the library exists only
/// on a Jetson. So the calls go through this table, and tests can substitute a fake that enforces the order. Both
/// return 0 for success.
struct NvBufApi {
    /// NvBufSurfaceMapEglImage: creates the EGLImage of one buffer of the batch.
    int (*mapEglImage)(nvbuf::Surface *surface, int index) = nullptr;
    /// NvBufSurfaceUnMapEglImage: destroys it.
    int (*unMapEglImage)(nvbuf::Surface *surface, int index) = nullptr;
};

/// libnvbufsurface.so of this Jetson; null if it is not installed. Stays loaded.
void *openNvBufLibrary();

/// The library's own functions, looked up at run time once per process; an error if it is not installed.
const Result<NvBufApi> &realNvBufApi();

} // namespace jetscope
