// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// rows MODE FRAMES : copies and sets of rows by CUDA's runtime. For gpu_check.sh; without a mode it lists the modes and
// what is to be found in them. A picture has 256 rows of 1024 bytes.
#include "gpu/attach/jetscope_mark.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

static void check(const char *what, cudaError_t code)
{
    if (code == cudaSuccess)
        return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(code));
    std::exit(1);
}
#define CALL(function, ...) check(#function, function(__VA_ARGS__))

static constexpr size_t kWidth = 1024, kHalf = kWidth / 2, kRows = 256;
static size_t s_pitch;
static char *s_device, *s_other, *s_pinned, *s_pageable;
static cudaStream_t s_a, s_b;

static void copyIn(size_t column, const void *from, cudaStream_t stream, cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    CALL(cudaMemcpy2DAsync, s_device + column, s_pitch, from, kWidth, kHalf, kRows, kind, stream);
}
static void waitForBoth()
{
    CALL(cudaStreamSynchronize, s_a);
    CALL(cudaStreamSynchronize, s_b);
}

static void pinned()
{
    copyIn(0, s_pinned, s_a);
    waitForBoth();
}
static void pageable()
{
    copyIn(0, s_pageable, s_a);
    waitForBoth();
}
static void halves()
{
    copyIn(0, s_pinned, s_a);
    copyIn(kHalf, s_pinned, s_b);
    waitForBoth();
}
static void overlapping()
{
    copyIn(0, s_pinned, s_a);
    copyIn(kHalf - 1, s_pinned, s_b);
    waitForBoth();
}
static void set(size_t column)
{
    copyIn(0, s_pinned, s_a);
    CALL(cudaMemset2DAsync, s_device + column, s_pitch, 0, kHalf, kRows, s_b);
    waitForBoth();
}
static void setHalf()
{
    set(kHalf);
}
static void setOverlapping()
{
    set(kHalf - 1);
}
static void roundTrip(cudaMemcpyKind out, cudaMemcpyKind in)
{
    CALL(cudaMemcpy2DAsync, s_pinned, kWidth, s_device, s_pitch, kWidth, kRows, out, s_a);
    waitForBoth();
    CALL(cudaMemcpy2DAsync, s_other, s_pitch, s_pinned, kWidth, kWidth, kRows, in, s_a);
    waitForBoth();
}
static void roundTripNamed()
{
    roundTrip(cudaMemcpyDeviceToHost, cudaMemcpyHostToDevice);
}
static void roundTripDefault()
{
    roundTrip(cudaMemcpyDefault, cudaMemcpyDefault);
}
static void boxes()
{
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(s_pageable, kWidth, kWidth, kRows);
    copy.dstPtr = make_cudaPitchedPtr(s_device, s_pitch, kWidth, kRows);
    copy.extent = make_cudaExtent(kHalf, kRows, 1);
    copy.kind = cudaMemcpyHostToDevice;
    CALL(cudaMemcpy3DAsync, &copy, s_a);
    waitForBoth();
}

static const struct {
    const char *mode, *found;
    void (*frame)();
} kModes[] = {
    {"pinned", "", pinned},
    {"pageable", "pageable-async-copy", pageable},
    {"halves", "", halves},
    {"overlapping", "hazard-B5", overlapping},
    {"set-half", "", setHalf},
    {"set-overlapping", "hazard-B5", setOverlapping},
    {"round-trip", "host-round-trip", roundTripNamed},
    {"round-trip-default", "host-round-trip", roundTripDefault},
    {"boxes", "pageable-async-copy", boxes},
};

int main(int argc, char **argv)
{
    if (argc != 3) {
        for (const auto &mode : kModes)
            std::printf("%s %s\n", mode.mode, mode.found);
        return argc == 1 ? 0 : 2;
    }
    CALL(cudaMallocPitch, reinterpret_cast<void **>(&s_device), &s_pitch, kWidth, kRows);
    CALL(cudaMallocPitch, reinterpret_cast<void **>(&s_other), &s_pitch, kWidth, kRows);
    CALL(cudaMallocHost, reinterpret_cast<void **>(&s_pinned), kWidth * kRows);
    s_pageable = static_cast<char *>(std::calloc(kRows, kWidth));
    CALL(cudaStreamCreateWithFlags, &s_a, cudaStreamNonBlocking);
    CALL(cudaStreamCreateWithFlags, &s_b, cudaStreamNonBlocking);
    for (const auto &mode : kModes)
        for (long frame = 0; std::strcmp(argv[1], mode.mode) == 0 && frame < std::atol(argv[2]); ++frame) {
            jetscope_frame_begin(frame);
            mode.frame();
            jetscope_frame_end(frame);
        }
    return 0;
}
