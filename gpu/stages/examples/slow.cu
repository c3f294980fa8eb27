// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// A blur that is slow on purpose: each thread reads (2 * RADIUS + 1) squared pixels, one after another, and
// neighbouring threads read different rows, so that hardly a read is shared. The timeline shows one long kernel, the
// path of a frame goes through it, and the verdict names it. `--filters gaussian15` is about as strong a blur, in two
// directions and with shared rows: compare the two lanes.
#ifndef RADIUS
#define RADIUS 7 // jetscope: 1 to 15, step 1: Pixels to each side that the blur reads.
#endif

__global__ void jetscope_filter(const uchar4 *in, size_t inPitch, uchar4 *out, size_t outPitch, int width, int height)
{
    // The wrong way round on purpose: threads of a warp lie below each other.
    const int thread = threadIdx.y * blockDim.x + threadIdx.x;
    const int x = blockIdx.x * blockDim.x + thread / blockDim.y;
    const int y = blockIdx.y * blockDim.y + thread % blockDim.y;
    if (x >= width || y >= height)
        return;
    int3 sum = make_int3(0, 0, 0);
    for (int dy = -RADIUS; dy <= RADIUS; ++dy)
        for (int dx = -RADIUS; dx <= RADIUS; ++dx) {
            const int row = min(max(y + dy, 0), height - 1);
            const int column = min(max(x + dx, 0), width - 1);
            const uchar4 pixel = ((const uchar4 *)((const char *)in + row * inPitch))[column];
            sum.x += pixel.x;
            sum.y += pixel.y;
            sum.z += pixel.z;
        }
    const int count = (2 * RADIUS + 1) * (2 * RADIUS + 1);
    ((uchar4 *)((char *)out + y * outPitch))[x] = make_uchar4(sum.x / count, sum.y / count, sum.z / count, 255);
}
