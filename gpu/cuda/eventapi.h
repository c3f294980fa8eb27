// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/gl/api.h"

#include <cuda_runtime_api.h>

namespace jetscope {

/// All calls on events and on the EGLSyncs for them. EGLSync interop exists only on Tegra and its rules concern the
/// order of calls. So the calls go through this table, and tests can substitute a fake that enforces the order.
struct EventApi {
    cudaError_t (*create)(cudaEvent_t *event, unsigned flags);
    cudaError_t (*createFromEglSync)(cudaEvent_t *event, EGLSync sync, unsigned flags);
    cudaError_t (*record)(cudaEvent_t event, cudaStream_t stream);
    cudaError_t (*streamWait)(cudaStream_t stream, cudaEvent_t event, unsigned flags);
    cudaError_t (*query)(cudaEvent_t event);
    cudaError_t (*synchronize)(cudaEvent_t event);
    cudaError_t (*elapsed)(float *ms, cudaEvent_t from, cudaEvent_t to);
    cudaError_t (*destroy)(cudaEvent_t event);
    EGLSync (*createSync)(EGLDisplay display, EGLenum type, const EGLAttrib *attributes);
    EGLBoolean (*waitSync)(EGLDisplay display, EGLSync sync, EGLint flags);
    EGLBoolean (*destroySync)(EGLDisplay display, EGLSync sync);
};

/// The functions of the CUDA runtime and of EGL.
const EventApi &realEventApi();

} // namespace jetscope
