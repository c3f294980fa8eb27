// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Darkens the picture towards its corners: RGBA in pitched memory, a thread for each pixel.
#ifndef STRENGTH
#define STRENGTH 0.8f // jetscope: 0 to 1, step 0.05: How dark the corners become.
#endif

__global__ void jetscope_filter(const uchar4 *in, size_t inPitch, uchar4 *out, size_t outPitch, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    const uchar4 *from = (const uchar4 *)((const char *)in + y * inPitch) + x;
    uchar4 *to = (uchar4 *)((char *)out + y * outPitch) + x;
    const float dx = 2.0f * x / width - 1.0f;
    const float dy = 2.0f * y / height - 1.0f;
    const float light = 1.0f - STRENGTH * 0.5f * (dx * dx + dy * dy);
    *to = make_uchar4(from->x * light, from->y * light, from->z * light, from->w);
}
