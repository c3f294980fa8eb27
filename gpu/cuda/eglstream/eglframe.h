// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "core/result.h"
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

/// The pixel layout that the driver reports for a frame; an error if no kernel can read it. The row positions are those
/// of the frame's own planes, not those of the layout.
Result<ImageLayout> layoutOf(const cudaEglFrame &frame);

/// Whether a frame has at least the planes that kernels read for this layout. Kernels do not check again, and memory
/// beyond a plane does not belong to it.
Status checkEglFrame(const cudaEglFrame &frame, const ImageLayout &layout);

} // namespace jetscope
