// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/gl/api.h"

#include <cuda_egl_interop.h>

namespace jetscope {

/// The calls by which CUDA reads pictures that others made: in a camera's buffer behind an EGLImage, or out of an
/// EGLStream as its consumer. Their rules are about the order of calls, and most of their producers exist on Tegra
/// only, so the calls go through this table and a fake that enforces the order can take their place.
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

/// The calls of the CUDA runtime themselves.
const EglFrameApi &realEglFrameApi();

} // namespace jetscope
