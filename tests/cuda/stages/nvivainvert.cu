// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// A library for nvivafilter that inverts, by the calls that such libraries make: it knows nothing of Jetscope but the
// names of the public interface's types.
#include "gpu/stages/nviva/nvivaabi.h"

#include <cuda.h>
#include <cudaEGL.h>

namespace {

__global__ void invert(unsigned char *pixels, size_t pitch, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    uchar4 *pixel = reinterpret_cast<uchar4 *>(pixels + y * pitch) + x;
    *pixel = make_uchar4(255 - pixel->x, 255 - pixel->y, 255 - pixel->z, pixel->w);
}

void gpuProcess(void *image, void **)
{
    cudaFree(nullptr);
    CUgraphicsResource resource = nullptr;
    if (cuGraphicsEGLRegisterImage(&resource, image, CU_GRAPHICS_MAP_RESOURCE_FLAGS_NONE) != CUDA_SUCCESS)
        return;
    CUeglFrame frame;
    const bool isMapped = cuGraphicsResourceGetMappedEglFrame(&frame, resource, 0, 0) == CUDA_SUCCESS;
    cuCtxSynchronize();
    if (isMapped && frame.frameType == CU_EGL_FRAME_TYPE_PITCH && frame.eglColorFormat == CU_EGL_COLOR_FORMAT_ABGR) {
        const dim3 block(32, 8);
        const dim3 grid((frame.width + 31) / 32, (frame.height + 7) / 8);
        invert<<<grid, block>>>(static_cast<unsigned char *>(frame.frame.pPitch[0]), frame.pitch,
                                static_cast<int>(frame.width), static_cast<int>(frame.height));
    }
    cuCtxSynchronize();
    cuGraphicsUnregisterResource(resource);
}

} // namespace

extern "C" void init(nviva_functions *functions)
{
    functions->gpu = gpuProcess;
}

extern "C" void deinit() {}
