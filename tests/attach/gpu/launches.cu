// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// launches MODE COUNT : launches kernels and prints how many, and how long that took. For gpu_check.sh.
//   flood  COUNT empty kernels as fast as possible, with a wait after every 1000
//   frames COUNT times 103 small kernels and a wait, as an inference at batch 1 launches them
//   steps  COUNT times a kernel of 40 us and a wait: some 20,000 launches a second
//   exit, _exit, quick_exit  the same, and ends in this way at once
//   times  COUNT kernels each of 5, 20 and 100 us, one after the other, with a copy of 1 MB before each tenth
//   overlap COUNT times a kernel of 1 ms beside 0.6 ms of CPU work, and 0.4 ms of CPU work alone; prints the overlap by
//          what the kernel itself reports: when it began, and how long it ran
#include "gpu/attach/jetscope_mark.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <unistd.h>

__global__ void emptyKernel() {}

__device__ void spin(unsigned ns)
{
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - begin < ns);
}
extern "C" __global__ void spin5us()
{
    spin(5000);
}
extern "C" __global__ void spin20us()
{
    spin(20000);
}
extern "C" __global__ void spin40us()
{
    spin(40000);
}
extern "C" __global__ void spin100us()
{
    spin(100000);
}

/// What a kernel tells the CPU while it runs.
struct Told {
    volatile unsigned hasBegun;
    volatile unsigned long long ns;
};
extern "C" __global__ void spin1ms(Told *told)
{
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    told->hasBegun = 1;
    __threadfence_system();
    spin(1000000);
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    told->ns = now - begin;
}

static double seconds()
{
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

static void check(const char *what, cudaError_t code)
{
    if (code == cudaSuccess)
        return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(code));
    std::exit(1);
}

static long flood(long count, cudaStream_t stream)
{
    for (long i = 0; i < count; ++i) {
        if (i % 1000 == 0)
            jetscope_frame_begin(i / 1000);
        emptyKernel<<<1, 1, 0, stream>>>();
        if (i % 1000 == 999) {
            check("cudaStreamSynchronize", cudaStreamSynchronize(stream));
            jetscope_frame_end(i / 1000);
        }
    }
    return count;
}

extern "C" __global__ void spin2us()
{
    spin(2000);
}

/// A framework takes some 10 us of the CPU for each kernel.
static long frames(long count, cudaStream_t stream)
{
    constexpr int kKernels = 103;
    for (long i = 0; i < count; ++i) {
        jetscope_frame_begin(i);
        for (int k = 0; k < kKernels; ++k) {
            const double began = seconds();
            while (seconds() < began + 10e-6)
                ;
            spin2us<<<1, 1, 0, stream>>>();
        }
        check("cudaStreamSynchronize", cudaStreamSynchronize(stream));
        jetscope_frame_end(i);
    }
    return count * kKernels;
}

static long steps(long count, cudaStream_t stream)
{
    for (long i = 0; i < count; ++i) {
        jetscope_frame_begin(i);
        spin40us<<<1, 1, 0, stream>>>();
        check("cudaStreamSynchronize", cudaStreamSynchronize(stream));
        jetscope_frame_end(i);
    }
    return count;
}

static long times(long count, cudaStream_t stream)
{
    const size_t bytes = 1 << 20;
    void *host = nullptr, *device = nullptr;
    check("cudaMallocHost", cudaMallocHost(&host, bytes));
    check("cudaMalloc", cudaMalloc(&device, bytes));
    for (long i = 0; i < count; ++i) {
        jetscope_frame_begin(i);
        if (i % 10 == 0)
            check("cudaMemcpyAsync", cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream));
        spin5us<<<1, 1, 0, stream>>>();
        spin20us<<<1, 1, 0, stream>>>();
        spin100us<<<1, 1, 0, stream>>>();
        check("cudaStreamSynchronize", cudaStreamSynchronize(stream));
        jetscope_frame_end(i);
    }
    return 3 * count;
}

static long overlap(long count, cudaStream_t stream)
{
    Told *told = nullptr, *onDevice = nullptr;
    check("cudaHostAlloc", cudaHostAlloc(reinterpret_cast<void **>(&told), sizeof *told, cudaHostAllocMapped));
    check("cudaHostGetDevicePointer", cudaHostGetDevicePointer(reinterpret_cast<void **>(&onDevice), told, 0));
    double cpu = 0, gpu = 0, both = 0;
    for (long i = 0; i < count; ++i) {
        jetscope_frame_begin(i);
        told->hasBegun = 0;
        const double began = seconds();
        spin1ms<<<1, 1, 0, stream>>>(onDevice);
        while (!told->hasBegun && seconds() < began + 0.0006)
            ;
        const double kernelBegan = seconds();
        while (seconds() < began + 0.0006)
            ;
        const double waits = seconds();
        check("cudaStreamSynchronize", cudaStreamSynchronize(stream));
        const double alone = seconds();
        while (seconds() < alone + 0.0004)
            ;
        const double ended = seconds();
        jetscope_frame_end(i);
        if (i == 0)
            continue; // The kernel is loaded.
        cpu += (waits - began) + (ended - alone);
        gpu += told->ns * 1e-9;
        both += waits - kernelBegan;
    }
    std::printf("overlap %.4f\n", both / (cpu < gpu ? cpu : gpu));
    return count;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    const long count = std::atol(argv[2]);
    cudaStream_t stream = nullptr;
    check("cudaStreamCreateWithFlags", cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    check("cudaDeviceSynchronize", cudaDeviceSynchronize());
    const double began = seconds();
    const long launches = std::strcmp(argv[1], "flood") == 0 ? flood(count, stream)
        : std::strcmp(argv[1], "times") == 0                 ? times(count, stream)
        : std::strcmp(argv[1], "overlap") == 0               ? overlap(count, stream)
        : std::strcmp(argv[1], "frames") == 0                ? frames(count, stream)
                                                             : steps(count, stream);
    if (std::strcmp(argv[1], "_exit") == 0)
        _exit(0);
    if (std::strcmp(argv[1], "quick_exit") == 0)
        std::quick_exit(0);
    check("cudaDeviceSynchronize", cudaDeviceSynchronize());
    const double took = seconds() - began;
    check("cudaGetLastError", cudaGetLastError());
    std::printf("launches %ld\nseconds %.6f\n", launches, took);
    return 0;
}
