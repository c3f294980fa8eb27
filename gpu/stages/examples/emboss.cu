// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The difference of two neighbours on grey, from surface to surface: the texture units clamp at the border.
__global__ void jetscope_grey_filter(cudaSurfaceObject_t in, cudaSurfaceObject_t out, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    unsigned char above = 0;
    unsigned char below = 0;
    surf2Dread(&above, in, x - 1, y - 1, cudaBoundaryModeClamp);
    surf2Dread(&below, in, x + 1, y + 1, cudaBoundaryModeClamp);
    const int grey = 128 + below - above;
    surf2Dwrite((unsigned char)min(max(grey, 0), 255), out, x, y);
}
