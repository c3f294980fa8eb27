// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/gl/api.h"

#include <cuda_runtime_api.h>

namespace jetscope {

/// Every call on events and on the EGLSyncs that stand for them. EGLSync interop exists on Tegra only and its rules are
/// about the order of calls, so the calls go through this table and a fake that enforces the order can take their
/// place.
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

/// The calls of the CUDA runtime and of EGL themselves.
const EventApi &realEventApi();

} // namespace jetscope
