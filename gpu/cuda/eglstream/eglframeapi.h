// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/gl/api.h"

#include <cuda_egl_interop.h>

namespace jetscope {

/// The calls with which CUDA reads frames of other producers: from a camera's buffer through an EGLImage, or from an
/// EGLStream as its consumer. Their rules concern the order of calls, and most producers exist only on Tegra. So the
/// calls go through this table, and tests can substitute a fake that enforces the order.
struct EglFrameApi {
    cudaError_t (*registerImage)(cudaGraphicsResource_t *resource, EGLImageKHR image, unsigned flags);
    cudaError_t (*unregister)(cudaGraphicsResource_t resource);
    cudaError_t (*mappedFrame)(cudaEglFrame *frame, cudaGraphicsResource_t resource, unsigned index, unsigned level);
    cudaError_t (*connect)(cudaEglStreamConnection *connection, EGLStreamKHR stream);
    cudaError_t (*acquire)(cudaEglStreamConnection *connection, cudaGraphicsResource_t *resource, cudaStream_t *stream,
                           unsigned microseconds);
    cudaError_t (*release)(cudaEglStreamConnection *connection, cudaGraphicsResource_t resource, cudaStream_t *stream);
    cudaError_t (*disconnect)(cudaEglStreamConnection *connection);
};

/// The functions of the CUDA runtime.
const EglFrameApi &realEglFrameApi();

} // namespace jetscope
